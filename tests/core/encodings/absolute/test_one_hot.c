/* SPDX-License-Identifier: Apache-2.0
 * test_one_hot.c - a law beyond the rows of one_hot.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(a_row_times_a_table_is_a_row_of_the_table)
{
    size_t count;
    double *rows = core_query_values("one-hot", "pos=3,0,7,7&dim=8", "rows", &count);
    const double wanted[] = {3, 0, 7, 7};

    ck_assert_uint_eq(count, 32);
    for (size_t r = 0; r < 4; r++) {
        double sum = 0, ones = 0;

        for (size_t c = 0; c < 8; c++) {
            sum += rows[8 * r + c] * (double)c; /* row i of the table holds i */
            ones += rows[8 * r + c];
        }
        ck_assert_double_eq(sum, wanted[r]);
        ck_assert_double_eq(ones, 1);
    }
    free(rows);
}
END_TEST

SUITE(one_hot, TEST(a_row_times_a_table_is_a_row_of_the_table));
