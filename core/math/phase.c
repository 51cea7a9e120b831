/* SPDX-License-Identifier: Apache-2.0
 * phase.c - the direct road: exact product of a position and a frequency, folding into an
 * eighth of a turn by integers, one double-double angle, two Taylor polynomials. Plain
 * operations only, so that every CPU gives the same bits. */
#include "core/math/phase.h"

#include <string.h>

#include "core/math/product.h"

/* 1/(2 pi) turns per radian. */
const struct phase_freq phase_radian = {
    .turns = {0x7f9458eaf7aef158u, 0x36d8a5664f10e410u, 0x7f09d5f47d4d3770u,
              0x28be60db9391054au},
    .hi = 1.0,
};

/* pi/4 * 2^128 */
static const uint64_t quarter_pi[2] = {0xc4c6628b80dc1cd1u, 0xc90fdaa22168c234u};

/* Below this angle in radians sin x = x and cos x = 1 to 2^-120, and the 128 bits of a phase
 * would be too few: the product in double-double is used. */
#define TINY_ANGLE 0x1p-60
#define WHOLE_LIMIT 0x1p53

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double power_of_two(int exponent) /* -1022 .. 1023 */
{
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- products ---------------------------------------------------------------------- */

/* position = mantissa * 2^exponent times the frequency, a zero limb below it: limb 1 of
 * `product` is the lowest of the 256 bits of fraction before the exponent counts. */
enum { PRODUCT_LIMBS = 10 };

struct product {
    uint64_t limbs[PRODUCT_LIMBS];
    int exponent;
};

static struct product product_of(const struct phase_freq *freq, double position)
{
    const uint64_t bits = bits_of(position);
    const uint64_t mantissa = (bits & 0xfffffffffffffu) | 0x10000000000000u;
    struct product product = {.exponent = (int)(bits >> 52 & 0x7ff) - 1075};
    uint64_t factor[6];
    memcpy(factor, freq->turns, sizeof freq->turns);
    memcpy(factor + 4, freq->whole, sizeof freq->whole);
    phase_t carry = 0;
    for (int i = 0; i < 6; i++) {
        carry += (phase_t)mantissa * factor[i];
        product.limbs[i + 1] = (uint64_t)carry;
        carry >>= 64;
    }
    product.limbs[7] = (uint64_t)carry;
    return product;
}

/* The 128 bits of the product whose top bit is worth 2^-(1 + skip) turns. */
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
        /* Whole turns fall off the top: only the fraction of the frequency counts. */
        const uint64_t n = (uint64_t)size;
        phase_t sum = (phase_t)n * freq->turns[0] >> 64;
        sum = (sum + (phase_t)n * freq->turns[1]) >> 64;
        sum += (phase_t)n * freq->turns[2];
        phase = sum + ((phase_t)(n * freq->turns[3]) << 64);
    } else {
        const struct product product = product_of(freq, size);
        phase = product_window(&product, 0);
    }
    return position < 0 ? -phase : phase;
}

/* ---- folding ----------------------------------------------------------------------- */

/* A phase as an angle of at most an eighth of a turn and the mirrors that lead back from it.
 * mirrored: residual is a constant minus phase, so what was cut off counts against it. No
 * branches: octants are as good as random. */
struct fold {
    phase_t residual;
    unsigned negate_sine, negate_cosine, swap, mirrored; /* 0 or 1 */
};

/* -value if negate is 1, value if it is 0. */
static phase_t negated_if(unsigned negate, phase_t value)
{
    const phase_t mask = -(phase_t)negate;
    return (value ^ mask) - mask;
}

static struct fold fold_phase(phase_t phase)
{
    struct fold fold;
    fold.negate_sine = (unsigned)(phase >> 127);
    phase = negated_if(fold.negate_sine, phase); /* 0 .. 1/2 */
    fold.negate_cosine = phase >> 126 != 0;
    phase = negated_if(fold.negate_cosine, phase) + ((phase_t)fold.negate_cosine << 127);
    fold.swap = phase >> 125 != 0; /* 0 .. 1/4 */
    fold.residual = negated_if(fold.swap, phase) + ((phase_t)fold.swap << 126);
    fold.mirrored = fold.negate_sine ^ fold.negate_cosine ^ fold.swap;
    return fold;
}

/* ---- angles and waves -------------------------------------------------------------- */

struct split { /* hi + lo, |lo| at most an ULP of hi */
    double hi, lo;
};

