/* SPDX-License-Identifier: Apache-2.0
 * test_ids_videorope.c - ids of VideoRoPE: a law beyond the rows of ids_videorope.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(the_middle_of_a_frame_has_its_time_on_all_axes)
{
    size_t count;
    double *ids =
        core_query_values("ids-videorope", "segments=text:3,video:4x5x7", "ids", &count);
    size_t tokens = count / 3;

    for (size_t frame = 0; frame < 4; frame++) {
        size_t middle = 3 + frame * 35 + 2 * 7 + 3;

        ck_assert(ids[middle] == 3 + 2 * (double)frame);
        ck_assert(ids[tokens + middle] == ids[middle]);
        ck_assert(ids[2 * tokens + middle] == ids[middle]);
    }
    free(ids);
}
END_TEST

SUITE(ids_videorope, TEST(the_middle_of_a_frame_has_its_time_on_all_axes));
