/* SPDX-License-Identifier: Apache-2.0
 * test_elements.c - tests numbers of every dtype as text, finite or not, few or many. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/elements.h"
#include "tests/support/suite.h"

/* Converts doubles to elements of the dtype and prints them. */
static const char *print(enum pe_dtype dtype, const double *values, size_t count, bool quoted,
                         bool *nonfinite)
{
    static char text[1024];
    uint64_t elements[32];

    pe_dtype_from_f64(dtype, elements, values, count);
    *nonfinite = false;
    *elements_print(text, dtype, elements, count, quoted, nonfinite) = '\0';
    ck_assert_int_eq(*nonfinite, elements_have_nonfinite(dtype, elements, count));
    return text;
}

static const struct {
    enum pe_dtype dtype;
    const char *text;
} cases[] = {
    {PE_F64, "0,1,-2.5,0.1,1e21,100"},
    {PE_F32, "0,1,-2.5,0.1,1e21,100"},
    {PE_F16, "0,1,-2.5,0.099975586,Infinity,100"},
    {PE_BF16, "0,1,-2.5,0.100097656,1.0007359e21,100"},
};

START_TEST(reals_are_the_shortest_text_of_their_width)
{
    static const double values[] = {-0.0, 1, -2.5, 0.1, 1e21, 100};
    bool nonfinite;

    ck_assert_str_eq(print(cases[_i].dtype, values, 6, false, &nonfinite), cases[_i].text);
    ck_assert_int_eq(nonfinite, cases[_i].dtype == PE_F16); /* f16 cannot hold 1e21 */
}
END_TEST

START_TEST(whole_numbers_are_decimal)
{
    static const double values[] = {0, 1, 9, 10, 255}, more[] = {-2147483648.0, 2147483647, -1},
                        far[] = {-9007199254740992.0, 9007199254740992.0};
    bool nonfinite;

    ck_assert_str_eq(print(PE_U8, values, 5, true, &nonfinite), "0,1,9,10,255");
    ck_assert_str_eq(print(PE_BOOL8, values, 2, true, &nonfinite), "0,1");
    ck_assert_str_eq(print(PE_I32, more, 3, true, &nonfinite), "-2147483648,2147483647,-1");
    ck_assert_str_eq(print(PE_I64, far, 2, true, &nonfinite),
                     "-9007199254740992,9007199254740992");
    ck_assert(!nonfinite);
}
END_TEST

START_TEST(the_least_of_64_bits_is_printed)
{
    static const int64_t ends[] = {INT64_MIN, INT64_MAX};
    char text[64];
    bool nonfinite = false;

    *elements_print(text, PE_I64, ends, 2, true, &nonfinite) = '\0';
    ck_assert_str_eq(text, "-9223372036854775808,9223372036854775807");
}
END_TEST

START_TEST(what_is_not_finite_is_a_word)
{
    static const double values[] = {1.5, INFINITY, -INFINITY, NAN, -0.25};
    static const enum pe_dtype dtypes[] = {PE_F64, PE_F32, PE_F16, PE_BF16};

    for (size_t i = 0; i < 4; i++) {
        bool nonfinite;

        ck_assert_str_eq(print(dtypes[i], values, 5, true, &nonfinite),
                         "1.5,\"Infinity\",\"-Infinity\",\"NaN\",-0.25");
        ck_assert(nonfinite);
        ck_assert_str_eq(print(dtypes[i], values, 5, false, &nonfinite),
                         "1.5,Infinity,-Infinity,NaN,-0.25");
        ck_assert_str_eq(print(dtypes[i], values, 1, false, &nonfinite), "1.5");
        ck_assert(!nonfinite);
    }
}
END_TEST

START_TEST(the_flag_is_never_taken_back)
{
    static const float one = 1;
    char text[ELEMENTS_TEXT_MAX];
    bool nonfinite = true;

    elements_print(text, PE_F32, &one, 1, true, &nonfinite);
    ck_assert(nonfinite);
}
END_TEST

START_TEST(many_are_printed_as_one_by_one)
{
    enum { COUNT = 1000 };
    static const enum pe_dtype dtypes[] = {PE_F64, PE_F32, PE_F16, PE_BF16, PE_I32, PE_I64};
    double values[COUNT];
    uint64_t elements[COUNT];
    char *text = malloc(COUNT * ELEMENTS_TEXT_MAX), one[ELEMENTS_TEXT_MAX];
    for (size_t kind = 0; kind < 6; kind++) {
        bool real = kind < 4, nonfinite = false;
        size_t size = pe_dtype_size(dtypes[kind]);

        for (size_t i = 0; i < COUNT; i++)
            values[i] =
                real ? sin((double)i) * (i % 300 == 299 ? INFINITY : 1) : (double)(i * 7);
        pe_dtype_from_f64(dtypes[kind], elements, values, COUNT);
        char *end = elements_print(text, dtypes[kind], elements, COUNT, true, &nonfinite);
        ck_assert_int_le(end - text, COUNT * ELEMENTS_TEXT_MAX);
        ck_assert_int_eq(nonfinite, real);
        const char *at = text;
        for (size_t i = 0; i < COUNT; i++) {
            const char *element = (const char *)elements + i * size;
            size_t len =
                (size_t)(elements_print(one, dtypes[kind], element, 1, true, &nonfinite) - one);

            ck_assert_mem_eq(at, one, len);
            at += len;
            ck_assert(i + 1 == COUNT ? at == end : *at++ == ',');
        }
    }
    free(text);
}
END_TEST

SUITE(elements, TEST_EACH(reals_are_the_shortest_text_of_their_width, cases),
      TEST(whole_numbers_are_decimal), TEST(the_least_of_64_bits_is_printed),
      TEST(what_is_not_finite_is_a_word), TEST(the_flag_is_never_taken_back),
      TEST(many_are_printed_as_one_by_one));
