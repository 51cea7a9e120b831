/* SPDX-License-Identifier: Apache-2.0
 * test_normalized.c - a law beyond the rows of normalized.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(the_signed_interval_is_odd_about_the_middle)
{
    for (int centres = 0; centres < 2; centres++) {
        size_t count;
        double *rows =
            core_query_values("normalized",
                              centres ? "len=99&interval=-1..1&dtype=f64&endpoint=centres"
                                      : "len=99&interval=-1..1&dtype=f64",
                              "rows", &count);

        for (size_t i = 0; i < count; i++)
            ck_assert_double_eq(rows[i], 0 - rows[count - 1 - i]);
        free(rows);
    }
}
END_TEST

SUITE(normalized, TEST(the_signed_interval_is_odd_about_the_middle));
