/* SPDX-License-Identifier: Apache-2.0
 * core_random.h - draws that do not change from run to run, so that a failing one can be
 * repeated. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct core_random {
    uint64_t state; /* any start */
};

uint64_t core_random_bits(struct core_random *random);
/* A whole number in [low, high]; the span fits 63 bits. */
int64_t core_random_whole(struct core_random *random, int64_t low, int64_t high);
/* A real in [low, high). */
double core_random_real(struct core_random *random, double low, double high);
