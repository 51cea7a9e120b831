/* SPDX-License-Identifier: Apache-2.0
 * test_tupe.c - TUPE's untied positions: a law beyond the rows of tupe.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(the_relative_part_is_t5s_with_the_buckets_of_tupe)
{
    double *both = core_query_values(
        "tupe", "len=5&table=0;0;0;0;0;0&layer_norm=0&relative_table=1;2;3;4;5&max_distance=3",
        "bias", NULL);
    double *alone = core_query_values(
        "t5", "len=5&out=bias&variant=tupe&num_buckets=4&max_distance=3&table=1;2;3;4;5",
        "bias", NULL);

    for (int i = 0; i < 25; i++)
        ck_assert(both[i] == alone[i]);
    free(both);
    free(alone);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(the_relative_part_is_t5s_with_the_buckets_of_tupe),
};

const struct suite tupe_suite = {SUITE_TESTS(tests)};
