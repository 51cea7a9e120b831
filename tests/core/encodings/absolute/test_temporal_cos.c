/* SPDX-License-Identifier: Apache-2.0
 * test_temporal_cos.c - a law beyond the rows of temporal_cos.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(times_and_their_opposites_look_alike)
{
    size_t count;
    double *rows =
        core_query_values("temporal-cos", "pos=12.5,-12.5&dim=16&dtype=f64", "rows", &count);

    ck_assert_uint_eq(count, 32);
    for (size_t c = 0; c < 16; c++)
        ck_assert_double_eq(rows[c], rows[16 + c]);
    free(rows);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(times_and_their_opposites_look_alike),
};

const struct suite temporal_cos_suite = {SUITE_TESTS(tests)};
