/* SPDX-License-Identifier: Apache-2.0
 * test_radix.c - a law beyond the rows of radix.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(digits_weighted_by_their_powers_are_the_position)
{
    size_t count;
    double *rows =
        core_query_values("radix", "pos=0:3000:7&digits=5&base=6&dtype=f64", "rows", &count);

    ck_assert_uint_eq(count, 5 * 429);
    for (size_t r = 0; r < count / 5; r++) {
        double sum = 0;

        for (size_t c = 0; c < 5; c++)
            sum = 6 * sum + rows[5 * r + c];
        ck_assert_double_eq(sum, 7 * (double)r);
    }
    free(rows);
}
END_TEST

SUITE(radix, TEST(digits_weighted_by_their_powers_are_the_position));
