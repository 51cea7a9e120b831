/* SPDX-License-Identifier: Apache-2.0
 * test_pose.c - a law beyond the rows of pose.txt. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(runs_are_as_many_as_asked_and_end_in_the_context)
{
    for (int seed = 0; seed < 20; seed++) {
        size_t count, steps = 0;
        char query[80];
        double *ids;

        snprintf(query, sizeof query, "length=50&max_position=100000&chunks=5&seed=%d", seed);
        ids = core_query_values("pose", query, "ids", &count);
        for (size_t i = 1; i < count; i++) {
            ck_assert_double_gt(ids[i], ids[i - 1]);
            steps += ids[i] > ids[i - 1] + 1;
        }
        ck_assert_uint_le(steps, 4);
        ck_assert(ids[0] == 0 && ids[count - 1] < 100000);
        free(ids);
    }
}
END_TEST

SUITE(pose, TEST(runs_are_as_many_as_asked_and_end_in_the_context));
