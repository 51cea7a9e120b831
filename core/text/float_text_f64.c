/* SPDX-License-Identifier: Apache-2.0
 * float_text_f64.c - writes float64 as text by the method of float_text_f32.c, with seventeen
 * digits instead of nine, for values from 1e-6 to 2^52. */
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/text/decimal.h"
#include "core/text/digits.h"
#include "core/text/float_text.h"
#include "core/text/powers.h"
#include "core/text/u128.h"

#define BITS_MILLIONTH UINT64_C(0x3eb0c6f7a0b5ed8d)
#define BITS_ONE UINT64_C(0x3ff0000000000000)
#define BITS_2_52 UINT64_C(0x4330000000000000)
#define BITS_INFINITY UINT64_C(0x7ff0000000000000)

/* Seventeen digits d of the shortest decimal d * 10^k, with leading and trailing zeros. */
struct seventeen {
    uint64_t high, low; /* eight digits each */
    uint64_t last;
    int len; /* digits without trailing zeros */
    int k;
};

static inline struct seventeen find_seventeen(uint64_t bits)
{
    const int q = (int)(bits >> 52) - 1075, k = powers_floor_log10_of_2(q);
    const struct power_of_ten power = powers_of_ten[-k - POWERS_MIN];
    const int shift = q + powers_exponent(-k); /* 1 ... 4 */
    const uint64_t c = ((bits & 0xfffffffffffff) | UINT64_C(1) << 52) << shift;

    /* c * 2^q / 10^k = whole + fraction / 2^128; half: 2^q / 10^k / 2, in units of 2^-124. */
    const u128 low = (u128)power.low * c, top = (u128)power.high * c + (uint64_t)(low >> 64);
    const uint64_t whole = (uint64_t)(top >> 64), tens = whole / 10, digit = whole - tens * 10;
    const u128 fraction = (u128)(uint64_t)top << 64 | (uint64_t)low;
    const u128 half = ((u128)power.high << 64 | power.low) >> (5 - shift);
    const u128 rest = (u128)digit << 124 | fraction >> 4;
    const uint64_t up = ((u128)10 << 124) - rest <= half, down = rest <= half;
    const uint64_t above = fraction > ((u128)1 << 127) - (digit & 1); /* ties to even */

    struct seventeen all;
    const uint64_t sixteen = tens + up, high = sixteen / 100000000;
    all.high = digits_eight((uint32_t)high);
    all.low = digits_eight((uint32_t)(sixteen - high * 100000000));
    all.last = (digit + above) & ((up | down) - 1);
    const int is_long = -(int)((all.last + 15) >> 4); /* all bits, if the last is not 0 */
    const int len = all.low != 0 ? 8 + digits_len(all.low) : digits_len(all.high);
    all.len = len + ((17 - len) & is_long);
    all.k = k;
    return all;
}

/* Writes 1e-6 <= x < 1; see float_text_f32.c. */
static inline char *write_fraction(char *out, uint64_t bits)
{
    const struct seventeen all = find_seventeen(bits);
    const int first = -all.k - 15;
    const uint64_t high = all.high | DIGITS_ZEROS, low = all.low | DIGITS_ZEROS;
    const uint64_t zeros = DIGITS_ZEROS;

    memcpy(out, &zeros, 8);
    memcpy(out + first, &high, 8);
    memcpy(out + first + 8, &low, 8);
    out[first + 16] = (char)('0' + all.last);
    out[1] = '.';
    return out + first + all.len;
}

/* Writes 1 <= x < 2^52. */
static inline char *write_mixed(char *out, uint64_t bits)
{
    const struct seventeen all = find_seventeen(bits);
    const int lead = __builtin_ctzll(all.high) >> 3; /* leading zeros: 0 or 1 */
    const int before = 17 + all.k - lead;            /* digits before the point: 1 ... 16 */
    const int len = all.len - lead;
    const uint64_t high = all.high | DIGITS_ZEROS, low = all.low | DIGITS_ZEROS;
    char text[40]; /* 17 digits, and the bytes that are read beyond them */

    memcpy(text, &high, 8);
    memcpy(text + 8, &low, 8);
    text[16] = (char)('0' + all.last);
    memcpy(out, text + lead, 16);
    out[before] = '.';
    memcpy(out + before + 1, text + lead + before, 16);
    return out + (len > before ? len + 1 : before);
}

static inline char *write(char *out, uint64_t bits)
{
    const uint64_t size = bits & INT64_MAX;

    *out = '-';
    out += bits >> 63;
    if (size - BITS_MILLIONTH < BITS_ONE - BITS_MILLIONTH)
        return write_fraction(out, size);
    if (size - BITS_ONE < BITS_2_52 - BITS_ONE)
        return write_mixed(out, size);
    if (size == 0) {
        out -= bits >> 63;
        *out = '0';
        return out + 1;
    }
    assert(size < BITS_INFINITY);
    return decimal_write(out, decimal_f64(size));
}

char *float_text_f64(char *out, double value)
{
    uint64_t bits = 0;

    memcpy(&bits, &value, sizeof(bits));
    return write(out, bits);
}

char *float_text_f64_list(char *out, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = 0;

        memcpy(&bits, &values[i], sizeof(bits));
        out = write(out, bits);
        *out++ = ',';
    }
    return count > 0 ? out - 1 : out;
}
