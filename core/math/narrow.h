/* SPDX-License-Identifier: Apache-2.0
 * narrow.h - a double rounded once, to nearest even, to a smaller floating point type; -0 and
 * what rounds to it become 0. Without branches, so that loops of them vectorise. The values
 * are finite. Meant for the kernels of core/math; core/dtype.c defines the results. */
#ifndef PE_MATH_NARROW_H
#define PE_MATH_NARROW_H

#include <stdint.h>
#include <string.h>

static inline float narrow_f32(double value)
{
    return (float)value + 0.0f;
}

/* A format of 16 bits with `fraction` stored bits of significand and exponents from `lowest`
 * (normal numbers). Both constants are folded into the two callers below. */
static inline uint16_t narrow_16(double value, int fraction, int lowest)
{
    const int drop = 52 - fraction;
    uint64_t bits, steps, above;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t size_bits = bits & 0x7fffffffffffffffu;
    double size;
    memcpy(&size, &size_bits, sizeof size);

    /* Normal: add half a step less one, plus one for an odd step; drop; rebias. */
    const uint64_t odd = size_bits >> drop & 1;
    const uint64_t rounded = (size_bits + ((uint64_t)1 << (drop - 1)) - 1 + odd) >> drop;
    const uint64_t normal = rounded - ((uint64_t)(lowest + 1022) << fraction);

    /* Subnormal: the last bit of `shift` is worth a step, so the addition rounds to steps. */
    const uint64_t shift_bits = (uint64_t)(1023 + 52 + lowest - fraction) << 52;
    double shift, sum;
    memcpy(&shift, &shift_bits, sizeof shift);
    sum = size + shift;
    memcpy(&steps, &sum, sizeof steps);
    steps -= shift_bits;

    /* The first value that rounds to infinity: half a step above the largest. */
    const uint64_t infinity = ((uint64_t)(2 - 2 * lowest) + 1) << fraction;
    const uint64_t limit_bits = ((uint64_t)(1025 - lowest) << 52) - ((uint64_t)1 << (drop - 1));
    double limit, smallest;
    const uint64_t smallest_bits = (uint64_t)(1023 + lowest) << 52;
    memcpy(&limit, &limit_bits, sizeof limit);
    memcpy(&smallest, &smallest_bits, sizeof smallest);

    above = size < smallest ? steps : normal;
    above = size >= limit ? infinity : above;
    const uint64_t sign = above == 0 ? 0 : bits >> 63 << 15;
    return (uint16_t)(above | sign);
}

static inline uint16_t narrow_f16(double value)
{
    return narrow_16(value, 10, -14);
}

static inline uint16_t narrow_bf16(double value)
{
    return narrow_16(value, 7, -126);
}

#endif
