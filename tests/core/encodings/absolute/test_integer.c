/* SPDX-License-Identifier: Apache-2.0
 * test_integer.c - a law beyond the rows of integer.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(neighbours_differ_by_the_step)
{
    size_t count;
    double *rows = core_query_values(
        "integer", "len=100&start=-4503599627370496&step=1099511627776", "rows", &count);

    ck_assert_uint_eq(count, 100);
    for (size_t i = 1; i < count; i++)
        ck_assert_double_eq(rows[i] - rows[i - 1], 1099511627776.0);
    free(rows);
}
END_TEST

SUITE(integer, TEST(neighbours_differ_by_the_step));
