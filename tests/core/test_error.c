/* SPDX-License-Identifier: Apache-2.0
 * test_error.c - problems are kept in order, cut to their fields, and only counted when
 * there are too many. */
#include <string.h>

#include "core/encoding.h"
#include "tests/support/suite.h"

START_TEST(a_problem_keeps_all_that_was_said)
{
    struct pe_errors errors;

    pe_errors_clear(&errors);
    ck_assert_int_eq(pe_fail(&errors, PE_OUT_OF_RANGE, "dim", "must be %d; got %s", 4, "5"),
                     PE_OUT_OF_RANGE);
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_int_eq(errors.at[0].status, PE_OUT_OF_RANGE);
    ck_assert_str_eq(errors.at[0].parameter, "dim");
    ck_assert_str_eq(errors.at[0].detail, "must be 4; got 5");
    ck_assert_str_eq(errors.at[0].hint, "");
    ck_assert_uint_eq(errors.at[0].limit, 0);
    ck_assert_uint_eq(errors.at[0].requested, 0);
}
END_TEST

START_TEST(a_problem_may_have_no_parameter)
{
    struct pe_errors errors = {.count = 0};

    pe_fail(&errors, PE_NO_MEMORY, NULL, "out of memory");
    ck_assert_str_eq(errors.at[0].parameter, "");
}
END_TEST

START_TEST(a_hint_and_a_limit_belong_to_the_last_problem)
{
    struct pe_errors errors = {.count = 0};

    pe_hint(&errors, "nobody hears this");
    pe_note_limit(&errors, 1, 2);
    pe_fail(&errors, PE_BAD_VALUE, "a", "is wrong");
    pe_fail(&errors, PE_TOO_LARGE, "b", "is large");
    pe_hint(&errors, "did you mean %s?", "c");
    pe_note_limit(&errors, 10, 11);
    ck_assert_str_eq(errors.at[0].hint, "");
    ck_assert_str_eq(errors.at[1].hint, "did you mean c?");
    ck_assert_uint_eq(errors.at[1].limit, 10);
    ck_assert_uint_eq(errors.at[1].requested, 11);
}
END_TEST

START_TEST(texts_of_any_length_are_cut_to_their_fields)
{
    struct pe_errors errors = {.count = 0};
    char longer[1000];

    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    pe_fail(&errors, PE_BAD_VALUE, longer, "%s", longer);
    pe_hint(&errors, "%s", longer);
    ck_assert_uint_eq(strlen(errors.at[0].parameter), sizeof errors.at[0].parameter - 1);
    ck_assert_uint_eq(strlen(errors.at[0].detail), sizeof errors.at[0].detail - 1);
    ck_assert_uint_eq(strlen(errors.at[0].hint), sizeof errors.at[0].hint - 1);
}
END_TEST

START_TEST(beyond_the_last_place_problems_are_counted)
{
    struct pe_errors errors = {.count = 0};

    for (int i = 0; i < PE_MAX_PROBLEMS + 3; i++)
        ck_assert_int_eq(pe_fail(&errors, PE_TOO_LARGE, "a", "%d", i), PE_TOO_LARGE);
    ck_assert_uint_eq(errors.count, PE_MAX_PROBLEMS);
    ck_assert_uint_eq(errors.dropped, 3);
    ck_assert_str_eq(errors.at[PE_MAX_PROBLEMS - 1].detail, "31");
    pe_hint(&errors, "for one that was dropped");
    pe_note_limit(&errors, 1, 2);
    ck_assert_str_eq(errors.at[PE_MAX_PROBLEMS - 1].hint, "");
    ck_assert_uint_eq(errors.at[PE_MAX_PROBLEMS - 1].limit, 0);
    pe_errors_clear(&errors);
    ck_assert_uint_eq(errors.count, 0);
    ck_assert_uint_eq(errors.dropped, 0);
}
END_TEST

SUITE(error, TEST(a_problem_keeps_all_that_was_said), TEST(a_problem_may_have_no_parameter),
      TEST(a_hint_and_a_limit_belong_to_the_last_problem),
      TEST(texts_of_any_length_are_cut_to_their_fields),
      TEST(beyond_the_last_place_problems_are_counted));
