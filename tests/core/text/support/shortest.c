/* SPDX-License-Identifier: Apache-2.0
 * shortest.c - the digits are taken out of the text and compared with printf("%.*e") with as
 * many digits and with one less; then the text is built again from them. */
#include "tests/core/text/support/shortest.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 64 };

struct judged {
    double value;
    bool narrow; /* read as float32 */
};

/* digits * 10^exponent, digits without zeros behind. */
struct number {
    uint64_t digits;
    int count, exponent;
};

static struct number read_number(const char *text)
{
    struct number number = {0};
    bool point = false;
    const char *at = text + (*text == '-');
    int zeros = 0;

    for (; (*at >= '0' && *at <= '9') || *at == '.'; at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        number.exponent -= point;
        zeros++;
        if (*at == '0')
            continue;
        for (; zeros > 0; zeros--)
            number.digits *= 10;
        number.digits += (uint64_t)(*at - '0');
    }
    number.exponent += zeros + (*at == 'e' ? (int)strtol(at + 1, NULL, 10) : 0);
    for (uint64_t rest = number.digits; rest > 0; rest /= 10)
        number.count++;
    return number;
}

static bool reads_back(const struct judged *judged, struct number number)
{
    char text[TEXT_SIZE];

    snprintf(text, sizeof(text), "%jue%d", (uintmax_t)number.digits, number.exponent);
    const double size = fabs(judged->value);
    return judged->narrow ? (double)strtof(text, NULL) == size : strtod(text, NULL) == size;
}

/* The nearest decimal of so many digits; trailing zeros stay away. */
static struct number nearest(const struct judged *judged, int count)
{
    char text[TEXT_SIZE];

    snprintf(text, sizeof(text), "%.*e", count - 1, fabs(judged->value));
    return read_number(text);
}

static bool same(struct number a, struct number b)
{
    return a.digits == b.digits && a.exponent == b.exponent;
}

/* The next larger decimal of `count` digits: above a power of two the interval is wider. */
static struct number above(struct number number, int count)
{
    for (; number.count < count; number.count++) {
        number.digits *= 10;
        number.exponent--;
    }
    number.digits++;
    return number;
}

static void lay_out(char text[TEXT_SIZE], bool minus, struct number number)
{
    char digits[24];

    snprintf(digits, sizeof(digits), "%ju", (uintmax_t)number.digits);
    const int count = number.count, point = count + number.exponent;
    const char *sign = minus ? "-" : "";
    if (point > 21 || point <= -6)
        snprintf(text, TEXT_SIZE, "%s%.1s%s%se%d", sign, digits, count > 1 ? "." : "",
                 digits + 1, point - 1);
    else if (point <= 0)
        snprintf(text, TEXT_SIZE, "%s0.%.*s%s", sign, -point, "00000", digits);
    else if (count <= point)
        snprintf(text, TEXT_SIZE, "%s%s%.*s", sign, digits, point - count,
                 "000000000000000000000");
    else
        snprintf(text, TEXT_SIZE, "%s%.*s.%s", sign, point, digits, digits + point);
}

static const char *judge(const struct judged *judged, const char *bytes, size_t len)
{
    char text[TEXT_SIZE], again[TEXT_SIZE];

    if (len == 0 || len >= sizeof(text))
        return "length";
    memcpy(text, bytes, len);
    text[len] = '\0';
    if (judged->value == 0)
        return strcmp(text, "0") == 0 ? NULL : "zero is 0";
    const struct number ours = read_number(text);
    if (!reads_back(judged, ours))
        return "does not read back";
    lay_out(again, judged->value < 0, ours);
    if (strcmp(text, again) != 0)
        return "not the form of ECMAScript";
    const struct number best = nearest(judged, ours.count);
    if (!same(ours, best) && reads_back(judged, best))
        return "not the nearest";
    if (!same(ours, best) && !same(ours, above(best, ours.count)))
        return "neither the nearest nor its neighbour";
    if (ours.count == 1)
        return NULL;
    const struct number shorter = nearest(judged, ours.count - 1);
    if (reads_back(judged, shorter) || reads_back(judged, above(shorter, ours.count - 1)))
        return "not the shortest";
    return NULL;
}

const char *shortest_fault_f32(float value, const char *text, size_t len)
{
    return judge(&(struct judged){.value = (double)value, .narrow = true}, text, len);
}

const char *shortest_fault_f64(double value, const char *text, size_t len)
{
    return judge(&(struct judged){.value = value}, text, len);
}
