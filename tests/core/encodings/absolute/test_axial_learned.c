/* SPDX-License-Identifier: Apache-2.0
 * test_axial_learned.c - a law beyond the rows of axial_learned.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* The table is factorised: differences between columns are the same in every row. */
START_TEST(a_sum_of_tables_has_no_term_of_both)
{
    static const char query[] =
        "row_table=f32:4x300&col_table=f32:5x300&kind=pix2struct&grid=4x5&dtype=f64";
    double *rows = core_query_values("axial-learned", query, "rows", NULL);

    for (size_t y = 1; y < 4; y++) {
        for (size_t x = 1; x < 5; x++) {
            for (size_t i = 0; i < 300; i++) {
                const double *at = rows + i;

                ck_assert_double_eq_tol(at[(y * 5 + x) * 300] - at[y * 5 * 300],
                                        at[x * 300] - at[0], 1e-12);
            }
        }
    }
    free(rows);
}
END_TEST

SUITE(axial_learned, TEST(a_sum_of_tables_has_no_term_of_both));