/* residual * unit turns in radians, residual at most 2^125; relative error below 2^-64. */
static struct split radians(phase_t residual, double unit)
{
    if (residual >> 64 == 0) { /* too few bits for the product below: rare */
        const uint64_t low = (uint64_t)residual;
        const int shift = low == 0 ? 0 : 61 + __builtin_clzll(low);
        residual <<= shift;
        unit *= power_of_two(-shift);
    }
    const uint64_t top = (uint64_t)(residual >> 64), low = (uint64_t)residual;
    const phase_t cross =
        ((phase_t)top * quarter_pi[0] >> 64) + ((phase_t)low * quarter_pi[1] >> 64);
    const phase_t angle = (phase_t)top * quarter_pi[1] + cross; /* 2^3 too small */
    const int64_t head = (int64_t)(angle >> 64);
    const double hi = (double)head, rest = (double)(head - (int64_t)hi);
    const double tail = (double)(int64_t)((uint64_t)angle >> 1);
    return (struct split){hi * (unit * 0x1p67), (rest + tail * 0x1p-63) * (unit * 0x1p67)};
}

/* sin(x + y) for 0 <= x + y <= pi/4, as hi + lo: x + (y - z y/2 - x^3/6 + ...). */
static struct split sine_of(struct split angle)
{
    const double x = angle.hi, y = angle.lo, z = x * x;
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
    return (struct split){hi, (x - hi) + rest};
}

/* cos(x + y) for 0 <= x + y <= pi/4, as hi + lo: 1 - x^2/2 with the low half of x^2 kept,
 * - x y + x^4/24 - ... */
static struct split cosine_of(struct split angle)
{
    const double x = angle.hi, y = angle.lo, z = x * x;
    const double shifted = x * 0x8000001p0, head = shifted - (shifted - x), tail = x - head;
    const double z_low = ((head * head - z) + 2 * head * tail) + tail * tail;
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
    return (struct split){hi, (base - hi) + rest};
}

/* Sine (times its unit, a power of two) and cosine. */
struct waves {
    struct split sine, cosine;
    double sine_unit;
};

static struct split times(struct split value, double factor) /* exact: factor is +-2^n */
{
    return (struct split){value.hi * factor, value.lo * factor};
}

static struct waves waves_of(const struct fold *fold, struct split angle)
{
    const struct split both[2] = {sine_of(angle), cosine_of(angle)};
    const double signs[2] = {1, -1};
    return (struct waves){times(both[fold->swap], signs[fold->negate_sine]),
                          times(both[!fold->swap], signs[fold->negate_cosine]), 1};
}

static struct split multiply(double a, double b)
{
    const double hi = a * b;
    return (struct split){hi, product_error(a, b, hi)};
}

/* Waves of freq * size, size >= 0. */
static struct waves waves_at(const struct phase_freq *freq, double size)
{
    if (size * freq->hi < TINY_ANGLE) {
        /* Scaled, so that the halves of the product are normal numbers. */
        struct split angle = multiply(size * 0x1p512, freq->hi);
        angle.lo += size * 0x1p512 * freq->lo;
        const double hi = angle.hi + angle.lo;
        return (struct waves){{hi, (angle.hi - hi) + angle.lo}, {1, 0}, 0x1p-512};
    }
    const struct fold fold = fold_phase(phase_at(freq, size));
    if (fold.residual >> 64 != 0)
        return waves_of(&fold, radians(fold.residual, 0x1p-128));
    /* Within 2^-64 of a quarter turn: the next 64 bits of the product decide. */
    const struct product product = product_of(freq, size);
    const phase_t finer = product_window(&product, 64);
    if (fold.mirrored && fold.residual == 0) /* the cut bits lie beyond the mirror */
        return waves_of(&fold, times(radians(finer >> 3, 0x1p-189), -1));
    return waves_of(&fold, radians(negated_if(fold.mirrored, finer) >> 3, 0x1p-189));
}

void phase_sincos(phase_t phase, double *sine, double *cosine)
{
    const struct fold fold = fold_phase(phase);
    const struct waves waves = waves_of(&fold, radians(fold.residual, 0x1p-128));
    *sine = waves.sine.hi + 0.0; /* -0 becomes 0 */
    *cosine = waves.cosine.hi + 0.0;
}

void phase_sincos_at(const struct phase_freq *freq, double position, double *sine,
                     double *cosine)
{
    const struct waves waves = waves_at(freq, position < 0 ? -position : position);
    const double size = waves.sine.hi * waves.sine_unit;
    *sine = position < 0 ? -size : size;
    *cosine = waves.cosine.hi;
}

void phase_sincos_scaled(const struct phase_freq *freq, double position, double amplitude,
                         double *sine, double *cosine)
{
    if (amplitude == 1) {
        phase_sincos_at(freq, position, sine, cosine);
        return;
    }
    const struct waves waves = waves_at(freq, position < 0 ? -position : position);
    const struct split s = multiply(amplitude, waves.sine.hi);
    const struct split c = multiply(amplitude, waves.cosine.hi);
    const double size = (s.hi + (s.lo + amplitude * waves.sine.lo)) * waves.sine_unit;
    *sine = position < 0 ? -size : size;
    *cosine = c.hi + (c.lo + amplitude * waves.cosine.lo);
}
