/* SPDX-License-Identifier: Apache-2.0
 * test_whole_text.c - decimal texts of whole numbers between 2^53 and 2^64, and of others. */
#include <string.h>

#include "core/text/whole_text.h"
#include "tests/support/suite.h"

static const struct {
    const char *text;
    bool whole;
    uint64_t size;
} texts[] = {
    {"0", true, 0},
    {"-7", true, 7},
    {"9007199254740993", true, 9007199254740993},
    {"-9007199254740993", true, 9007199254740993},
    {"9007199254740993.0", true, 9007199254740993},
    {"9007199254740993.000e0", true, 9007199254740993},
    {"9.007199254740993e15", true, 9007199254740993},
    {"9007199254740993000e-3", true, 9007199254740993},
    {"0.0009007199254740993E+19", true, 9007199254740993},
    {"18446744073709551615", true, UINT64_MAX},
    {"1e19", true, 10000000000000000000U},
    {"0e999999999999", true, 0},
    {"0.000e-999999999999", true, 0},
    {"18446744073709551616", false, 0},
    {"1e20", false, 0},
    {"9007199254740992.5", false, 0},
    {"9.0071992547409925e15", false, 0},
    {"1e-1", false, 0},
    {"0.1", false, 0},
    {"1e-999999999999", false, 0},
};

START_TEST(a_whole_number_is_read_up_to_its_last_digit)
{
    uint64_t size;

    ck_assert_msg(whole_text_read(texts[_i].text, strlen(texts[_i].text), &size) ==
                      texts[_i].whole,
                  "%s", texts[_i].text);
    if (texts[_i].whole)
        ck_assert_uint_eq(size, texts[_i].size);
}
END_TEST

static bool is_exact(const char *text, double value)
{
    return whole_text_is_exact(text, strlen(text), value);
}

START_TEST(a_text_is_exact_where_its_double_is_the_same_number)
{
    ck_assert(is_exact("9007199254740992", 0x1p53) && is_exact("-9007199254740992", -0x1p53));
    ck_assert(!is_exact("9007199254740993", 0x1p53) && !is_exact("-9007199254740993", -0x1p53));
    ck_assert(!is_exact("9007199254740992.5", 0x1p53));
    ck_assert(is_exact("9007199254740994", 0x1p53 + 2));
    ck_assert(is_exact("0.1", 0.1) && is_exact("5.0000000000000001", 5)); /* below 2^53 */
    ck_assert(is_exact("18446744073709551617", 0x1p64)); /* no integer type has it */
    ck_assert(!is_exact("18446744073709551614", 0x1p64 - 2048));
}
END_TEST

SUITE(whole_text, TEST_EACH(a_whole_number_is_read_up_to_its_last_digit, texts),
      TEST(a_text_is_exact_where_its_double_is_the_same_number));
