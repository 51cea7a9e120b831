/* SPDX-License-Identifier: Apache-2.0
 * test_float_text.c - floats as text: shortest, nearest, in ECMAScript's form. Every float32 is
 * tried by prove_float_text; here a sample of them and the hard places. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text/float_text.h"
#include "tests/core/text/support/shortest.h"
#include "tests/support/suite.h"

static void judge_f32(float value)
{
    char text[FLOAT_TEXT_F32_MAX + 1];

    memset(text, '#', sizeof(text));
    char *end = float_text_f32(text, value);
    ck_assert_int_le(end - text, FLOAT_TEXT_F32_MAX);
    ck_assert_int_eq(text[FLOAT_TEXT_F32_MAX], '#');
    const char *fault = shortest_fault_f32(value, text, (size_t)(end - text));
    ck_assert_msg(!fault, "%.9g: %.*s: %s", (double)value, (int)(end - text), text, fault);
}

static void judge_f64(double value)
{
    char text[FLOAT_TEXT_F64_MAX + 1];

    memset(text, '#', sizeof(text));
    char *end = float_text_f64(text, value);
    ck_assert_int_le(end - text, FLOAT_TEXT_F64_MAX);
    ck_assert_int_eq(text[FLOAT_TEXT_F64_MAX], '#');
    const char *fault = shortest_fault_f64(value, text, (size_t)(end - text));
    ck_assert_msg(!fault, "%.17g: %.*s: %s", value, (int)(end - text), text, fault);
}

static float f32_of(uint32_t bits)
{
    float value = 0;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

static double f64_of(uint64_t bits)
{
    double value = 0;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* xorshift64*: the same numbers in every run. */
static uint64_t draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * UINT64_C(2685821657736338717);
}

START_TEST(a_sample_of_all_float32_is_shortest)
{
    enum { STRIDE = 42013 }; /* a prime: about 100,000 of 2^32 */
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += STRIDE)
        if (isfinite(f32_of((uint32_t)bits)))
            judge_f32(f32_of((uint32_t)bits));
}
END_TEST

START_TEST(float32_beside_every_power_of_two_is_shortest)
{
    for (uint32_t exponent = 0; exponent < 255; exponent++) {
        for (uint32_t step = 0; step < 16; step++) {
            judge_f32(f32_of((exponent << 23) + step));
            judge_f32(f32_of((exponent << 23 | 0x7fffff) - step));
        }
    }
}
END_TEST

START_TEST(short_float32_are_shortest)
{
    for (int32_t i = -40000; i <= 40000; i++) {
        judge_f32((float)i);
        judge_f32((float)i / 4096);
        judge_f32((float)i / 1000);
    }
    for (int exponent = -45; exponent <= 38; exponent++) {
        char text[16];

        for (int digit = 1; digit <= 9; digit++) {
            snprintf(text, sizeof(text), "%de%d", digit, exponent);
            if (isfinite(strtof(text, NULL)))
                judge_f32(strtof(text, NULL));
        }
    }
}
END_TEST

START_TEST(random_doubles_are_shortest)
{
    uint64_t state = 1;

    for (int i = 0; i < 40000; i++) {
        const double any = f64_of(draw(&state));

        if (isfinite(any))
            judge_f64(any);
        judge_f64((double)(int64_t)(draw(&state) >> (i % 50)) * 0x1p-63); /* below 1 */
        judge_f64((double)(draw(&state) >> (i % 64)));
        judge_f64((double)(draw(&state) >> 11) * 0x1p-32); /* with a fraction */
    }
}
END_TEST

START_TEST(doubles_beside_every_power_of_two_are_shortest)
{
    for (uint64_t exponent = 0; exponent < 2047; exponent++) {
        for (uint64_t step = 0; step < 4; step++) {
            judge_f64(f64_of((exponent << 52) + step));
            judge_f64(f64_of((exponent << 52 | 0xfffffffffffff) - step));
        }
    }
}
END_TEST

/* From the papers on Grisu, Ryu and Schubfach: near the ends of their intervals, many
 * digits, ties. */
static const double hard[] = {
    5e-324,
    1e23,
    9e15,
    9.5e-3,
    2.98023223876953125e-8,
    9007199254740991,
    9007199254740992,
    5.764607523034235e39,
    1.152921504606847e40,
    2.305843009213694e40,
    4.294967272e9,
    2.0919495182368195e19,
    2.6760179287532483e19,
    3.2942957306323907e19,
    3.9702293349085635e19,
    4.0647939013152195e19,
    1.8014398509481984e16,
    1.8014398509481985e16,
    4.708356024711512e18,
    9.409340012568248e18,
    1.2345678901234567e22,
    7.9e-323,
    1.7976931348623157e308,
    2.2250738585072011e-308,
    8.41e21,
    9.0608011534336e15,
    4.8726570057e288,
    5.8483921078398283e73,
    6.8985865317742005e180,
    1.00014192567e-3,
    2e-308,
    1.5e300,
    0.5,
    0.75,
    4096.0625,
    0x1p-44,
    0x1p63,
    0x1p64,
    562949953421311.5,
    2251799813685247.75,
};

START_TEST(doubles_that_are_hard_to_write_are_shortest)
{
    for (size_t i = 0; i < sizeof(hard) / sizeof(*hard); i++) {
        judge_f64(hard[i]);
        judge_f64(-hard[i]);
    }
    for (int exponent = -324; exponent <= 308; exponent++) {
        char text[16];

        for (int digit = 1; digit <= 9; digit++) {
            snprintf(text, sizeof(text), "%de%d", digit, exponent);
            const double value = strtod(text, NULL);
            if (isfinite(value)) {
                judge_f64(value);
                judge_f64(nextafter(value, 0));
            }
        }
    }
}
END_TEST

START_TEST(lists_are_their_numbers_with_commas)
{
    static const float floats[] = {1, -0.5f, 0, 1e-9f, 123.25f, -1e30f, 8388608};
    static const double doubles[] = {1, -0.1, 0, 1e-9, 123.25, -1e300, 4503599627370496};
    char text[7 * (FLOAT_TEXT_F64_MAX + 1) + 1];

    *float_text_f32_list(text, floats, 7) = '\0';
    ck_assert_str_eq(text, "1,-0.5,0,1e-9,123.25,-1e30,8388608");
    *float_text_f64_list(text, doubles, 7) = '\0';
    ck_assert_str_eq(text, "1,-0.1,0,1e-9,123.25,-1e300,4503599627370496");
    ck_assert_ptr_eq(float_text_f32_list(text, floats, 0), text);
    ck_assert_ptr_eq(float_text_f64_list(text, doubles, 0), text);
    *float_text_f32_list(text, floats, 1) = '\0';
    ck_assert_str_eq(text, "1");
}
END_TEST

static const struct suite_test form_tests[] = {
    TEST(lists_are_their_numbers_with_commas),
};

static const struct suite_test digits_tests[] = {
    TEST(a_sample_of_all_float32_is_shortest),
    TEST(float32_beside_every_power_of_two_is_shortest),
    TEST(short_float32_are_shortest),
    TEST(random_doubles_are_shortest),
    TEST(doubles_beside_every_power_of_two_are_shortest),
    TEST(doubles_that_are_hard_to_write_are_shortest),
};

static const struct suite digits_case = {SUITE_TESTS(digits_tests), .timeout = 60};
const struct suite float_text_suite = {SUITE_TESTS(form_tests), .next = &digits_case};
