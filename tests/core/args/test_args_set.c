/* SPDX-License-Identifier: Apache-2.0
 * test_args_set.c - giving parameters by name or by a row of the caller's own. Names that are
 * unknown, given twice or without a value are rows of names.txt, and values that are given as
 * text, as numbers, lists and tensors are rows of values.txt and given.txt. */
#include <string.h>

#include "core/args/args.h"
#include "core/args/args_parse.h"
#include "tests/support/core_query.h"
#include "tests/support/core_sample.h"
#include "tests/support/suite.h"

START_TEST(all_problems_are_reported_at_once)
{
    static const struct core_refusal all[] = {
        {"", PE_OUT_OF_RANGE, "dim", "must be an even number", ""},
        {"", PE_UNKNOWN_PARAMETER, "gian", "unknown parameter", "did you mean gain?"},
        {"", PE_BAD_VALUE, "flag", "must be 0, 1", ""},
        {"", PE_MISSING_PARAMETER, "pos", "is required", ""},
    };
    struct pe_errors errors = {.count = 0};
    struct pe_args *args;

    ck_assert_int_eq(core_query_args(&args, &core_sample, "dim=3&gian=2&flag=x", &errors),
                     PE_OUT_OF_RANGE); /* the first one's status */
    ck_assert_uint_eq(errors.count, PE_LEN(all));
    for (size_t i = 0; i < PE_LEN(all); i++)
        core_query_found(&errors, &all[i]);
    pe_args_free(args);
}
END_TEST

START_TEST(an_unknown_name_of_any_length_is_cut)
{
    struct pe_args *args = pe_args_new(&core_sample);
    struct pe_errors errors = {.count = 0};
    char longer[500];

    memset(longer, 'n', sizeof longer);
    ck_assert_int_eq(pe_args_set_text(args, longer, sizeof longer, "1", 1, &errors),
                     PE_UNKNOWN_PARAMETER);
    ck_assert_uint_eq(strlen(errors.at[0].parameter), 40);
    pe_args_free(args);
}
END_TEST

START_TEST(a_row_that_was_found_takes_what_its_name_takes)
{
    const struct pe_param *dim = pe_param_find(&core_sample, "dim", 3);
    struct pe_given given = {.kind = PE_GIVEN_NUMBER, .number = 8};
    struct pe_args *args = pe_args_new(&core_sample);
    const struct sample *values = pe_args_struct(args);
    struct pe_errors errors = {.count = 0};

    ck_assert_str_eq(dim->name, "dim");
    ck_assert_ptr_null(pe_param_find(&core_sample, "dmi", 3));
    ck_assert_ptr_null(pe_param_find(NULL, "dim", 3));
    ck_assert_ptr_eq(pe_param_find(NULL, "out", 3), pe_param_find(&core_sample, "out", 3));
    ck_assert_int_eq(pe_args_set(args, dim, &given, &errors), PE_OK);
    ck_assert_int_eq(values->dim, 8);
    ck_assert_int_eq(pe_args_set(args, dim, &given, &errors), PE_REPEATED_PARAMETER);
    pe_args_free(args);
}
END_TEST

static const struct pe_param own = {
    .name = "lengths", .type = PE_REALS, .max = 100, .multiple_of = 1};

static const struct {
    const char *text, *detail; /* NULL: 8,16 */
} own_values[] = {
    {"8,16", NULL},
    {"8,16.5", "must be whole numbers 0..100, such as 8,128; got 16.5"},
    {"8,x", "must be whole numbers 0..100, such as 8,128; got 8,x"},
    {"101", "must be whole numbers 0..100, such as 8,128; got 101"},
    {"", "must be whole numbers 0..100, such as 8,128; got nothing"},
};

START_TEST(a_row_of_the_callers_own_is_read_by_the_rules_of_encodings)
{
    struct pe_given given = {.text = own_values[_i].text, .len = strlen(own_values[_i].text)};
    struct pe_errors errors = {.count = 0};
    struct pe_reals lengths = {0};
    enum pe_status status = pe_parse(&own, &lengths, &given, &errors);

    if (own_values[_i].detail) {
        ck_assert_int_ne(status, PE_OK);
        ck_assert_str_eq(errors.at[0].parameter, "lengths");
        ck_assert_str_eq(errors.at[0].detail, own_values[_i].detail);
        ck_assert_ptr_null(lengths.values);
        return;
    }
    ck_assert_int_eq(status, PE_OK);
    ck_assert(lengths.cols == 2 && lengths.values[1] == 16);
    pe_parse_drop(&own, &lengths);
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

SUITE(args_set, TEST(a_row_that_was_found_takes_what_its_name_takes),
      TEST(a_row_without_an_encoding_is_parsed_into_any_field),
      TEST_EACH(a_row_of_the_callers_own_is_read_by_the_rules_of_encodings, own_values),
      TEST(all_problems_are_reported_at_once), TEST(an_unknown_name_of_any_length_is_cut));
