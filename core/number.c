/* SPDX-License-Identifier: Apache-2.0
 * number.c - numbers of parameters: read strictly, printed canonically. */
#include "core/number.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t digits(const char *text, size_t len)
{
    size_t n = 0;

    while (n < len && text[n] >= '0' && text[n] <= '9')
        n++;
    return n;
}

/* Length of the number's text if it is one from start to end. */
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

/* What printf and strtod take for the point: a caller of the library may have set a locale. */
static size_t point_of_locale(char point[8])
{
    char half[16];
    size_t len = (size_t)snprintf(half, sizeof half, "%.1f", 0.5) - 2;

    assert(len < 8);
    memcpy(point, half + 1, len);
    return len;
}

/* "123", as most parameters are: strtod takes five hundred instructions for it. */
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
    char copy[128]; /* strtod wants a NUL; longer numbers are nobody's parameter */
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
    for (; at < len; at++) {
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, text[at] - '0', &number) ||
            number > INT64_C(1) << 62)
            return false;
    }
    *value = negative ? -number : number;
    return true;
}

/* Digits d1d2... with the point after `point` of them, as ECMAScript writes it. */
static size_t lay_out(char *text, bool negative, const char *figures, int count, int point)
{
    char *at = text;

    if (negative)
        *at++ = '-';
    if (point > 21 || point < -5) {
        *at++ = figures[0];
        if (count > 1)
            at += snprintf(at, 24, ".%.*s", count - 1, figures + 1);
        at += snprintf(at, 8, "e%d", point - 1);
    } else if (point <= 0) {
        at += snprintf(at, 32, "0.%.*s%.*s", -point, "00000", count, figures);
    } else if (point >= count) {
        at += snprintf(at, 32, "%.*s%.*s", count, figures, point - count,
                       "0000000000000000000000");
    } else {
        at += snprintf(at, 32, "%.*s.%.*s", point, figures, count - point, figures + point);
    }
    return (size_t)(at - text);
}

/* snprintf takes 700 instructions for this, and every request prints its numbers. */
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
    char scientific[40], figures[20];
    int precision = 0, count, exponent;
    const char *mark;

    assert(isfinite(value));
    if (value == trunc(value) && fabs(value) < 0x1p53)
        return print_whole(text, (int64_t)value);
    do /* the fewest digits that read back to the same double: at most 17 */
        snprintf(scientific, sizeof scientific, "%.*e", precision, fabs(value));
    while (strtod(scientific, NULL) != fabs(value) && ++precision < 17);
    mark = strchr(scientific, 'e');
    exponent = (int)strtol(mark + 1, NULL, 10);
    figures[0] = scientific[0];
    memcpy(figures + 1, mark - precision, (size_t)precision); /* without the point */
    count = precision + 1;
    while (count > 1 && figures[count - 1] == '0')
        count--;
    figures[count] = '\0';
    return lay_out(text, value < 0, figures, count, exponent + 1);
}
