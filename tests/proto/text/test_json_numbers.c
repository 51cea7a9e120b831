/* SPDX-License-Identifier: Apache-2.0
 * test_json_numbers.c - tests which texts are numbers, that their floats are those of strtod
 * and strtof, and lists of numbers. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/json_numbers.h"
#include "tests/support/suite.h"

enum { TEXT_SIZE = 1200 };

/* Checks that the text is one number, and both readers agree with the C library to the bit. */
static void judge(const char *number)
{
    char text[TEXT_SIZE];
    const size_t len = strlen(number);
    const char *next = NULL;
    double value = 1, want = strtod(number, NULL);
    float narrow = 1, want_narrow = strtof(number, NULL);

    memcpy(text, number, len);
    text[len] = ',';
    enum json_numbers_state state = json_numbers_f64(text, text + len + 1, &value, &next);
    ck_assert_msg(state == (isinf(want) ? JSON_NUMBERS_HUGE : JSON_NUMBERS_OK), "%s", number);
    ck_assert_ptr_eq(next, text + len);
    if (isfinite(want))
        ck_assert_msg(memcmp(&value, &want, sizeof(value)) == 0, "%s: %a, not %a", number,
                      value, want);
    state = json_numbers_f32(text, text + len + 1, &narrow, &next);
    ck_assert_msg(state == (isinf(want_narrow) ? JSON_NUMBERS_HUGE : JSON_NUMBERS_OK), "%s",
                  number);
    ck_assert_ptr_eq(next, text + len);
    if (isfinite(want_narrow))
        ck_assert_msg(memcmp(&narrow, &want_narrow, sizeof(narrow)) == 0, "%s: %a, not %a",
                      number, (double)narrow, (double)want_narrow);
}

static uint64_t draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * UINT64_C(2685821657736338717);
}

START_TEST(plain_numbers_are_read)
{
    static const char *const numbers[] = {
        "0",
        "-0",
        "0.0",
        "-0.0e5",
        "1",
        "-1",
        "10",
        "0.1",
        "12.5",
        "1e5",
        "1E5",
        "1e+5",
        "1e-5",
        "1.5e0",
        "0e999999999999",
        "123456789012345678",
        "0.000000000000000000000000001",
        "100000000000000000000000000000",
        "1.0000000000000000000000000000001",
        "1e0000000001",
        "12345678",
        "123456789",
        "0.12345678",
        "0.123456789",
        "1234567812345678.5",
    };

    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        judge(numbers[i]);
}
END_TEST

START_TEST(the_edges_of_the_range_are_exact)
{
    static const char *const numbers[] = {
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1e309",
        "-1e309",
        "1e400",
        "1e999999999",
        "1e-400",
        "-1e-999999999",
        "5e-324",
        "2.5e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.47032822920623272088284e-324",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "2.2250738585072014e-308",
        "3.4028234664e38",
        "3.4028235e38",
        "3.40282356779733661637539395458142568447e38",
        "3.40282356779733661637539395458142568448e38",
        "3.4028236e38",
        "1.1754943e-38",
        "1.17549435e-38",
        "7.0064923216240853e-46",
        "7.0064923216240854e-46",
        "1e-45",
        "1e-46",
        "99999999999999999999e289",
        "18446744073709551615",
        "18446744073709551616",
        "18446744073709551615e-343",
        "18446744073709551615e-344",
        "1e-342",
        "1e-343",
    };

    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        judge(numbers[i]);
}
END_TEST

START_TEST(halfway_cases_go_to_even)
{
    static const char *const numbers[] = {
        "9007199254740993",
        "9007199254740995",
        "9007199254740993.0",
        "9007199254740993.00000000000000000000000000000001",
        "9007199254740992.99999999999999",
        "90071992547409930e-1",
        "0.500000000000000055511151231257827021181583404541015625",
        "0.500000000000000166533453693773481063544750213623046875",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
        "16777217",
        "16777219",
        "1.000000059604644775390625",
        "1.00000005960464477539",
        "1.000000059604644775390626",
        "1.00000017881393432617187499",
        "1.00000017881393432617187500",
        "1.00000017881393432617187501",
        "6929495644600919.5",
        "6929495644600920.5",
    };

    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        judge(numbers[i]);
}
END_TEST

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

START_TEST(numbers_between_two_floats_are_rounded_once)
{
    uint64_t state = 43;
    char text[TEXT_SIZE];

    for (int i = 0; i < 20000; i++) {
        const uint32_t bits = (uint32_t)draw(&state);
        float below = 0;

        memcpy(&below, &bits, sizeof(below));
        const float above = nextafterf(below, INFINITY);
        if (!isfinite(below) || !isfinite(above))
            continue;
        snprintf(text, sizeof(text), "%.*e", (int)(draw(&state) % 120),
                 ((double)below + (double)above) / 2);
        judge(text);
    }
}
END_TEST

