/* SPDX-License-Identifier: Apache-2.0
 * test_multidim_sine.c - a sinusoid an axis: a law beyond the rows of multidim_sine.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

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

static const struct suite_test tests[] = {
    TEST(one_axis_of_even_width_is_the_sinusoid),
};

const struct suite multidim_sine_suite = {SUITE_TESTS(tests)};
