/* SPDX-License-Identifier: Apache-2.0
 * narrow.h - rounds a double once, to nearest even, to a smaller floating point type; results
 * that are zero are +0. There are no branches, so that loops vectorise. Values are finite. For
 * the kernels of core/math; core/dtype.c defines the results. */
#pragma once

#include <stdint.h>
#include <string.h>

static inline float narrow_f32(double value)
{
    return (float)value + 0.0f;
}

static inline double narrow_double(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t narrow_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Returns value rounded to `fraction` bits after the leading one, or fewer below 2^lowest, as a
 * float32, which holds it exactly. Adding 2^(52-fraction) times the leading power of two rounds
 * in the last place that is kept. From 2^above on the result is 2^above. */
static inline float narrow_to(double value, int fraction, int lowest, int above)
{
    const double least = narrow_double((uint64_t)(1023 + lowest) << 52);
    const double most = narrow_double((uint64_t)(1023 + above) << 52);
    const double scale = narrow_double((uint64_t)(1023 + 52 - fraction) << 52);
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    const uint64_t sign = bits & 0x8000000000000000u;
    double size = narrow_double(bits ^ sign);
    size = size < most ? size : most;
    memcpy(&bits, &size, sizeof bits);
    double leading = narrow_double(bits & 0x7ff0000000000000u);
    leading = leading > least ? leading : least;
    const double rounded = (size + leading * scale) - leading * scale;
    memcpy(&bits, &rounded, sizeof bits);
    return (float)narrow_double(bits | sign) + 0.0f;
}

/* Returns the element for a value that narrow_to has rounded. */
static inline uint16_t narrow_bf16_of(float rounded)
{
    return (uint16_t)(narrow_bits(rounded) >> 16);
}

static inline uint16_t narrow_f16_of(float rounded)
{
    const uint32_t bits = narrow_bits(rounded), size = bits & 0x7fffffffu;
    const uint32_t normal = (size >> 13) - ((127 - 15) << 10);
    /* Below 2^-14 the steps are 2^-24, the last place of 0.5f. */
    const float magnitude = __builtin_fabsf(rounded);
    const uint32_t subnormal = narrow_bits(magnitude + 0.5f) - narrow_bits(0.5f);
    const uint32_t small = -(uint32_t)(magnitude < 0x1p-14f);

    return (uint16_t)((normal & ~small) | (subnormal & small) | (bits >> 16 & 0x8000u));
}

static inline uint16_t narrow_bf16(double value)
{
    return narrow_bf16_of(narrow_to(value, 7, -126, 128));
}

static inline uint16_t narrow_f16(double value)
{
    return narrow_f16_of(narrow_to(value, 10, -14, 16));
}
