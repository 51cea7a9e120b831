/* SPDX-License-Identifier: Apache-2.0
 * test_args_set.c - giving parameters by name, in every way in which a caller can give a value.
 * Names that are unknown, given twice or without a value are rows of names.txt. */
#include <stdlib.h>
#include <string.h>

#include "core/args/args.h"
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

/* Arguments of sample, their values, and the problems so far. */
struct trial {
    struct pe_args *args;
    const struct sample *values;
    struct pe_errors errors;
};

static struct trial *trial_new(void)
{
    struct trial *trial = calloc(1, sizeof *trial);

    trial->args = pe_args_new(&core_sample);
    trial->values = pe_args_struct(trial->args);
    return trial;
}

static void trial_free(struct trial *trial)
{
    pe_args_free(trial->args);
    free(trial);
}

static enum pe_status set_number(struct trial *trial, const char *name, double number)
{
    return pe_args_set_number(trial->args, name, strlen(name), number, &trial->errors);
}

START_TEST(numbers_fit_every_type_that_a_number_can_say)
{
    struct trial *t = trial_new();

    ck_assert_int_eq(set_number(t, "dim", 8), PE_OK);
    ck_assert_int_eq(t->values->dim, 8);
    ck_assert_int_eq(set_number(t, "gain", 0.25), PE_OK);
    ck_assert(t->values->gain == 0.25);
    ck_assert_int_eq(set_number(t, "flag", 0), PE_OK);
    ck_assert(!t->values->flag);
    ck_assert_int_eq(set_number(t, "weights", 0.5), PE_OK);
    ck_assert(t->values->weights.cols == 1 && t->values->weights.values[0] == 0.5);
    ck_assert_int_eq(set_number(t, "times", 2.5), PE_OK);
    ck_assert(pe_positions_at(t->values->times, 0) == 2.5);
    trial_free(t);
}
END_TEST

START_TEST(numbers_do_not_fit_the_others)
{
    static const char *const names[] = {"mode", "grid", "x", "out", "dtype"};

    for (size_t i = 0; i < PE_LEN(names); i++) {
        struct trial *t = trial_new();

        ck_assert_int_eq(set_number(t, names[i], 1.5), PE_BAD_VALUE);
        ck_assert_str_eq(t->errors.at[0].parameter, names[i]);
        ck_assert_msg(strstr(t->errors.at[0].detail, "got 1.5"), "%s", t->errors.at[0].detail);
        trial_free(t);
    }
}
END_TEST

START_TEST(a_number_is_checked_as_a_text_is)
{
    struct trial *t = trial_new();

    ck_assert_int_eq(set_number(t, "dim", 2.5), PE_BAD_VALUE);
    ck_assert_str_eq(t->errors.at[0].detail, "must be an even number, 2..64; got 2.5");
    ck_assert_int_eq(set_number(t, "dim", 4), PE_REPEATED_PARAMETER); /* it was given */
    ck_assert_int_eq(set_number(t, "steps", 31), PE_OUT_OF_RANGE);
    ck_assert_int_eq(set_number(t, "dmi", 4), PE_UNKNOWN_PARAMETER);
    ck_assert_int_eq(set_number(t, "pos", 1e300), PE_OUT_OF_RANGE);
    trial_free(t);
}
END_TEST

START_TEST(booleans_fit_booleans_alone)
{
    struct trial *t = trial_new();

    ck_assert_int_eq(pe_args_set_bool(t->args, "flag", 4, false, &t->errors), PE_OK);
    ck_assert(!t->values->flag);
    ck_assert_int_eq(pe_args_set_bool(t->args, "wish", 4, true, &t->errors), PE_OK);
    ck_assert(t->values->wish);
    ck_assert_int_eq(pe_args_set_bool(t->args, "dim", 3, true, &t->errors), PE_BAD_VALUE);
    ck_assert_str_eq(t->errors.at[0].detail, "must be an even number, 2..64; got true");
    trial_free(t);
}
END_TEST

START_TEST(arrays_fit_lists_and_positions_alone)
{
    static const double list[] = {0, 1, 2, 5};
    static const struct {
        const char *name, *detail;
    } wrong[] = {
        {"dim", "must be an even number, 2..64; got an array"},
        {"flag", "must be 0, 1, true or false; got an array"},
        {"out", "must be text; got an array of numbers"},
        {"dtype", "must be text; got an array of numbers"},
        {"x", "must be numbers such as 1,0,0,1, or a tensor in the body; got an array"},
    };
    struct trial *t = trial_new();

    ck_assert_int_eq(pe_args_set_reals(t->args, "pos", 3, list, 1, 4, &t->errors), PE_OK);
    ck_assert_uint_eq(pe_positions_count(t->values->pos), 4);
    ck_assert_int_eq(pe_args_set_reals(t->args, "pos", 3, list, 1, 4, &t->errors),
                     PE_REPEATED_PARAMETER);
    ck_assert_int_eq(pe_args_set_reals(t->args, "times", 5, list, 2, 2, &t->errors),
                     PE_BAD_VALUE);
    ck_assert_str_eq(t->errors.at[1].detail,
                     "must be positions such as 0:128 or 5,9,12; got an array");
    for (size_t i = 0; i < PE_LEN(wrong); i++) {
        ck_assert_int_eq(pe_args_set_reals(t->args, wrong[i].name, strlen(wrong[i].name), list,
                                           1, 4, &t->errors),
                         PE_BAD_VALUE);
        ck_assert_str_eq(t->errors.at[i + 2].parameter, wrong[i].name);
        ck_assert_str_eq(t->errors.at[i + 2].detail, wrong[i].detail);
    }
    trial_free(t);
}
END_TEST

