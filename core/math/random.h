/* SPDX-License-Identifier: Apache-2.0
 * random.h - the generator of everything that is drawn from a seed, the same on every machine
 * and in every release: xoshiro256** (Blackman and Vigna 2018), seeded by splitmix64. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pe_stop;
struct random {
    uint64_t state[4];
};

/* Seed a generator by the first four outputs of splitmix64, started at `seed`. */
struct random random_seeded(uint64_t seed);

/* Draws 64 random bits. */
uint64_t random_next(struct random *random);
/* Draws uniformly from 0 .. count-1, count >= 1: a draw at or above the largest multiple of
 * count in 2^64 is rejected, others are taken modulo count. */
uint64_t random_below(struct random *random, uint64_t count);
/* Draws uniformly from the multiples of 2^-53 in [0, 1). */
double random_unit(struct random *random);

/* Draws out[i] = sigma times a standard normal, the real number rounded once (Box and Muller
 * 1958): of two units u, v the first is r cos(2 pi v), the next r sin(2 pi v), r = sqrt(-2
 * ln(1-u)). Each takes about 2 microseconds. Returns false when out of memory, or when *stop
 * (may be NULL) is set. */
bool random_normals(struct random *random, double sigma, double *out, size_t count,
                    const struct pe_stop *stop);

/* Draws `count` distinct numbers of 0 .. below-1, ascending (Floyd's algorithm): for j =
 * below-count .. below-1 draw t of 0 .. j, and take j where t was taken already. count <=
 * below. Returns false when out of memory, or when *stop (may be NULL) is set. */
bool random_pick(struct random *random, uint64_t below, size_t count, uint64_t *out,
                 const struct pe_stop *stop);

/* The parameter row of every seeded encoding; its field is an int64_t. */
#define RANDOM_ROW_SEED(TYPE)                                                                  \
    {                                                                                          \
        PE_FIELD(TYPE, seed), .type = PE_INT, .min = 0, .max = 0x1p53                          \
    }
