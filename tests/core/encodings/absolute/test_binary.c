/* SPDX-License-Identifier: Apache-2.0
 * test_binary.c - a law beyond the rows of binary.txt. */
#include <math.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(neighbours_in_gray_code_differ_in_one_bit)
{
    size_t count;
    double *rows = core_query_values("binary", "pos=0:256&dim=8&code=gray", "rows", &count);

    ck_assert_uint_eq(count, 2048);
    for (size_t r = 0; r < 256; r++) { /* 255 and 0 are neighbours too */
        double differ = 0;

        for (size_t c = 0; c < 8; c++)
            differ += fabs(rows[8 * r + c] - rows[8 * ((r + 1) % 256) + c]);
        ck_assert_double_eq(differ, 1);
    }
    free(rows);
}
END_TEST

SUITE(binary, TEST(neighbours_in_gray_code_differ_in_one_bit));
