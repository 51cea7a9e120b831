/* SPDX-License-Identifier: Apache-2.0
 * test_plan_stop.c - a plan of too many operations is refused before it is begun, and every
 * example says how many operations it takes and its shape. Plans that are given up are rows of
 * stopped.txt. */
#include <string.h>

#include "core/plan/plan_size.h"
#include "tests/support/core_query.h"
#include "tests/support/core_sample.h"
#include "tests/support/suite.h"

static enum pe_status plan(struct pe_args *args, const struct pe_limits *limits,
                           struct pe_errors *errors)
{
    struct pe_plan *plan = NULL;
    enum pe_status status;

    pe_errors_clear(errors);
    status = pe_plan_new(&plan, args, NULL, limits, errors);
    ck_assert((status == PE_OK) == (plan != NULL));
    pe_plan_free(plan);
    return status;
}

START_TEST(operations_beyond_the_limit_are_refused_with_their_number)
{
    struct pe_args *args = core_query_checked(&core_sample_sums, "pos=0:4");
    struct pe_limits limits = {.max_elements = 100,
                               .max_prepared = 100,
                               .max_operations = 1000000000};
    struct pe_errors errors;

    ck_assert(pe_args_operations(args) == 1e9);
    ck_assert_int_eq(plan(args, &limits, &errors), PE_OK);
    limits.max_operations = 400000000;
    ck_assert_int_eq(plan(args, &limits, &errors), PE_TOO_LARGE);
    ck_assert_str_eq(errors.at[0].detail, "the answer takes about 1000000000 operations before "
                                          "its first byte; at most 400000000 are done");
    ck_assert_str_eq(errors.at[0].hint,
                     "at most 1/3 of that work fits: ask for less, or in parts");
    ck_assert_uint_eq(errors.at[0].limit, 400000000);
    ck_assert_uint_eq(errors.at[0].requested, 1000000000);
    limits.max_operations = 0; /* any number */
    ck_assert_int_eq(plan(args, &limits, &errors), PE_OK);
    pe_args_free(args);
}
END_TEST

START_TEST(every_example_says_its_operations_and_shape)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);

    for (const char *const *query = pe_examples(enc); *query; query++) {
        struct pe_args *args = core_query_checked(enc, *query);

        struct pe_limits limits = {.max_elements = 1 << 30, .max_prepared = 1 << 30};
        struct pe_plan *made = NULL;
        struct pe_errors errors = {.count = 0};

        ck_assert_int_eq(pe_plan_new(&made, args, NULL, &limits, &errors), PE_OK);
        ck_assert_uint_eq(pe_args_elements(args), pe_plan_elements(made));
        const struct pe_tensor_info tensor = pe_args_tensor(args);
        const struct pe_tensor_info *planned = pe_plan_tensor(made, 0);

        ck_assert_ptr_eq(tensor.output, planned->output);
        ck_assert_uint_eq(tensor.dtype, planned->dtype);
        ck_assert_uint_eq(tensor.rows, planned->rows);
        ck_assert_uint_eq(tensor.cols, planned->cols);
        ck_assert_uint_eq(tensor.rank, planned->rank);
        pe_plan_free(made);
        ck_assert_msg(pe_args_operations(args) >= 0 && pe_args_operations(args) < 1e7, "%s: %g",
                      *query, pe_args_operations(args));
        pe_args_free(args);
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST_COUNTED(every_example_says_its_operations_and_shape, pe_count),
    TEST(operations_beyond_the_limit_are_refused_with_their_number),
};

const struct suite plan_stop_suite = {SUITE_TESTS(tests), .timeout = 60};
