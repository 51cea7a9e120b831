/* SPDX-License-Identifier: Apache-2.0
 * test_decimal.c - the long way of every float, and the short cuts of float_text, which
 * must give the same text. */
#include <stdint.h>
#include <string.h>

#include "core/text/decimal.h"
#include "core/text/float_text.h"
#include "tests/support/suite.h"

START_TEST(digits_and_exponent_are_the_shortest_decimal)
{
    struct decimal one = decimal_f64(0x3ff0000000000000);

    while (one.digits % 10 == 0) {
        one.digits /= 10;
        one.exponent++;
    }
    ck_assert_uint_eq(one.digits, 1);
    ck_assert_int_eq(one.exponent, 0);
    ck_assert_uint_eq(decimal_f64(1).digits, 5);
    ck_assert_int_eq(decimal_f64(1).exponent, -324);
    ck_assert_uint_eq(decimal_f32(1).digits, 1);
    ck_assert_int_eq(decimal_f32(1).exponent, -45);
    ck_assert_uint_eq(decimal_f32(0x7f7fffff).digits, 34028235);
    ck_assert_int_eq(decimal_f32(0x7f7fffff).exponent, 31);
    ck_assert_uint_eq(decimal_f64(0x7fefffffffffffff).digits, 17976931348623157);
    ck_assert_int_eq(decimal_f64(0x7fefffffffffffff).exponent, 292);
}
END_TEST

START_TEST(the_short_cut_of_float32_gives_the_same_text)
{
    enum { STRIDE = 1009 };
    for (uint32_t bits = 0x358637bd; bits < 0x4b000000; bits += STRIDE) {
        char quick[FLOAT_TEXT_F32_MAX + 1], slow[FLOAT_TEXT_F32_MAX + 1];
        float value = 0;

        memcpy(&value, &bits, sizeof(value));
        *float_text_f32(quick, value) = '\0';
        *decimal_write(slow, decimal_f32(bits)) = '\0';
        ck_assert_str_eq(quick, slow);
    }
}
END_TEST

START_TEST(the_short_cut_of_float64_gives_the_same_text)
{
    const uint64_t first = 0x3eb0c6f7a0b5ed8d, end = 0x4330000000000000;
    const uint64_t stride = (end - first) / 400009;

    for (uint64_t bits = first; bits < end; bits += stride) {
        char quick[FLOAT_TEXT_F64_MAX + 1], slow[FLOAT_TEXT_F64_MAX + 1];
        double value = 0;

        memcpy(&value, &bits, sizeof(value));
        *float_text_f64(quick, value) = '\0';
        *decimal_write(slow, decimal_f64(bits)) = '\0';
        ck_assert_str_eq(quick, slow);
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST(digits_and_exponent_are_the_shortest_decimal),
    TEST(the_short_cut_of_float32_gives_the_same_text),
    TEST(the_short_cut_of_float64_gives_the_same_text),
};

const struct suite decimal_suite = {SUITE_TESTS(tests), .timeout = 60};
