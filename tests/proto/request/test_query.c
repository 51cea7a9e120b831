/* SPDX-License-Identifier: Apache-2.0
 * test_query.c - tests queries of many parameters, and with bytes that no row holds; query.txt
 * has the others. */
#include <stdio.h>
#include <string.h>

#include "proto/request/query.h"
#include "tests/support/suite.h"

START_TEST(what_is_readable_is_kept_beside_what_is_not)
{
    static const char text[] = "a=1&b=%&=2&c&d=4";
    struct pe_errors errors = {0};
    struct query query;

    ck_assert_int_eq(query_parse(&query, text, strlen(text), &errors), PE_BAD_VALUE);
    ck_assert_uint_eq(errors.count, 3);
    ck_assert_uint_eq(query.count, 2);
    ck_assert_str_eq(query.at[0].value, "1");
    ck_assert_str_eq(query.at[1].name, "d");
    query_fini(&query);
}
END_TEST

START_TEST(at_most_32_parameters_are_read)
{
    char text[512] = "a0=1";
    struct pe_errors errors = {0};
    struct query query;

    for (int i = 1; i < QUERY_MAX_PARAMETERS; i++) {
        size_t used = strlen(text);

        snprintf(text + used, sizeof text - used, "&a%d=1", i);
    }
    ck_assert_int_eq(query_parse(&query, text, strlen(text), &errors), PE_OK);
    ck_assert_uint_eq(query.count, QUERY_MAX_PARAMETERS);
    query_fini(&query);
    memcpy(text + strlen(text), "&z=1", sizeof "&z=1");
    ck_assert_int_eq(query_parse(&query, text, strlen(text), &errors), PE_TOO_LARGE);
    ck_assert_uint_eq(query.count, 0);
    ck_assert_str_eq(errors.at[0].detail, "at most 32 parameters are read; got 33");
    ck_assert_uint_eq(errors.at[0].limit, 32);
    ck_assert_uint_eq(errors.at[0].requested, 33);
    query_fini(&query);
}
END_TEST

START_TEST(a_nul_in_the_middle_does_not_cut_the_query)
{
    static const char text[] = "a=1\0&b=2";
    struct pe_errors errors = {0};
    struct query query;

    ck_assert_int_eq(query_parse(&query, text, sizeof text - 1, &errors), PE_BAD_VALUE);
    ck_assert_uint_eq(query.count, 1);
    ck_assert_str_eq(query.at[0].name, "b");
    query_fini(&query);
}
END_TEST

START_TEST(a_tab_is_a_control_character)
{
    struct pe_errors errors = {0};
    struct query query;

    ck_assert_int_eq(query_parse(&query, "a=\t", 3, &errors), PE_BAD_VALUE);
    ck_assert_str_eq(errors.at[0].parameter, "a");
    ck_assert_str_eq(errors.at[0].detail,
                     "is not readable at its character 1: control characters are not allowed");
    query_fini(&query);
}
END_TEST

SUITE(query, TEST(what_is_readable_is_kept_beside_what_is_not),
      TEST(at_most_32_parameters_are_read), TEST(a_nul_in_the_middle_does_not_cut_the_query),
      TEST(a_tab_is_a_control_character));
