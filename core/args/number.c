/* SPDX-License-Identifier: Apache-2.0
 * number.c - reads numbers of parameters strictly and prints them canonically. */
#include "core/args/number.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text/decimal.h"
#include "core/text/float_text.h"

_Static_assert((int)NUMBER_TEXT_MAX >= (int)FLOAT_TEXT_F64_MAX, "space to write one number");

static size_t digits(const char *text, size_t len)
{
    size_t n = 0;

    while (n < len && text[n] >= '0' && text[n] <= '9')
        n++;
    return n;
}

/* True when text[0..len) is a decimal number from start to end. */
static bool is_decimal(const char *text, size_t len)
{
    size_t at = 0, whole, fraction = 0, exponent;

    if (at < len && text[at] == '-')
        at++;
    whole = digits(text + at, len - at);
    at += whole;
    if (at < len && text[at] == '.') {
        fraction = digits(text + at + 1, len - at - 1);
        at += 1 + fraction;
    }
    if (whole + fraction == 0)
        return false;
    if (at < len && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        if (at < len && (text[at] == '+' || text[at] == '-'))
            at++;
        exponent = digits(text + at, len - at);
        if (exponent == 0)
            return false;
        at += exponent;
    }
    return at == len;
}

/* Finds the decimal point of printf and strtod: a caller of the library may have set a
 * locale. */
static size_t point_of_locale(char point[8])
{
    char half[16];
    size_t len = (size_t)snprintf(half, sizeof half, "%.1f", 0.5) - 2;

    assert(len < 8);
    memcpy(point, half + 1, len);
    return len;
}

/* Parses a number such as "123", as most are: strtod takes five hundred instructions for it. */
static bool parse_digits(const char *text, size_t len, double *value)
{
    int64_t number = 0;

    if (len == 0 || len > 15 || digits(text, len) != len)
        return false;
    for (size_t i = 0; i < len; i++)
        number = 10 * number + (text[i] - '0');
    *value = (double)number;
    return true;
}

bool number_parse(const char *text, size_t len, double *value)
{
    char copy[128]; /* strtod needs a NUL; no parameter has a longer number */
    const char *point;
    size_t whole, point_len;
    double number;

    if (parse_digits(text, len, value))
        return true;
    if (len == 0 || len >= sizeof copy - 8 || !is_decimal(text, len))
        return false;
    point = memchr(text, '.', len);
    whole = point ? (size_t)(point - text) : len;
    memcpy(copy, text, whole);
    if (whole < len) {
        point_len = point_of_locale(copy + whole);
        memcpy(copy + whole + point_len, text + whole + 1, len - whole - 1);
        len += point_len - 1;
    }
    copy[len] = '\0';
    number = strtod(copy, NULL);
    if (!isfinite(number))
        return false;
    *value = number;
    return true;
}

bool number_parse_whole(const char *text, size_t len, int64_t *value)
{
    bool negative = len > 0 && text[0] == '-';
    size_t at = negative;
    int64_t number = 0;

    if (at == len || digits(text + at, len - at) != len - at)
        return false;
    for (; at < len; at++)
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, text[at] - '0', &number) ||
            number > INT64_C(1) << 62)
            return false;
    *value = negative ? -number : number;
    return true;
}

/* Prints a whole number without snprintf, which takes 700 instructions: every request prints
 * its numbers. */
static size_t print_whole(char *text, int64_t value)
{
    char reversed[20];
    size_t count = 0, at = 0;
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;

    do
        reversed[count++] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0)
        text[at++] = '-';
    while (count > 0)
        text[at++] = reversed[--count];
    text[at] = '\0';
    return at;
}

size_t number_print(char text[NUMBER_TEXT_MAX], double value)
{
    uint64_t bits;
    char *end;

    assert(isfinite(value));
    if (value == trunc(value) && fabs(value) < 0x1p53)
        return print_whole(text, (int64_t)value);
    memcpy(&bits, &value, sizeof bits);
    if (bits << 12) {
        end = float_text_f64(text, value);
    } else { /* a power of two, which is printed as printf("%.*e") would */
        *text = '-';
        end = decimal_write(text + (value < 0), decimal_f64_rounded(bits & INT64_MAX));
    }
    *end = '\0';
    return (size_t)(end - text);
}
