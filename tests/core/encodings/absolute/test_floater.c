/* SPDX-License-Identifier: Apache-2.0
 * test_floater.c - codes along a path: laws beyond the rows of floater.txt. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

#define TURN "p0=1,0&a=0,-1;1,0&dtype=f64&dt_position=0.1"

START_TEST(a_code_depends_on_its_position_alone)
{
    static const double at[] = {7, -3.3, 0, 2.5, 7, -11};
    size_t count;
    double *rows = core_query_values("floater", TURN "&solver_step=0.03&pos=7,-3.3,0,2.5,7,-11",
                                     "rows", &count);

    ck_assert_uint_eq(count, 12);
    for (size_t i = 0; i < PE_LEN(at); i++) {
        char query[160];
        double *row;

        snprintf(query, sizeof query, TURN "&solver_step=0.03&pos=%.17g", at[i]);
        row = core_query_values("floater", query, "rows", NULL);
        ck_assert_mem_eq(row, rows + 2 * i, 2 * sizeof *row);
        free(row);
    }
    free(rows);
}
END_TEST

static double error_at(const char *query)
{
    double *row = core_query_values("floater", query, "rows", NULL);
    double error = hypot(row[0] - cos(2), row[1] - sin(2));

    free(row);
    return error;
}

START_TEST(half_the_step_leaves_a_sixteenth_of_the_error_and_half_for_euler)
{
    double ratio =
        error_at(TURN "&pos=20&solver_step=0.1") / error_at(TURN "&pos=20&solver_step=0.05");
    double euler = error_at(TURN "&pos=20&solver_step=0.01&solver=euler") /
                   error_at(TURN "&pos=20&solver_step=0.005&solver=euler");

    ck_assert(ratio > 15.9 && ratio < 16.1);
    ck_assert(euler > 1.98 && euler < 2.02);
}
END_TEST

SUITE(floater, TEST(a_code_depends_on_its_position_alone),
      TEST(half_the_step_leaves_a_sixteenth_of_the_error_and_half_for_euler));
