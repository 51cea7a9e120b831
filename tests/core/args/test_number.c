/* SPDX-License-Identifier: Apache-2.0
 * test_number.c - numbers of parameters: where they end, and that they are printed as printf
 * prints them and read back. Single texts are rows of numbers.txt. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/number.h"
#include "core/encoding.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

START_TEST(a_number_ends_where_its_length_says)
{
    char many[300];
    double value;

    ck_assert(number_parse("12345", 3, &value));
    ck_assert(value == 123);
    ck_assert(!number_parse("12\0"
                            "3",
                            4, &value));
    ck_assert(!number_parse("\xc2\xa0"
                            "1",
                            3, &value));
    memset(many, '1', sizeof many); /* longer than anything a client means */
    ck_assert(!number_parse(many, sizeof many, &value));
}
END_TEST

START_TEST(a_printed_number_reads_back_to_the_same_bits)
{
    struct core_random random = {1};

    for (int i = 0; i < 20000; i++) {
        char text[NUMBER_TEXT_MAX];
        uint64_t bits = core_random_bits(&random);
        double value, again;

        memcpy(&value, &bits, sizeof value);
        if (i % 2)
            value = core_random_real(&random, -1e6, 1e6);
        if (!isfinite(value))
            continue;
        ck_assert(number_parse(text, number_print(text, value), &again));
        ck_assert_msg(memcmp(&again, &value, sizeof value) == 0, "%a", value);
    }
}
END_TEST

/* The canonical text by the C library alone: the fewest digits of printf that strtod reads back
 * to the value, laid out as ECMAScript does. Entity tags are made from these texts. */
static void print_slowly(char text[NUMBER_TEXT_MAX], double value)
{
    char scientific[40], figures[20] = "", *at = text;
    const size_t space = NUMBER_TEXT_MAX - 1;
    int precision = -1, count, point;

    do
        snprintf(scientific, sizeof scientific, "%.*e", ++precision, fabs(value));
    while (strtod(scientific, NULL) != fabs(value));
    figures[0] = scientific[0];
    memcpy(figures + 1, scientific + 2, (size_t)precision);
    point = (int)strtol(strchr(scientific, 'e') + 1, NULL, 10) + 1;
    for (count = precision + 1; count > 1 && figures[count - 1] == '0';)
        figures[--count] = '\0';
    at += snprintf(at, 2, "%s", value < 0 ? "-" : "");
    if (point > 21 || point < -5)
        snprintf(at, space, "%c%s%se%d", figures[0], count > 1 ? "." : "", figures + 1,
                 point - 1);
    else if (point <= 0)
        snprintf(at, space, "0.%.*s%s", -point, "00000", figures);
    else if (point >= count)
        snprintf(at, space, "%s%.*s", figures, point - count, "0000000000000000000000");
    else
        snprintf(at, space, "%.*s.%s", point, figures, figures + point);
}

static void expect_slow_text(double value)
{
    char text[NUMBER_TEXT_MAX], slow[NUMBER_TEXT_MAX];

    if (!isfinite(value))
        return;
    print_slowly(slow, value);
    ck_assert_uint_eq(number_print(text, value), strlen(slow));
    ck_assert_msg(strcmp(text, slow) == 0, "%a: %s, not %s", value, text, slow);
}

static void expect_neighbours(double value)
{
    expect_slow_text(value);
    expect_slow_text(-value);
    expect_slow_text(nextafter(value, 0));
    expect_slow_text(nextafter(value, INFINITY));
}

START_TEST(every_power_of_two_is_printed_as_printf_prints_it)
{
    for (int exponent = -1074; exponent < 1024; exponent++)
        expect_neighbours(ldexp(1, exponent));
}
END_TEST

START_TEST(short_decimals_are_printed_as_printf_prints_them)
{
    for (int exponent = -323; exponent < 309; exponent++) {
        for (int digits = 1; digits < 100; digits += 7) {
            char text[32];

            snprintf(text, sizeof text, "%de%d", digits, exponent);
            expect_neighbours(strtod(text, NULL));
        }
    }
}
END_TEST

START_TEST(random_numbers_are_printed_as_printf_prints_them)
{
    struct core_random random = {7};

    for (int i = 0; i < 20000; i++) {
        uint64_t bits = core_random_bits(&random);
        double value;

        bits &= i % 4 == 0 ? UINT64_C(0xfffffffffffff) : UINT64_MAX; /* subnormal */
        memcpy(&value, &bits, sizeof value);
        if (i % 4 == 1)
            value = (double)(float)core_random_real(&random, -1e6, 1e6);
        if (i % 4 == 2)
            value = (double)bits; /* whole, mostly beyond 2^53 */
        expect_slow_text(value);
    }
}
END_TEST

SUITE(number, TEST(a_number_ends_where_its_length_says),
      TEST(every_power_of_two_is_printed_as_printf_prints_it),
      TEST(short_decimals_are_printed_as_printf_prints_them),
      TEST(random_numbers_are_printed_as_printf_prints_them),
      TEST(a_printed_number_reads_back_to_the_same_bits));
