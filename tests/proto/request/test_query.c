/* SPDX-License-Identifier: Apache-2.0
 * test_query.c - tests which queries are read, and the sentence for each error. */
#include <stdio.h>
#include <string.h>

#include "proto/request/query.h"
#include "tests/support/suite.h"

static const struct {
    const char *query, *shown; /* parameters: "name=value|name=value" */
} good[] = {
    {"", ""},
    {"a=1", "a=1"},
    {"a=1&b=2", "a=1|b=2"},
    {"a=", "a="},
    {"a==", "a=="},
    {"a=b=c", "a=b=c"},
    {"pos=0%3A128", "pos=0:128"},
    {"pos=0%3a128", "pos=0:128"},
    {"a=1+2", "a=1+2"},
    {"a=1%2B2", "a=1+2"},
    {"a=%26&b=%3D", "a=&|b=="},
    {"%61=1", "a=1"},
    {"a=x%20y", "a=x y"},
    {"a=%C3%A4", "a=\xC3\xA4"},
    {"a=\xC3\xA4", "a=\xC3\xA4"},
    {"a=1&a=2", "a=1|a=2"}, /* the request refuses repeated names */
    {"a=?/", "a=?/"},
};

START_TEST(names_and_values_are_split_and_decoded)
{
    struct pe_errors errors = {0};
    struct query query;
    char shown[256] = "";
    const char *text = good[_i].query;

    ck_assert_int_eq(query_parse(&query, text, strlen(text), &errors), PE_OK);
    ck_assert_uint_eq(errors.count, 0);
    for (size_t i = 0; i < query.count; i++) {
        size_t used = strlen(shown);

        snprintf(shown + used, sizeof shown - used, "%s%s=%s", i == 0 ? "" : "|",
                 query.at[i].name, query.at[i].value);
        ck_assert_uint_eq(strlen(query.at[i].name), query.at[i].name_len);
        ck_assert_uint_eq(strlen(query.at[i].value), query.at[i].value_len);
    }
    ck_assert_str_eq(shown, good[_i].shown);
    query_fini(&query);
}
END_TEST

#define PERCENT "a % must be followed by two hexadecimal digits (a percent sign itself is %25)"
#define EMPTY "nothing stands before, between or after an \"&\"; write name=value"

static const struct {
    const char *query, *parameter, *detail;
} bad[] = {
    {"a=%", "a", "is not readable at its character 1: " PERCENT},
    {"a=1%", "a", "is not readable at its character 2: " PERCENT},
    {"a=%4", "a", "is not readable at its character 1: " PERCENT},
    {"a=%4&b=1", "a", "is not readable at its character 1: " PERCENT},
    {"a=%zz", "a", "is not readable at its character 1: " PERCENT},
    {"a=%0x", "a", "is not readable at its character 1: " PERCENT},
    {"a=%%", "a", "is not readable at its character 1: " PERCENT},
    {"%=1", "", "the name of a parameter is not readable at its character 1: " PERCENT},
    {"a=%00", "a", "is not readable at its character 1: control characters are not allowed"},
    {"a=12%0a", "a", "is not readable at its character 3: control characters are not allowed"},
    {"a=%7f", "a", "is not readable at its character 1: control characters are not allowed"},
    {"a=\t", "a", "is not readable at its character 1: control characters are not allowed"},
    {"a%00=1", "",
     "the name of a parameter is not readable at its character 2: control characters are not "
     "allowed"},
    {"a=1 2", "a", "is not readable at its character 2: a space must be written as %20"},
    {"=1", "", "a parameter has no name; write name=value"},
    {"=", "", "a parameter has no name; write name=value"},
    {"a", "a", "has no value; write a=value"},
    {"a=1&b", "b", "has no value; write b=value"},
    {"&", "", EMPTY},
    {"a=1&", "", EMPTY},
    {"&a=1", "", EMPTY},
    {"a=1&&b=2", "", EMPTY},
};

START_TEST(what_has_no_one_meaning_is_refused_with_a_sentence)
{
    struct pe_errors errors = {0};
    struct query query;
    const char *text = bad[_i].query;

    ck_assert_int_eq(query_parse(&query, text, strlen(text), &errors), PE_BAD_VALUE);
    ck_assert_uint_ge(errors.count, 1);
    ck_assert_str_eq(errors.at[0].parameter, bad[_i].parameter);
    ck_assert_str_eq(errors.at[0].detail, bad[_i].detail);
    query_fini(&query);
}
END_TEST

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

static const struct suite_test tests[] = {
    TEST_EACH(names_and_values_are_split_and_decoded, good),
    TEST_EACH(what_has_no_one_meaning_is_refused_with_a_sentence, bad),
    TEST(what_is_readable_is_kept_beside_what_is_not),
    TEST(at_most_32_parameters_are_read),
    TEST(a_nul_in_the_middle_does_not_cut_the_query),
};

const struct suite query_suite = {SUITE_TESTS(tests)};
