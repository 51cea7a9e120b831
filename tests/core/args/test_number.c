/* SPDX-License-Identifier: Apache-2.0
 * test_number.c - numbers of parameters: what is read, what is not, and how they are said. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/number.h"
#include "core/encoding.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

static const struct {
    const char *text;
    double value;
} good[] = {
    {"0", 0},        {"-0", -0.0},
    {"7", 7},        {"007", 7},
    {"1.5", 1.5},    {".5", 0.5},
    {"5.", 5},       {"-.25", -0.25},
    {"1e3", 1000},   {"1E+3", 1000},
    {"25e-2", 0.25}, {"1e308", 1e308},
    {"1e-400", 0},   {"4.9e-324", 0x1p-1074},
    {"0.1", 0.1},    {"9007199254740993", 9007199254740992.0}, /* a tie, to even */
};

START_TEST(decimal_numbers_are_read)
{
    double value = NAN;

    ck_assert(number_parse(good[_i].text, strlen(good[_i].text), &value));
    ck_assert_msg(value == good[_i].value && !signbit(value) == !signbit(good[_i].value),
                  "%s: %.17g", good[_i].text, value);
}
END_TEST

static const char *const bad[] = {
    "",
    " 1",
    "1 ",
    "+1",
    "--1",
    "-",
    ".",
    "e5",
    "1e",
    "1e+",
    "0x10",
    "1,5",
    "1_000",
    "inf",
    "nan",
    "1f",
    "1.2.3",
    "1e400",
    "-1e999",
    "Infinity",
    "1e5.5",
    ("\xc2\xa0"
     "1"),
};

START_TEST(other_texts_are_no_numbers)
{
    double value = 7;

    ck_assert_msg(!number_parse(bad[_i], strlen(bad[_i]), &value), "%s", bad[_i]);
    ck_assert(value == 7);
}
END_TEST

START_TEST(a_number_ends_where_it_is_told)
{
    char many[300];
    double value;

    ck_assert(number_parse("12345", 3, &value));
    ck_assert(value == 123);
    ck_assert(!number_parse("12\0"
                            "3",
                            4, &value));
    memset(many, '1', sizeof many); /* longer than anything a client means */
    ck_assert(!number_parse(many, sizeof many, &value));
}
END_TEST

static const struct {
    const char *text;
    bool fits;
    int64_t value;
} wholes[] = {
    {"0", true, 0},
    {"-5", true, -5},
    {"0012", true, 12},
    {"4611686018427387904", true, INT64_C(1) << 62},
    {"-4611686018427387904", true, -(INT64_C(1) << 62)},
    {"4611686018427387905", false, 0},
    {"18446744073709551617", false, 0}, /* 2^64 + 1 */
    {"46116860184273879040", false, 0},
    {"99999999999999999999999999999999", false, 0},
    {"", false, 0},
    {"-", false, 0},
    {"+1", false, 0},
    {"1.0", false, 0},
    {"1e3", false, 0},
    {"--1", false, 0},
    {" 1", false, 0},
};

START_TEST(whole_numbers_are_read_or_refused_never_wrapped)
{
    int64_t value = 77;

    ck_assert_msg(number_parse_whole(wholes[_i].text, strlen(wholes[_i].text), &value) ==
                      wholes[_i].fits,
                  "%s", wholes[_i].text);
    ck_assert_int_eq(value, wholes[_i].fits ? wholes[_i].value : 77);
}
END_TEST

static const struct {
    double value;
    const char *text;
} said[] = {
    {0, "0"},
    {-0.0, "0"},
    {10000, "10000"},
    {-3, "-3"},
    {0.1, "0.1"},
    {-0.5, "-0.5"},
    {1.5, "1.5"},
    {1e21, "1e21"},
    {1e20, "100000000000000000000"},
    {123456789012345680000.0, "123456789012345680000"},
    {1.5e22, "1.5e22"},
    {-1.5e300, "-1.5e300"},
    {1e-6, "0.000001"},
    {1.25e-6, "0.00000125"},
    {1e-7, "1e-7"},
    {1.5e-10, "1.5e-10"},
    {0x1p53, "9007199254740992"},
    {-0x1p53, "-9007199254740992"},
    {0x1p54, "18014398509481984"},
    {3.141592653589793, "3.141592653589793"},
    {0x1p-1074, "5e-324"},
    {DBL_MAX, "1.7976931348623157e308"},
    {1.0 / 3, "0.3333333333333333"},
    {123.456, "123.456"},
};

START_TEST(numbers_are_said_in_one_short_way)
{
    char text[NUMBER_TEXT_MAX];

    ck_assert_uint_eq(number_print(text, said[_i].value), strlen(said[_i].text));
    ck_assert_str_eq(text, said[_i].text);
}
END_TEST

START_TEST(what_is_said_reads_back_to_the_same_bits)
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
    const size_t room = NUMBER_TEXT_MAX - 1;
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
        snprintf(at, room, "%c%s%se%d", figures[0], count > 1 ? "." : "", figures + 1,
                 point - 1);
    else if (point <= 0)
        snprintf(at, room, "0.%.*s%s", -point, "00000", figures);
    else if (point >= count)
        snprintf(at, room, "%s%.*s", figures, point - count, "0000000000000000000000");
    else
        snprintf(at, room, "%.*s.%s", point, figures, figures + point);
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

START_TEST(every_power_of_two_is_said_as_printf_says_it)
{
    for (int exponent = -1074; exponent < 1024; exponent++)
        expect_neighbours(ldexp(1, exponent));
}
END_TEST

START_TEST(short_decimals_are_said_as_printf_says_them)
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

START_TEST(random_numbers_are_said_as_printf_says_them)
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

static const struct suite_test tests[] = {
    TEST_EACH(decimal_numbers_are_read, good),
    TEST_EACH(other_texts_are_no_numbers, bad),
    TEST(a_number_ends_where_it_is_told),
    TEST_EACH(whole_numbers_are_read_or_refused_never_wrapped, wholes),
    TEST_EACH(numbers_are_said_in_one_short_way, said),
    TEST(every_power_of_two_is_said_as_printf_says_it),
    TEST(short_decimals_are_said_as_printf_says_them),
    TEST(random_numbers_are_said_as_printf_says_them),
    TEST(what_is_said_reads_back_to_the_same_bits),
};

const struct suite number_suite = {SUITE_TESTS(tests)};
