/* SPDX-License-Identifier: Apache-2.0
 * float_text.c - decimals laid out as ECMAScript does, and lists of them. */
#include "proto/text/float_text.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "proto/text/decimal.h"

enum { DIGITS_ROOM = 24 }; /* 17 digits and what whole-word stores write behind them */

static const uint64_t ASCII_ZEROS = 0x3030303030303030;

/* Eight decimal digits of n < 10^8, one a byte, the first in the lowest byte: halves, then
 * quarters, then digits, divided side by side in one word. */
static inline uint64_t eight_digits(uint32_t n)
{
    const uint64_t high = ((uint64_t)n * 3518437209u) >> 45; /* n / 10^4 */
    const uint64_t fours = high | (n - high * 10000) << 32;
    const uint64_t hundreds = ((fours * 10486) >> 20) & 0x0000007f0000007f; /* / 100 */
    const uint64_t twos = (fours << 16) - hundreds * ((100 << 16) - 1);
    const uint64_t tens = ((twos * 103) >> 10) & 0x000f000f000f000f; /* / 10 */
    return (twos << 8) - tens * ((10 << 8) - 1);
}

/* Digits of n < 10^17 without zeros at either end; *zeros: those left out at the end. */
static size_t write_digits(char digits[DIGITS_ROOM], uint64_t n, int *zeros)
{
    char all[DIGITS_ROOM];
    const uint64_t high = n / 100000000, top = high / 100000000;
    const uint64_t middle_text = eight_digits((uint32_t)(high % 100000000)) | ASCII_ZEROS;
    const uint64_t low_text = eight_digits((uint32_t)(n % 100000000)) | ASCII_ZEROS;
    all[0] = (char)('0' + top);
    memcpy(all + 1, &middle_text, 8);
    memcpy(all + 9, &low_text, 8);
    size_t first = 0, end = 17;
    while (all[first] == '0')
        first++;
    while (all[end - 1] == '0')
        end--;
    *zeros = (int)(17 - end);
    memcpy(digits, all + first, end - first);
    return end - first;
}

static char *write_exponent(char *out, int exponent)
{
    *out++ = 'e';
    if (exponent < 0)
        *out++ = '-';
    const unsigned size = (unsigned)(exponent < 0 ? -exponent : exponent);
    if (size >= 100)
        *out++ = (char)('0' + size / 100);
    if (size >= 10)
        *out++ = (char)('0' + size / 10 % 10);
    *out++ = (char)('0' + size % 10);
    return out;
}

/* 0.d1d2...dn * 10^point as text (ECMAScript, Number::toString). */
static char *lay_out(char *out, const char *digits, size_t n, int point)
{
    if (point > 21 || point <= -6) {
        *out++ = digits[0];
        if (n > 1) {
            *out++ = '.';
            memcpy(out, digits + 1, n - 1);
            out += n - 1;
        }
        return write_exponent(out, point - 1);
    }
    if (point <= 0) {
        memcpy(out, "0.00000", 7);
        memcpy(out + 2 - point, digits, n);
        return out + 2 - point + n;
    }
    const size_t before = (size_t)point;
    if (n <= before) {
        memcpy(out, digits, n);
        memset(out + n, '0', before - n);
        return out + before;
    }
    memcpy(out, digits, before);
    out[before] = '.';
    memcpy(out + before + 1, digits + before, n - before);
    return out + n + 1;
}

static char *write_decimal(char *out, struct decimal decimal)
{
    char digits[DIGITS_ROOM];
    int zeros = 0;
    const size_t n = write_digits(digits, decimal.digits, &zeros);
    return lay_out(out, digits, n, (int)n + zeros + decimal.exponent);
}

char *float_text_f32(char *out, float value)
{
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof(bits));
    const uint32_t size = bits & 0x7fffffff;
    assert(size < 0x7f800000);
    *out = size == 0 ? '0' : '-';
    if (size == 0)
        return out + 1;
    return write_decimal(out + (bits >> 31), decimal_f32(size));
}

char *float_text_f64(char *out, double value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof(bits));
    const uint64_t size = bits & INT64_MAX;
    assert(size < (uint64_t)0x7ff << 52);
    *out = size == 0 ? '0' : '-';
    if (size == 0)
        return out + 1;
    return write_decimal(out + (bits >> 63), decimal_f64(size));
}

char *float_text_f32_list(char *out, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        out = float_text_f32(out, values[i]);
        *out++ = ',';
    }
    return count > 0 ? out - 1 : out;
}

char *float_text_f64_list(char *out, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        out = float_text_f64(out, values[i]);
        *out++ = ',';
    }
    return count > 0 ? out - 1 : out;
}
