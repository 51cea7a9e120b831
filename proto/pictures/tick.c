/* SPDX-License-Identifier: Apache-2.0
 * tick.c - see tick.h. */
#include "proto/pictures/tick.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MINUS "\xe2\x88\x92"
#define THIN_SPACE "\xe2\x80\xaf"
#define INFINITE "\xe2\x88\x9e"
#define TIMES "\xc3\x97"

/* Returns number * 10^power, rounded once where 10^|power| is exact. */
static double scaled(double number, int power)
{
    return power < 0 ? number / pow(10, -power) : number * pow(10, power);
}

size_t tick_linear(double low, double high, double about, bool whole, double ticks[TICK_MAX])
{
    static const double factors[] = {1, 2, 5};
    const double rough = high > low ? (high - low) / about : 1;
    const double slack = 1e-9;
    int power = (int)floor(log10(rough));
    size_t factor = 0, count = 0;

    if (whole && power < 0)
        power = 0;
    while (scaled(factors[factor], power) < rough * (1 - slack)) {
        factor = (factor + 1) % 3;
        power += factor == 0;
    }
    const double step = scaled(factors[factor], power);
    const double first = ceil(low / step - slack), last = floor(high / step + slack);
    for (double i = first; i <= last && count < TICK_MAX; i++)
        ticks[count++] = i == 0 ? 0 : scaled(i * factors[factor], power);
    return count;
}

size_t tick_decades(double low, double high, double about, double ticks[TICK_MAX])
{
    static const double all[] = {1, 2, 5};
    const double from = log10(low), to = log10(high);
    const double slack = 1e-9;
    const int first = (int)floor(from + slack), last = (int)floor(to + slack);
    const size_t factors = to - from < 2 ? 3 : 1;
    const int step = (int)ceil((last - first) / about);
    size_t count = 0;

    for (int power = first; power <= last; power++) {
        for (size_t i = 0; i < factors && count < TICK_MAX; i++) {
            const double at = power + log10(all[i]);

            if (at >= from - slack && at <= to + slack && (step <= 1 || power % step == 0))
                ticks[count++] = scaled(all[i], power);
        }
    }
    return count;
}

/* Adds a text at *at and moves *at to its end. */
static void add(char **at, const char *text)
{
    const size_t len = strlen(text);

    memcpy(*at, text, len + 1);
    *at += len;
}

/* Adds digits with their signs and a decimal point, in groups of three where five digits and
 * more stand before the point. */
static void add_plain(char **at, const char *plain)
{
    const size_t whole = strspn(plain, "0123456789");

    for (size_t i = 0; plain[i] != '\0'; i++) {
        if (whole > 4 && i > 0 && i < whole && (whole - i) % 3 == 0)
            add(at, THIN_SPACE);
        *(*at)++ = plain[i];
    }
    **at = '\0';
}

static void add_power(char **at, int power)
{
    static const char *const digits[] = {
        "\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",     "\xe2\x81\xb4",
        "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7", "\xe2\x81\xb8", "\xe2\x81\xb9",
    };
    char plain[16];

    snprintf(plain, sizeof plain, "%d", abs(power));
    add(at, "10");
    add(at, power < 0 ? "\xe2\x81\xbb" : "");
    for (const char *c = plain; *c != '\0'; c++)
        add(at, digits[*c - '0']);
}

/* Cuts the zeros at the end of a fraction. */
static void trim(char *plain)
{
    char *end = plain + strlen(plain);

    if (!strchr(plain, '.'))
        return;
    while (end[-1] == '0')
        end--;
    end -= end[-1] == '.';
    *end = '\0';
}

const char *tick_print(double value, int digits, char text[TICK_TEXT_SIZE])
{
    const double size = fabs(value);
    char *at = text, scientific[40], plain[40];

    add(&at, value < 0 ? MINUS : "");
    if (!isfinite(value)) {
        add(&at, isnan(value) ? "NaN" : INFINITE);
        return text;
    }
    snprintf(scientific, sizeof scientific, "%.*e", digits - 1, size);
    char *e = strchr(scientific, 'e');
    const int power = (int)strtol(e + 1, NULL, 10);
    if (size == 0 || (power >= -3 && power < 6)) {
        snprintf(plain, sizeof plain, "%.*f", digits - 1 - power > 0 ? digits - 1 - power : 0,
                 size);
        trim(plain);
        add_plain(&at, plain);
        return text;
    }
    *e = '\0';
    trim(scientific);
    if (strcmp(scientific, "1") != 0) {
        add_plain(&at, scientific);
        add(&at, TIMES);
    }
    add_power(&at, power);
    return text;
}

const char *tick_print_power(double value, char text[TICK_TEXT_SIZE])
{
    char *at = text;

    add_power(&at, (int)lround(log10(value)));
    return text;
}