START_TEST(an_array_of_positions_replaces_the_default)
{
    static const double list[] = {7, 8, 0.5};
    struct trial *t = trial_new();

    ck_assert_int_eq(pe_args_set_reals(t->args, "where", 5, list, 1, 2, &t->errors), PE_OK);
    ck_assert(pe_positions_at(t->values->where, 0) == 7);
    trial_free(t);
    t = trial_new();
    ck_assert_int_eq(pe_args_set_reals(t->args, "where", 5, list, 1, 3, &t->errors),
                     PE_BAD_VALUE);
    ck_assert_str_eq(t->errors.at[0].detail,
                     "must be whole positions here; got 0.5 at index 2");
    trial_free(t);
}
END_TEST

START_TEST(tensors_fit_tensors_alone)
{
    static const char *const wrong[] = {"dim", "out", "dtype", "weights"};
    struct pe_tensor tensor = {PE_F16, 2, {3, 4}};
    struct trial *t = trial_new();

    ck_assert_int_eq(pe_args_set_tensor(t->args, "x", 1, &tensor, &t->errors), PE_OK);
    ck_assert(t->values->x.dtype == PE_F16 && t->values->x.dims[1] == 4);
    ck_assert_int_eq(pe_args_set_tensor(t->args, "x", 1, &tensor, &t->errors),
                     PE_REPEATED_PARAMETER);
    ck_assert_int_eq(pe_args_set_tensor(t->args, "y", 1, &tensor, &t->errors),
                     PE_UNKNOWN_PARAMETER);
    for (size_t i = 0; i < PE_LEN(wrong); i++) {
        ck_assert_int_eq(
            pe_args_set_tensor(t->args, wrong[i], strlen(wrong[i]), &tensor, &t->errors),
            PE_BAD_VALUE);
        ck_assert_str_eq(t->errors.at[i + 2].parameter, wrong[i]);
        ck_assert_str_eq(t->errors.at[i + 2].detail, "takes no tensor");
    }
    trial_free(t);
    t = trial_new();
    tensor.rank = 0;
    ck_assert_int_eq(pe_args_set_tensor(t->args, "x", 1, &tensor, &t->errors), PE_BAD_VALUE);
    ck_assert_str_eq(t->errors.at[0].detail, "must have an axis at least; got a scalar");
    trial_free(t);
}
END_TEST

START_TEST(a_row_that_was_found_takes_what_its_name_takes)
{
    const struct pe_param *dim = pe_param_find(&core_sample, "dim", 3);
    struct pe_given given = {.kind = PE_GIVEN_NUMBER, .number = 8};
    struct trial *t = trial_new();

    ck_assert_str_eq(dim->name, "dim");
    ck_assert_ptr_null(pe_param_find(&core_sample, "dmi", 3));
    ck_assert_ptr_null(pe_param_find(NULL, "dim", 3));
    ck_assert_ptr_eq(pe_param_find(NULL, "out", 3), pe_param_find(&core_sample, "out", 3));
    ck_assert_int_eq(pe_args_set(t->args, dim, &given, &t->errors), PE_OK);
    ck_assert_int_eq(t->values->dim, 8);
    ck_assert_int_eq(pe_args_set(t->args, dim, &given, &t->errors), PE_REPEATED_PARAMETER);
    trial_free(t);
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

static const struct suite_test tests[] = {
    TEST(a_row_that_was_found_takes_what_its_name_takes),
    TEST_EACH(a_row_of_the_callers_own_is_read_by_the_rules_of_encodings, own_values),
    TEST(all_problems_are_reported_at_once),
    TEST(an_unknown_name_of_any_length_is_cut),
    TEST(numbers_fit_every_type_that_a_number_can_say),
    TEST(numbers_do_not_fit_the_others),
    TEST(a_number_is_checked_as_a_text_is),
    TEST(booleans_fit_booleans_alone),
    TEST(arrays_fit_lists_and_positions_alone),
    TEST(an_array_of_positions_replaces_the_default),
    TEST(tensors_fit_tensors_alone),
};

const struct suite args_set_suite = {SUITE_TESTS(tests)};
