/* SPDX-License-Identifier: Apache-2.0
 * test_relative_projection.c - curves mixed by queries: worked examples, laws, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"relative-projection", "q=2,3&k=0&curves=0,1,2;1,1,1&weights=1,.5;1,.5", "bias", "2.5 0"},
    {"relative-projection", "q=0&k=0,1,2&curves=3,1,2&weights=2", "bias", "6 0 0"},
    {"relative-projection", "q=1,2&k=0,1&curves=1,2;10,20&weights=1,0;0,1", "bias", "2 1 0 20"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints(examples[_i].encoding, examples[_i].query, examples[_i].output,
                      examples[_i].numbers);
}
END_TEST

static const struct {
    const char *encoding;
    struct core_refusal refusal;
} refused[] = {
    {"relative-projection",
     {"q=2&k=0&curves=0,1,2;1,1,1&weights=1", PE_CONFLICT, "weights",
      "must hold 1 queries of 2 curves; got 1 of 1", ""}},
    {"relative-projection",
     {"grid=2x2&curves=0,1,2&weights=1", PE_CONFLICT, "curves",
      "must have 3 axes, axes,curves,columns", ""}},
    {"relative-projection",
     {"len=1&curves=0,1", PE_MISSING_PARAMETER, "weights", "is required: shares of the curves",
      ""}},
    {"relative-projection",
     {"q=0&curves=0,1&weights=1", PE_MISSING_PARAMETER, "k", "is required, or len", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(queries_that_weigh_nothing_have_no_bias)
{
    double *bias = core_query_values("relative-projection",
                                     "len=2&curves=1,2;3,4&weights=0,0;1,1", "bias", NULL);

    ck_assert(bias[0] == 0 && bias[1] == 0 && bias[2] == 6 && bias[3] == 4);
    free(bias);
}
END_TEST

START_TEST(rows_and_columns_of_a_grid_are_summed)
{
    double curves[] = {10, 20, 30, 1, 2, 3}, weights[] = {1, 1, 1, 2, 1, 1, 1, 1};
    void *inputs[CORE_TENSOR_MAX] = {curves, weights};
    struct pe_plan *plan =
        core_query_plan(core_query_find("relative-projection"),
                        "grid=2x2&curves=f64:2x1x3&weights=f64:2x1x4x1&dtype=f64");
    static const double last[] = {63, 62, 43, 42}; /* the last patch weighs rows twice */
    double *bias = core_tensor_bytes(plan, 0, inputs);

    ck_assert(bias[0] == 22 && bias[1] == 21 && bias[2] == 12 && bias[3] == 11);
    ck_assert_mem_eq(bias + 12, last, sizeof last);
    free(bias);
    pe_plan_free(plan);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(queries_that_weigh_nothing_have_no_bias),
    TEST(rows_and_columns_of_a_grid_are_summed),
};

const struct suite relative_projection_suite = {SUITE_TESTS(tests)};
