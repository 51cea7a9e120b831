/* SPDX-License-Identifier: Apache-2.0
 * random.c - draws integers by xoshiro256**, normals by MPFR, and picks by Floyd's algorithm
 * with a hash table of the numbers that are taken. */
#include "core/math/random.h"

#include <assert.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

#include "core/math/number/mpfr_memory.h"
#include "core/posenc.h"

static uint64_t rotated(uint64_t bits, unsigned by)
{
    return bits << by | bits >> (64 - by);
}

struct random random_seeded(uint64_t seed)
{
    struct random random;

    for (size_t i = 0; i < 4; i++) {
        uint64_t x = seed += UINT64_C(0x9e3779b97f4a7c15);

        x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
        random.state[i] = x ^ x >> 31;
    }
    return random;
}

uint64_t random_next(struct random *random)
{
    uint64_t *s = random->state;
    const uint64_t result = rotated(s[1] * 5, 7) * 9, t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotated(s[3], 45);
    return result;
}

uint64_t random_below(struct random *random, uint64_t count)
{
    assert(count > 0);
    /* The last 2^64 mod count draws are rejected. `end` is 0, for 2^64, if there are none. */
    const uint64_t end = 0 - (0 - count) % count;
    uint64_t x;

    do
        x = random_next(random);
    while (end != 0 && x >= end);
    return x % count;
}

double random_unit(struct random *random)
{
    return (double)(random_next(random) >> 11) * 0x1p-53;
}

/* ---- normals ----------------------------------------------------------------------------- */

/* NORMALS: draws after which the stop is read again */
enum { PRECISION = 160, NORMALS = 1 << 12 };

struct pair {
    mpfr_t radius, sine, cosine;
};

/* Computes r times sigma, and the cosine and sine of v turns. */
static void take_pair(struct pair *pair, double u, double v, double sigma)
{
    mpfr_set_d(pair->radius, 1 - u, MPFR_RNDN); /* exact: u is a multiple of 2^-53 */
    mpfr_log(pair->radius, pair->radius, MPFR_RNDN);
    mpfr_mul_si(pair->radius, pair->radius, -2, MPFR_RNDN);
    mpfr_sqrt(pair->radius, pair->radius, MPFR_RNDN);
    mpfr_mul_d(pair->radius, pair->radius, sigma, MPFR_RNDN);
    mpfr_const_pi(pair->cosine, MPFR_RNDN);
    mpfr_mul_d(pair->cosine, pair->cosine, 2 * v, MPFR_RNDN);
    mpfr_sin_cos(pair->sine, pair->cosine, pair->cosine, MPFR_RNDN);
}

bool random_normals(struct random *random, double sigma, double *out, size_t count,
                    const struct pe_stop *stop)
{
    struct pair pair;
    bool stopped = false;

    if (!mpfr_memory_available())
        return false;
    mpfr_inits2(PRECISION, pair.radius, pair.sine, pair.cosine, (mpfr_ptr)0);
    for (size_t i = 0; i < count && !stopped; i += 2) {
        const double u = random_unit(random), v = random_unit(random);

        take_pair(&pair, u, v, sigma);
        mpfr_mul(pair.cosine, pair.cosine, pair.radius, MPFR_RNDN);
        mpfr_mul(pair.sine, pair.sine, pair.radius, MPFR_RNDN);
        out[i] = v == 0.25 || v == 0.75 ? 0 : mpfr_get_d(pair.cosine, MPFR_RNDN);
        if (i + 1 < count)
            out[i + 1] = v == 0.5 ? 0 : mpfr_get_d(pair.sine, MPFR_RNDN);
        stopped = i % NORMALS == 0 && pe_stop_is_set(stop);
    }
    mpfr_clears(pair.radius, pair.sine, pair.cosine, (mpfr_ptr)0);
    mpfr_memory_drop_constants();
    return !stopped;
}

/* ---- picks ------------------------------------------------------------------------------- */

enum { PICKS = 1 << 16 }; /* draws after which the stop is read again */

static bool is_stopped(const struct pe_stop *stop, size_t i)
{
    return i % PICKS == 0 && pe_stop_is_set(stop);
}

/* The set of taken numbers, by open addressing: each is stored plus one, since 0 is an empty
 * place. */
struct taken {
    uint64_t *places, mask;
};

/* Adds the number; returns true if it was not in the set before. */
static bool take(struct taken *taken, uint64_t number)
{
    uint64_t at = number * UINT64_C(0x9e3779b97f4a7c15) >> 20 & taken->mask;

    while (taken->places[at] != 0) {
        if (taken->places[at] == number + 1)
            return false;
        at = (at + 1) & taken->mask;
    }
    taken->places[at] = number + 1;
    return true;
}

/* Sorts count numbers below `below` by their digits of eight bits, the lowest first; `spare`
 * has space for as many numbers. Returns false when stopped: the order is then undefined. */
static bool sort(uint64_t *numbers, uint64_t *spare, size_t count, uint64_t below,
                 const struct pe_stop *stop)
{
    uint64_t *from = numbers, *to = spare;

    for (unsigned shift = 0; shift < 64 && (below - 1) >> shift != 0; shift += 8) {
        size_t place[257] = {0};
        uint64_t *swap = from;

        for (size_t i = 0; i < count; i++)
            place[(from[i] >> shift & 255) + 1]++;
        for (size_t digit = 0; digit < 255; digit++)
            place[digit + 1] += place[digit];
        for (size_t i = 0; i < count; i++) {
            if (is_stopped(stop, i))
                return false;
            to[place[from[i] >> shift & 255]++] = from[i];
        }
        from = to;
        to = swap;
    }
    if (from != numbers)
        memcpy(numbers, from, count * sizeof *numbers);
    return true;
}

bool random_pick(struct random *random, uint64_t below, size_t count, uint64_t *out,
                 const struct pe_stop *stop)
{
    struct taken taken = {.mask = 15};
    bool done = true;

    assert(count <= below);
    while (taken.mask / 2 < count)
        taken.mask = taken.mask * 2 + 1;
    taken.places = calloc(taken.mask + 1, sizeof *taken.places);
    if (!taken.places)
        return false;
    for (size_t i = 0; i < count && done; i++) {
        const uint64_t last = below - count + i, drawn = random_below(random, last + 1);

        out[i] = take(&taken, drawn) ? drawn : last;
        if (out[i] != drawn)
            take(&taken, last);
        done = !is_stopped(stop, i);
    }
    done = done && (count < 2 || sort(out, taken.places, count, below, stop));
    free(taken.places);
    return done;
}
