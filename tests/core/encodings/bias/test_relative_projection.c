/* SPDX-License-Identifier: Apache-2.0
 * test_relative_projection.c - curves mixed by queries: laws beyond the rows of
 * relative_projection.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

START_TEST(rows_and_columns_of_a_grid_are_summed)
{
    double curves[] = {10, 20, 30, 1, 2, 3}, weights[] = {1, 1, 1, 2, 1, 1, 1, 1};
    void *inputs[CORE_TENSOR_MAX] = {curves, weights};
    struct pe_plan *plan =
        core_query_plan(core_query_find("relative-projection"),
                        "grid=2x2&curves=f64:2x1x3&curve_weights=f64:2x1x4x1&dtype=f64");
    static const double last[] = {63, 62, 43, 42}; /* the last patch weighs rows twice */
    double *bias = core_tensor_bytes(plan, 0, inputs);

    ck_assert(bias[0] == 22 && bias[1] == 21 && bias[2] == 12 && bias[3] == 11);
    ck_assert_mem_eq(bias + 12, last, sizeof last);
    free(bias);
    pe_plan_free(plan);
}
END_TEST

SUITE(relative_projection, TEST(rows_and_columns_of_a_grid_are_summed));
