/* SPDX-License-Identifier: Apache-2.0
 * test_json_numbers.c - tests random numbers against strtod, numbers that are cut or
 * long, and lists of numbers; json_numbers.txt has numbers one by one. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/json_numbers.h"
#include "tests/support/suite.h"

enum { TEXT_SIZE = 1200 };

/* Checks that the text is one number, which reads as the C library reads it, to the bit. */
static void judge(const char *number)
{
    char text[TEXT_SIZE];
    const size_t len = strlen(number);
    const char *next = NULL;
    double value = 1, want = strtod(number, NULL);

    memcpy(text, number, len);
    text[len] = ',';
    enum json_numbers_state state = json_numbers_f64(text, text + len + 1, &value, &next);
    ck_assert_msg(state == (isinf(want) ? JSON_NUMBERS_HUGE : JSON_NUMBERS_OK), "%s", number);
    ck_assert_ptr_eq(next, text + len);
    if (isfinite(want))
        ck_assert_msg(memcmp(&value, &want, sizeof(value)) == 0, "%s: %a, not %a", number,
                      value, want);
}

static uint64_t draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * UINT64_C(2685821657736338717);
}

START_TEST(random_numbers_are_rounded_once)
{
    uint64_t state = 42;
    char text[TEXT_SIZE];

    for (int i = 0; i < 20000; i++) {
        uint64_t bits = draw(&state);
        double any = 0;

        memcpy(&any, &bits, sizeof(any));
        if (isfinite(any)) {
            snprintf(text, sizeof(text), "%.*e", (int)(draw(&state) % 30), any);
            judge(text);
        }
        bits &= (UINT64_C(1) << 52) - 1; /* makes the number subnormal */
        memcpy(&any, &bits, sizeof(any));
        snprintf(text, sizeof(text), "%.*e", (int)(draw(&state) % 760), any);
        judge(text);
        snprintf(text, sizeof(text), "%ju.%jue%d", (uintmax_t)(draw(&state) >> (i % 64)),
                 (uintmax_t)(draw(&state) >> (i % 61)), (int)(draw(&state) % 700) - 350);
        judge(text);
        snprintf(text, sizeof(text), "%.9g", sin(i));
        judge(text);
    }
}
END_TEST

START_TEST(numbers_between_two_doubles_are_rounded_once)
{
    uint64_t state = 43;
    char text[TEXT_SIZE];

    for (int i = 0; i < 20000; i++) {
        const uint64_t bits = draw(&state);
        double below = 0;

        memcpy(&below, &bits, sizeof(below));
        const double above = nextafter(below, INFINITY);
        if (!isfinite(below) || !isfinite(above))
            continue;
        snprintf(text, sizeof(text), "%.*Le", (int)(draw(&state) % 780),
                 ((long double)below + (long double)above) / 2);
        judge(text);
    }
}
END_TEST

/* Checks that the text is BAD at `at`, with that sentence. */
static void refuse(const char *text, ptrdiff_t at, const char *fault)
{
    const char *end = text + strlen(text), *next = NULL;
    double value = 7;

    ck_assert_msg(json_numbers_f64(text, end, &value, &next) == JSON_NUMBERS_BAD, "%s", text);
    ck_assert_msg(next - text == at, "%s: at %td", text, next - text);
    ck_assert_str_eq(json_numbers_fault(text, end), fault);
    ck_assert(value == 7);
}

START_TEST(a_number_at_the_end_of_the_piece_may_go_on)
{
    const char *text = "-12.75e+31";

    for (size_t len = 0; len <= strlen(text); len++) {
        const char *next = NULL;
        double value = 7;

        ck_assert_int_eq(json_numbers_f64(text, text + len, &value, &next), JSON_NUMBERS_CUT);
        ck_assert_ptr_eq(next, text);
        ck_assert(value == 7);
    }
}
END_TEST

START_TEST(numbers_have_at_most_1000_characters)
{
    char text[JSON_NUMBERS_MAX_LEN + 3] = "0.";

    memset(text + 2, '1', JSON_NUMBERS_MAX_LEN - 2);
    text[JSON_NUMBERS_MAX_LEN] = '\0';
    judge(text);
    text[JSON_NUMBERS_MAX_LEN] = '1';
    text[JSON_NUMBERS_MAX_LEN + 1] = ',';
    text[JSON_NUMBERS_MAX_LEN + 2] = '\0';
    refuse(text, JSON_NUMBERS_MAX_LEN, "a number has at most 1000 characters");
}
END_TEST

static size_t count_list(const char *text)
{
    double values[8];
    const char *next = NULL;

    return json_numbers_f64_list(text, text + strlen(text), values, 8, &next);
}

START_TEST(lists_stop_where_no_comma_follows)
{
    const char *text = "1,2.5 ,\n -3e2,\t4 ]";
    double values[8] = {0};
    const char *next = NULL;

    ck_assert_uint_eq(json_numbers_f64_list(text, text + strlen(text), values, 8, &next), 3);
    ck_assert_str_eq(next, "4 ]");
    ck_assert(values[0] == 1 && values[1] == 2.5 && values[2] == -300);
    ck_assert_uint_eq(json_numbers_f64_list(text, text + strlen(text), values, 2, &next), 2);
    ck_assert_str_eq(next, "-3e2,\t4 ]");
    ck_assert_uint_eq(json_numbers_f64_list(text, text + 3, values, 8, &next), 1);
    ck_assert_ptr_eq(next, text + 2);
    ck_assert_uint_eq(count_list("1,01,"), 1);
    ck_assert_uint_eq(count_list("1 2,"), 0);
    ck_assert_uint_eq(count_list("1e999,"), 0);
}
END_TEST

static const struct suite_test values_tests[] = {
    TEST(random_numbers_are_rounded_once),
    TEST(numbers_between_two_doubles_are_rounded_once),
};

static const struct suite_test grammar_tests[] = {
    TEST(a_number_at_the_end_of_the_piece_may_go_on),
    TEST(numbers_have_at_most_1000_characters),
    TEST(lists_stop_where_no_comma_follows),
};

static const struct suite grammar_case = {SUITE_TESTS(grammar_tests)};
const struct suite json_numbers_suite = {SUITE_TESTS(values_tests), .timeout = 60,
                                         .next = &grammar_case};
