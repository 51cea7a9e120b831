/* SPDX-License-Identifier: Apache-2.0
 * powers.h - powers of ten for writing and reading decimal numbers, made while building, or
 * with POWERS_AT_LOAD when the program is loaded: 12 KB that no compression shortens. */
#pragma once

#include <stdint.h>

enum {
    POWERS_MIN = -342,
    POWERS_MAX = 324,
    POWERS_COUNT = POWERS_MAX - POWERS_MIN + 1,
    POWERS_F32_COUNT = 255,
};

#ifdef POWERS_AT_LOAD
#define POWERS_CONST
#else
#define POWERS_CONST const
#endif

/* 10^n = (high * 2^64 + low) * 2^(powers_exponent(n) - 128), the highest bit set, truncated
 * (exact for n in 0..55); the entry of n is at n - POWERS_MIN. */
struct power_of_ten {
    uint64_t high, low;
};
extern POWERS_CONST struct power_of_ten powers_of_ten[POWERS_COUNT];

/* For each exponent field of a float32: 2^q / 10^(k+1) * 2^64, where 2^q is the unit in the
 * last place and k = powers_floor_log10_of_2(q). */
extern POWERS_CONST uint64_t powers_f32_scales[POWERS_F32_COUNT];

/* Returns floor(log10(2^q)) for |q| <= 1650: 1262611 / 2^22 is log10(2) closely enough. */
static inline int powers_floor_log10_of_2(int q)
{
    return (q * 1262611) >> 22;
}

/* Returns the e for which 10^n is in [2^(e-1), 2^e), |n| <= 1233: 1741647 / 2^19 is
 * log2(10). */
static inline int powers_exponent(int n)
{
    return ((n * 1741647) >> 19) + 1;
}
