/* SPDX-License-Identifier: Apache-2.0
 * decimal_text.c - lays decimals out as Number::toString of ECMAScript does. */
#include <stdbool.h>
#include <string.h>

#include "core/text/decimal.h"
#include "core/text/digits.h"

enum { DIGITS_MAX = 17 }; /* the most digits of a decimal */

/* Writes the digits of n < 10^17 without zeros at either end; *zeros counts the zeros that were
 * left out at the end. */
static size_t write_digits(char digits[DIGITS_MAX], uint64_t n, int *zeros)
{
    char all[DIGITS_MAX];
    const uint64_t high = n / 100000000, top = high / 100000000;
    const uint64_t middle = digits_eight((uint32_t)(high % 100000000)) | DIGITS_ZEROS;
    const uint64_t low = digits_eight((uint32_t)(n % 100000000)) | DIGITS_ZEROS;

    all[0] = (char)('0' + top);
    memcpy(all + 1, &middle, 8);
    memcpy(all + 9, &low, 8);
    size_t first = 0, end = DIGITS_MAX;
    while (all[first] == '0')
        first++;
    while (all[end - 1] == '0')
        end--;
    *zeros = (int)(DIGITS_MAX - end);
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

/* Writes 0.d1d2...dn * 10^point. */
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

char *decimal_write(char *out, struct decimal decimal)
{
    char digits[DIGITS_MAX];
    int zeros = 0;
    const size_t n = write_digits(digits, decimal.digits, &zeros);

    return lay_out(out, digits, n, (int)n + zeros + decimal.exponent);
}
