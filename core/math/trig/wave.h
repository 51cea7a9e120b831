/* SPDX-License-Identifier: Apache-2.0
 * wave.h - computes sine and cosine from a phase in steps that a loop can separate: fold a
 * phase to the nearest quarter turn (integers), convert its rest to radians (double-double),
 * evaluate two Taylor polynomials (plain doubles, nothing fused, so that every CPU gives the
 * same bits). */
#pragma once

#include <stdint.h>

#include "core/math/number/dd.h"
#include "core/math/number/two_product.h"
#include "core/math/trig/phase.h"

#define WAVE_INLINE static inline __attribute__((always_inline))

/* Below this angle in radians sin x = x and cos x = 1 to 2^-120, and the 128 bits of a phase
 * would be too few: the product in double-double is used. */
#define WAVE_TINY 0x1p-60

/* The limbs of a phase in a pair of registers; compilers pass a phase_t through memory. */
struct wave_limbs {
    uint64_t top, low;
};

WAVE_INLINE struct wave_limbs wave_limbs_of(phase_t phase)
{
    return (struct wave_limbs){(uint64_t)(phase >> 64), (uint64_t)phase};
}

/* Returns the phase of a whole position n <= 2^53. Whole turns overflow, so only the
 * fraction of the frequency counts. */
WAVE_INLINE struct wave_limbs wave_limbs(const struct phase_freq *freq, uint64_t n)
{
    const uint64_t least = (uint64_t)((phase_t)n * freq->turns[0] >> 64);
    const phase_t less = (phase_t)n * freq->turns[1], more = (phase_t)n * freq->turns[2];
    const uint64_t carry = (uint64_t)less + least < least;
    const uint64_t middle = (uint64_t)(less >> 64) + carry; /* it fits, since n <= 2^53 */
    const uint64_t low = (uint64_t)more + middle;
    const uint64_t top = (uint64_t)(more >> 64) + n * freq->turns[3] + (low < middle);

    return (struct wave_limbs){top, low};
}

/* ---- folding ----------------------------------------------------------------------------- */

/* A phase that is quarter/4 turns + rest, or - rest if `negative`; rest is at most 1/8 turn. */
struct wave_fold {
    struct wave_limbs rest;
    uint64_t quarter;  /* 0 .. 3 */
    uint64_t negative; /* 0 or 1 */
};

/* Returns -value if negate is 1, value if it is 0, without a branch, since octants are as good
 * as random. */
WAVE_INLINE struct wave_limbs wave_negated_if(uint64_t negate, struct wave_limbs value)
{
    const uint64_t mask = -negate, low = (value.low ^ mask) + negate;

    return (struct wave_limbs){(value.top ^ mask) + (negate & (low == 0)), low};
}

WAVE_INLINE struct wave_fold wave_fold(struct wave_limbs phase)
{
    const uint64_t quarter = (phase.top + (UINT64_C(1) << 61)) >> 62;
    const struct wave_limbs rest = {phase.top - (quarter << 62), phase.low};
    const uint64_t negative = rest.top >> 63;

    return (struct wave_fold){wave_negated_if(negative, rest), quarter, negative};
}

/* rest * unit turns in radians, the top limb of rest in 1 .. 2^61; relative error below
 * 2^-53 / top + 2^-105: what is left of the product is rounded to a double. */
WAVE_INLINE struct dd wave_radians(struct wave_limbs rest, double unit)
{
    const uint64_t quarter_pi[2] = {0xc4c6628b80dc1cd1u, 0xc90fdaa22168c234u}; /* pi/4 2^128 */
    const uint64_t cross = (uint64_t)((phase_t)rest.top * quarter_pi[0] >> 64) +
                           (uint64_t)((phase_t)rest.low * quarter_pi[1] >> 64);
    const phase_t product = (phase_t)rest.top * quarter_pi[1]; /* 2^3 too small */
    const uint64_t low = (uint64_t)product + cross;
    const int64_t head = (int64_t)((uint64_t)(product >> 64) + (low < cross));
    const double hi = (double)head, rounded_off = (double)(head - (int64_t)hi);
    const double tail = (double)(int64_t)(low >> 1);
    const double scale = unit * 0x1p67;

    return (struct dd){hi * scale, (rounded_off + tail * 0x1p-63) * scale};
}

/* ---- polynomials, for |x + y| <= pi/4 ---------------------------------------------------- */

/* sin(x + y) = x + (y - z y/2 - x^3/6 + ...), z = x^2; odd to the last bit. */
WAVE_INLINE struct dd wave_sine(double x, double y)
{
    const double z = x * x;
    double sum = 1.0 / 355687428096000.0;

    sum = sum * z - 1.0 / 1307674368000.0;
    sum = sum * z + 1.0 / 6227020800.0;
    sum = sum * z - 1.0 / 39916800.0;
    sum = sum * z + 1.0 / 362880.0;
    sum = sum * z - 1.0 / 5040.0;
    sum = sum * z + 1.0 / 120.0;
    sum = sum * z - 1.0 / 6.0;
    const double rest = z * x * sum + (y - 0.5 * z * y);
    const double hi = x + rest;
    return (struct dd){hi, (x - hi) + rest};
}

/* cos(x + y) = 1 - z/2 - x y + x^4/24 - ..., with the part of x^2 that rounding takes away. */
WAVE_INLINE struct dd wave_cosine(double x, double y)
{
    const double z = x * x, z_low = two_product_error(x, x, z);
    double sum = -1.0 / 6402373705728000.0;

    sum = sum * z + 1.0 / 20922789888000.0;
    sum = sum * z - 1.0 / 87178291200.0;
    sum = sum * z + 1.0 / 479001600.0;
    sum = sum * z - 1.0 / 3628800.0;
    sum = sum * z + 1.0 / 40320.0;
    sum = sum * z - 1.0 / 720.0;
    sum = sum * z + 1.0 / 24.0;
    const double half = 0.5 * z, base = 1 - half, cut = (1 - base) - half;
    const double rest = cut + (z * z * sum - (0.5 * z_low + x * y));
    const double hi = base + rest;
    return (struct dd){hi, (base - hi) + rest};
}

/* ---- amplitude --------------------------------------------------------------------------- */

/* amplitude * (hi + lo), rounded about once. */
WAVE_INLINE double wave_scaled(struct dd wave, double amplitude)
{
    const double hi = amplitude * wave.hi;

    return hi + (two_product_error(amplitude, wave.hi, hi) + amplitude * wave.lo);
}
