/* SPDX-License-Identifier: Apache-2.0
 * test_multidim_sine.c - a sinusoid an axis: worked examples, a law, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct core_known known[] = {
    {"grid_sizes=2,1&dim=6", "table",
     "0 1 0 1 0 1 .841470985 .540302306 .00999983333 .999950000 0 1"},
    {"grid_sizes=2&dim=3", "table", "0 1 0 .841470985 .540302306 .00999983333"},
};

START_TEST(worked_examples_come_out)
{
    core_query_known("multidim-sine", &known[_i]);
}
END_TEST

START_TEST(one_axis_of_even_width_is_the_sinusoid)
{
    size_t count, other_count;
    double *table =
        core_query_values("multidim-sine", "grid_sizes=9&dim=8&dtype=f64", "table", &count);
    double *rows =
        core_query_values("sinusoidal", "pos=0:9&dim=8&dtype=f64", "rows", &other_count);

    ck_assert_uint_eq(count, other_count);
    for (size_t i = 0; i < count; i++)
        ck_assert(table[i] == rows[i]);
    free(table);
    free(rows);
}
END_TEST

static const struct core_refusal refused[] = {
    {"grid_sizes=2,2,2,2&dim=8", PE_CONFLICT, "grid_sizes", "must have 1 to 3 axes; got 4", ""},
    {"grid_sizes=2.5&dim=8", PE_BAD_VALUE, "grid_sizes", "must be whole numbers; got 2.5", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("multidim-sine"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(one_axis_of_even_width_is_the_sinusoid),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite multidim_sine_suite = {SUITE_TESTS(tests)};
