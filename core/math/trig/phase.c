/* SPDX-License-Identifier: Apache-2.0
 * phase.c - evaluates one angle directly: the exact product of a position and a frequency, and
 * its sine and cosine, however near to a zero they are. */
#include "core/math/trig/phase.h"

#include <string.h>

#include "core/math/trig/wave.h"

/* 1/(2 pi) turns per radian. */
const struct phase_freq phase_radian = {
    .turns = {0x7f9458eaf7aef158u, 0x36d8a5664f10e410u, 0x7f09d5f47d4d3770u,
              0x28be60db9391054au},
    .hi = 1.0,
};

#define WHOLE_LIMIT 0x1p53

static double power_of_two(int exponent) /* the exponent is within -1022 .. 1023 */
{
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- products ---------------------------------------------------------------------- */

/* The product of position = mantissa * 2^exponent and the frequency, with a zero limb below it:
 * limb 1 of `product` is the lowest of the 256 bits of fraction before the exponent counts. */
enum { PRODUCT_LIMBS = 10 };

struct product {
    uint64_t limbs[PRODUCT_LIMBS];
    int exponent;
};

static struct product product_of(const struct phase_freq *freq, double position)
{
    uint64_t bits, factor[6];

    memcpy(&bits, &position, sizeof bits);
    memcpy(factor, freq->turns, sizeof freq->turns);
    memcpy(factor + 4, freq->whole, sizeof freq->whole);
    const uint64_t mantissa = (bits & 0xfffffffffffffu) | 0x10000000000000u;
    struct product product = {.exponent = (int)(bits >> 52 & 0x7ff) - 1075};
    phase_t carry = 0;
    for (int i = 0; i < 6; i++) {
        carry += (phase_t)mantissa * factor[i];
        product.limbs[i + 1] = (uint64_t)carry;
        carry >>= 64;
    }
    product.limbs[7] = (uint64_t)carry;
    return product;
}

/* Returns the 128 bits of the product whose highest bit is worth 2^-(1 + skip) turns. */
static phase_t product_window(const struct product *product, int skip)
{
    const int start = 128 - skip - product->exponent + 64;

    if (start < 0 || start >= 64 * (PRODUCT_LIMBS - 2))
        return 0;
    const uint64_t *limb = product->limbs + start / 64;
    const int shift = start % 64;
    const phase_t low = ((phase_t)limb[1] << 64 | limb[0]) >> shift;
    return shift == 0 ? low : low | (phase_t)limb[2] << (128 - shift);
}

phase_t phase_at(const struct phase_freq *freq, double position)
{
    const double size = position < 0 ? -position : position;
    phase_t phase;

    if (size <= WHOLE_LIMIT && size == (double)(int64_t)size) {
        const struct wave_limbs limbs = wave_limbs(freq, (uint64_t)size);

        phase = (phase_t)limbs.top << 64 | limbs.low;
    } else {
        const struct product product = product_of(freq, size);

        phase = product_window(&product, 0);
    }
    return position < 0 ? -phase : phase;
}

/* ---- waves ----------------------------------------------------------------------------- */

/* Sine (times its unit, a power of two) and cosine. */
struct waves {
    struct dd sine, cosine;
    double sine_unit;
};

static struct dd times(struct dd value, double factor) /* exact, since factor is +-2^n */
{
    return (struct dd){value.hi * factor, value.lo * factor};
}

static struct waves waves_of(const struct wave_fold *fold, struct dd angle)
{
    const struct dd both[2] = {wave_sine(angle.hi, angle.lo), wave_cosine(angle.hi, angle.lo)};
    static const double sine_signs[4] = {1, 1, -1, -1}, cosine_signs[4] = {1, -1, -1, 1};
    const uint64_t swap = fold->quarter & 1;

    return (struct waves){times(both[swap], sine_signs[fold->quarter]),
                          times(both[!swap], cosine_signs[fold->quarter]), 1};
}

/* Returns the radians of any rest, also of one with few bits. */
static struct dd radians(struct wave_limbs rest, double unit)
{
    if (rest.top != 0 || rest.low == 0)
        return wave_radians(rest, unit);
    const int shift = 61 + __builtin_clzll(rest.low);
    const phase_t shifted = (phase_t)rest.low << shift;
    return wave_radians(wave_limbs_of(shifted), unit * power_of_two(-shift));
}

/* Returns the sine and cosine of size * freq below WAVE_TINY, scaled so that the halves of the
 * product are normal numbers. */
static struct waves tiny_waves(const struct phase_freq *freq, double size)
{
    const double scaled = size * 0x1p512, product = scaled * freq->hi;
    const double rest = two_product_error(scaled, freq->hi, product) + scaled * freq->lo;
    const double hi = product + rest;

    return (struct waves){{hi, (product - hi) + rest}, {1, 0}, 0x1p-512};
}

/* Returns the sine and cosine of freq * size, size >= 0. */
static struct waves waves_at(const struct phase_freq *freq, double size)
{
    if (size * freq->hi < WAVE_TINY)
        return tiny_waves(freq, size);
    const struct wave_fold fold = wave_fold(wave_limbs_of(phase_at(freq, size)));
    const double sign = fold.negative ? -1 : 1;
    if (fold.rest.top != 0)
        return waves_of(&fold, wave_radians(fold.rest, sign * 0x1p-128));
    /* Within 2^-64 of a quarter turn the next 64 bits of the product decide. The part that the
     * phase truncated counts upwards, against a negative rest. */
    const struct product product = product_of(freq, size);
    const phase_t window = product_window(&product, 64);
    const phase_t finer = fold.negative ? -window : window;
    return waves_of(&fold, radians(wave_limbs_of(finer >> 3), sign * 0x1p-189));
}

void phase_sincos(phase_t phase, double *sine, double *cosine)
{
    const struct wave_fold fold = wave_fold(wave_limbs_of(phase));
    const double sign = fold.negative ? -1 : 1;
    const struct waves waves = waves_of(&fold, radians(fold.rest, sign * 0x1p-128));

    *sine = waves.sine.hi + 0.0; /* -0 becomes 0 */
    *cosine = waves.cosine.hi + 0.0;
}

void phase_sincos_at(const struct phase_freq *freq, double position, double *sine,
                     double *cosine)
{
    phase_sincos_scaled(freq, position, 1, sine, cosine);
}

void phase_sincos_scaled(const struct phase_freq *freq, double position, double amplitude,
                         double *sine, double *cosine)
{
    const struct waves waves = waves_at(freq, position < 0 ? -position : position);
    double s = waves.sine.hi, c = waves.cosine.hi;

    if (amplitude != 1) {
        s = wave_scaled(waves.sine, amplitude);
        c = wave_scaled(waves.cosine, amplitude);
    }
    *sine = (position < 0 ? -s : s) * waves.sine_unit;
    *cosine = c;
}
