/* SPDX-License-Identifier: Apache-2.0
 * test_random_positions.c - a law beyond the rows of random_positions.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(positions_grow_and_stay_below_the_bound)
{
    size_t count;
    double *ids = core_query_values(
        "random-positions", "len=1000&max_position=9007199254740992&seed=9", "ids", &count);

    ck_assert_uint_eq(count, 1000);
    for (size_t i = 1; i < count; i++)
        ck_assert_double_gt(ids[i], ids[i - 1]);
    ck_assert(ids[0] >= 0 && ids[999] < 9007199254740992);
    free(ids);
}
END_TEST

SUITE(random_positions, TEST(positions_grow_and_stay_below_the_bound));
