/* SPDX-License-Identifier: Apache-2.0
 * float_text_f32.c - writes float32 as text. From 1e-6 to 2^23, where nearly all values are, it
 * needs no branch on the digits: the method is Schubfach (decimal.c) in 64-bit arithmetic, and
 * tests/core/text/prove_float_text.c compares every float32 with decimal.c. */
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/text/decimal.h"
#include "core/text/digits.h"
#include "core/text/float_text.h"
#include "core/text/powers.h"
#include "core/text/u128.h"

enum { /* bits of floats */
       BITS_MILLIONTH = 0x358637bd,
       BITS_ONE = 0x3f800000,
       BITS_2_23 = 0x4b000000,
       BITS_INFINITY = 0x7f800000
};

/* Nine digits d of the shortest decimal d * 10^k, with leading and trailing zeros. */
struct nine {
    uint64_t eight; /* eight digits in the form of digits.h */
    uint32_t last;
    int len; /* digits without trailing zeros */
    int k;
};

static inline struct nine find_nine(uint32_t bits)
{
    /* The float is c * 2^q, and c * scale = c * 2^q / 10^(k+1) has eight digits before the
     * point; the ninth digit is taken from its fraction. At most one decimal of eight digits is
     * nearer than half a unit of c; if there is one, it is the shortest. Both cannot be
     * half-way, so no tie arises here. */
    const uint64_t scale = powers_f32_scales[bits >> 23];
    const u128 product = (u128)scale * ((bits & 0x7fffff) | 0x800000);
    const uint64_t fraction = (uint64_t)product, half = scale >> 1;
    const uint32_t up = fraction >= 0 - half, down = fraction <= half;

    /* tenths: the fraction times ten, in units of 2^-60; rounded, ties to even. */
    const uint64_t tenths = (fraction >> 4) * 10;
    const uint64_t even = tenths >> 60 & 1;
    const uint32_t ninth = (uint32_t)((tenths + (UINT64_C(1) << 59) - 1 + even) >> 60);

    struct nine nine;
    nine.eight = digits_eight((uint32_t)(product >> 64) + up);
    nine.last = ninth & ((up | down) - 1);
    nine.len = digits_len(nine.eight | (uint64_t)nine.last << 56) + (nine.last > 0);
    nine.k = powers_floor_log10_of_2((int)(bits >> 23) - 150);
    return nine;
}

/* Writes 1e-6 <= x < 1. */
static inline char *write_fraction(char *out, uint32_t bits)
{
    const struct nine nine = find_nine(bits);

    /* There are -k places after the point. The first of the nine digits is in place p = -k - 8,
     * at out[2 + p - 1]; for k = -8, where p = 0 is the place of the point, this digit is 0. */
    const int first = -nine.k - 7;
    const uint64_t text = nine.eight | DIGITS_ZEROS, zeros = DIGITS_ZEROS;
    memcpy(out, &zeros, 8);
    memcpy(out + first, &text, 8);
    out[first + 8] = (char)('0' + nine.last);
    out[1] = '.';
    return out + first + nine.len;
}

/* Writes 1 <= x < 2^23. */
static inline char *write_mixed(char *out, uint32_t bits)
{
    const struct nine nine = find_nine(bits);
    const int lead = __builtin_ctzll(nine.eight) >> 3; /* leading zeros: 0 ... 2 */
    const int before = 9 + nine.k - lead;              /* digits before the point: 1 ... 8 */
    const int len = nine.len - lead;
    /* Writes nine bytes of text without the leading zeros, and the digits from the point on. */
    const uint64_t text = nine.eight | DIGITS_ZEROS, last = nine.last | '0';
    const uint64_t whole = text >> 8 * lead | last << 8 << (56 - 8 * lead);
    const uint64_t ninth = last >> 8 * lead;
    const uint64_t behind = whole >> 8 * (before - 1) >> 8 | ninth << (64 - 8 * before);

    memcpy(out, &whole, 8);
    out[before] = '.';
    memcpy(out + before + 1, &behind, 8);
    return out + (len > before ? len + 1 : before);
}

static inline __attribute__((always_inline)) char *write(char *out, uint32_t bits)
{
    const uint32_t size = bits & 0x7fffffff;

    *out = '-';
    out += bits >> 31;
    if (__builtin_expect(size - BITS_MILLIONTH < BITS_ONE - BITS_MILLIONTH, 1))
        return write_fraction(out, size);
    if (size - BITS_ONE < BITS_2_23 - BITS_ONE)
        return write_mixed(out, size);
    if (size == 0) {
        out -= bits >> 31;
        *out = '0';
        return out + 1;
    }
    assert(size < BITS_INFINITY);
    return decimal_write(out, decimal_f32(size));
}

char *float_text_f32(char *out, float value)
{
    uint32_t bits = 0;

    memcpy(&bits, &value, sizeof(bits));
    return write(out, bits);
}

char *float_text_f32_list(char *out, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = 0;

        memcpy(&bits, &values[i], sizeof(bits));
        out = write(out, bits);
        *out++ = ',';
    }
    return count > 0 ? out - 1 : out;
}
