/* SPDX-License-Identifier: Apache-2.0
 * digits.h - eight decimal digits in one 64-bit word, the first digit in the lowest byte, so
 * that on the little-endian machines that posenc supports the stored word is text. */
#pragma once

#include <stdint.h>

#define DIGITS_ZEROS UINT64_C(0x3030303030303030) /* "00000000" */

/* Splits n < 10^8 into digits, one a byte, 0 to 9: into halves, then quarters, then digits,
 * which are divided in parallel by multiplying with a reciprocal. */
static inline uint64_t digits_eight(uint32_t n)
{
    const uint64_t high = ((uint64_t)n * 3518437209u) >> 45; /* n / 10^4 */
    const uint64_t fours = ((uint64_t)n << 32) - high * ((UINT64_C(10000) << 32) - 1);
    const uint64_t hundreds = ((fours * 10486) >> 20) & UINT64_C(0x0000007f0000007f);
    const uint64_t twos = (fours << 16) - hundreds * ((100 << 16) - 1);
    const uint64_t tens = ((twos * 103) >> 10) & UINT64_C(0x000f000f000f000f);

    return (twos << 8) - tens * ((10 << 8) - 1);
}

/* Counts the digits up to the last that is not 0; at least one is not 0. */
static inline int digits_len(uint64_t digits)
{
    return ((63 ^ __builtin_clzll(digits)) >> 3) + 1; /* index of the highest bit */
}
