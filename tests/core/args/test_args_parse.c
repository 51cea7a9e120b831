/* SPDX-License-Identifier: Apache-2.0
 * test_args_parse.c - one value of each type, given as a number, as a list or to a row of the
 * caller's own. Values that are given as text are rows of values.txt. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/args.h"
#include "core/args/args_parse.h"
#include "tests/support/core_sample.h"
#include "tests/support/suite.h"

static struct pe_args *args_with(const char *name, double number, struct pe_errors *errors,
                                 enum pe_status *status)
{
    struct pe_args *args = pe_args_new(&core_sample);

    *status = pe_args_set_number(args, name, strlen(name), number, errors);
    return args;
}

START_TEST(numbers_that_are_not_finite_are_no_values)
{
    static const struct {
        const char *name;
        double number;
        enum pe_status status;
    } cases[] = {{"dim", NAN, PE_BAD_VALUE},       {"dim", INFINITY, PE_BAD_VALUE},
                 {"offset", NAN, PE_OUT_OF_RANGE}, {"gain", -INFINITY, PE_OUT_OF_RANGE},
                 {"weights", NAN, PE_BAD_VALUE},   {"mode", INFINITY, PE_BAD_VALUE},
                 {"pos", INFINITY, PE_BAD_VALUE}};

    for (size_t i = 0; i < PE_LEN(cases); i++) {
        struct pe_errors errors = {.count = 0};
        enum pe_status status;

        pe_args_free(args_with(cases[i].name, cases[i].number, &errors, &status));
        ck_assert_int_eq(status, cases[i].status);
        ck_assert_str_eq(errors.at[0].parameter, cases[i].name);
        ck_assert_msg(strstr(errors.at[0].detail, "a number that is not finite"), "%s",
                      errors.at[0].detail);
    }
}
END_TEST

START_TEST(lists_are_copied_and_checked_element_by_element)
{
    struct pe_args *args = pe_args_new(&core_sample);
    const struct sample *s = pe_args_struct(args);
    double list[] = {0.5, -0.0, 1}, rows[] = {1, 2, 3, 4}, far[] = {0, 7, -7};
    struct pe_errors errors = {.count = 0};

    ck_assert_int_eq(pe_args_set_reals(args, "weights", 7, list, 1, 3, &errors), PE_OK);
    list[0] = 77; /* ours no more */
    ck_assert(s->weights.rows == 1 && s->weights.cols == 3);
    ck_assert(s->weights.values[0] == 0.5 && !signbit(s->weights.values[1]));
    ck_assert_int_eq(pe_args_set_reals(args, "matrix", 6, rows, 2, 2, &errors), PE_OK);
    ck_assert(s->matrix.rows == 2 && s->matrix.cols == 2 && s->matrix.values[3] == 4);
    pe_args_free(args);
    args = pe_args_new(&core_sample);
    ck_assert_int_eq(pe_args_set_reals(args, "weights", 7, far, 1, 3, &errors),
                     PE_OUT_OF_RANGE);
    ck_assert_msg(strstr(errors.at[0].detail, "got 7"), "%s", errors.at[0].detail);
    pe_args_free(args);
    args = pe_args_new(&core_sample);
    ck_assert_int_eq(pe_args_set_reals(args, "weights", 7, rows, 2, 2, &errors), PE_BAD_VALUE);
    ck_assert_str_eq(errors.at[1].detail, "must be one list of numbers; got 2 rows");
    pe_args_free(args);
}
END_TEST

START_TEST(a_list_of_nothing_is_refused_unless_it_lists_positions)
{
    struct pe_args *args = pe_args_new(&core_sample);
    const struct sample *s = pe_args_struct(args);
    struct pe_errors errors = {.count = 0};
    double none = 0;

    ck_assert_int_eq(pe_args_set_reals(args, "weights", 7, &none, 1, 0, &errors), PE_BAD_VALUE);
    ck_assert_str_eq(errors.at[0].detail, "must be numbers -1..1, such as 1,2.5; got nothing");
    ck_assert_int_eq(pe_args_set_reals(args, "matrix", 6, &none, 0, 0, &errors), PE_BAD_VALUE);
    ck_assert_int_eq(pe_args_set_reals(args, "pos", 3, &none, 1, 0, &errors), PE_OK);
    ck_assert_uint_eq(pe_positions_count(s->pos), 0);
    pe_args_free(args);
}
END_TEST

START_TEST(a_row_without_an_encoding_is_parsed_into_any_field)
{
    const struct pe_param layer = {.name = "layer", .type = PE_INT, .max = 9};
    const struct pe_param shape = {.name = "shape", .type = PE_REALS, .max = 99};
    struct pe_errors errors = {.count = 0};
    struct pe_reals reals = {0};
    int64_t number = 5;

    ck_assert_int_eq(pe_parse_text(&layer, &number, "7", 1, &errors), PE_OK);
    ck_assert_int_eq(number, 7);
    ck_assert_int_eq(pe_parse_text(&layer, &number, "10", 2, &errors), PE_OUT_OF_RANGE);
    ck_assert_int_eq(pe_parse_text(&layer, &number, "", 0, &errors), PE_BAD_VALUE);
    ck_assert_str_eq(errors.at[0].detail, "must be a whole number, 0..9; got 10");
    ck_assert_str_eq(errors.at[1].detail, "must be a whole number, 0..9; got nothing");
    ck_assert_int_eq(number, 7);
    ck_assert_int_eq(pe_parse_text(&shape, &reals, "8,12", 4, &errors), PE_OK);
    ck_assert_int_eq(pe_parse_text(&shape, &reals, "3", 1, &errors), PE_OK); /* frees 8,12 */
    ck_assert_uint_eq(reals.cols, 1);
    pe_parse_drop(&shape, &reals);
    ck_assert_ptr_null(reals.values);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(numbers_that_are_not_finite_are_no_values),
    TEST(lists_are_copied_and_checked_element_by_element),
    TEST(a_list_of_nothing_is_refused_unless_it_lists_positions),
    TEST(a_row_without_an_encoding_is_parsed_into_any_field),
};

const struct suite args_parse_suite = {SUITE_TESTS(tests)};