/* Checks that the text is BAD at `at`, with that sentence, for both readers. */
static void refuse(const char *text, ptrdiff_t at, const char *fault)
{
    const char *end = text + strlen(text), *next = NULL;
    double value = 7;
    float narrow = 7;

    ck_assert_msg(json_numbers_f64(text, end, &value, &next) == JSON_NUMBERS_BAD, "%s", text);
    ck_assert_msg(next - text == at, "%s: at %td", text, next - text);
    ck_assert_int_eq(json_numbers_f32(text, end, &narrow, &next), JSON_NUMBERS_BAD);
    ck_assert_int_eq(next - text, at);
    ck_assert_str_eq(json_numbers_fault(text, end), fault);
    ck_assert(value == 7 && narrow == 7);
}

START_TEST(what_is_no_number_is_refused_with_its_place)
{
    const char *start = "a number starts with a digit or a minus sign";
    const char *zero =
        "a number must not start with a zero that other digits follow: write 1, not 01";
    const char *point = "a digit must follow the decimal point";
    const char *letter = "a digit must follow the letter e of an exponent";
    const char *minus = "a digit must follow the minus sign";

    refuse("x", 0, start);
    refuse("+1,", 0, start);
    refuse(".5,", 0, start);
    refuse(",", 0, start);
    refuse("NaN,", 0, start);
    refuse("-,", 1, minus);
    refuse("--1,", 1, minus);
    refuse("-Infinity,", 1, minus);
    refuse("-.5,", 1, minus);
    refuse("01,", 1, zero);
    refuse("-00,", 2, zero);
    refuse("1.,", 2, point);
    refuse("1.e5,", 2, point);
    refuse("0.x", 2, point);
    refuse("1e,", 2, letter);
    refuse("1e+,", 3, letter);
    refuse("1.5E-x", 5, letter);
    refuse("1e.5,", 2, letter);
}
END_TEST

START_TEST(a_number_ends_where_its_grammar_ends)
{
    static const char *const texts[] = {"1-2",   "1.5.2", "1e5e", "0x10",
                                        "1_000", "5]",    "7}",   "3 4"};
    static const ptrdiff_t lens[] = {1, 3, 3, 1, 1, 1, 1, 1};

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        const char *next = NULL;
        double value = 0;

        ck_assert_int_eq(json_numbers_f64(texts[i], texts[i] + strlen(texts[i]), &value, &next),
                         JSON_NUMBERS_OK);
        ck_assert_int_eq(next - texts[i], lens[i]);
    }
}
END_TEST

START_TEST(a_number_at_the_end_of_the_piece_may_go_on)
{
    const char *text = "-12.75e+31";

    for (size_t len = 0; len <= strlen(text); len++) {
        const char *next = NULL;
        double value = 7;
        float narrow = 7;

        ck_assert_int_eq(json_numbers_f64(text, text + len, &value, &next), JSON_NUMBERS_CUT);
        ck_assert_ptr_eq(next, text);
        ck_assert_int_eq(json_numbers_f32(text, text + len, &narrow, &next), JSON_NUMBERS_CUT);
        ck_assert(value == 7 && narrow == 7);
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
    float narrow[8] = {0};
    const char *next = NULL;

    ck_assert_uint_eq(json_numbers_f64_list(text, text + strlen(text), values, 8, &next), 3);
    ck_assert_str_eq(next, "4 ]");
    ck_assert(values[0] == 1 && values[1] == 2.5 && values[2] == -300);
    ck_assert_uint_eq(json_numbers_f32_list(text, text + strlen(text), narrow, 8, &next), 3);
    ck_assert(narrow[0] == 1 && narrow[1] == 2.5f && narrow[2] == -300);
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
    TEST(plain_numbers_are_read),
    TEST(the_edges_of_the_range_are_exact),
    TEST(halfway_cases_go_to_even),
    TEST(random_numbers_are_rounded_once),
    TEST(numbers_between_two_floats_are_rounded_once),
};

static const struct suite_test grammar_tests[] = {
    TEST(what_is_no_number_is_refused_with_its_place),
    TEST(a_number_ends_where_its_grammar_ends),
    TEST(a_number_at_the_end_of_the_piece_may_go_on),
    TEST(numbers_have_at_most_1000_characters),
    TEST(lists_stop_where_no_comma_follows),
};

static const struct suite grammar_case = {SUITE_TESTS(grammar_tests)};
const struct suite json_numbers_suite = {SUITE_TESTS(values_tests), .timeout = 60,
                                         .next = &grammar_case};
