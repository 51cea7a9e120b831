/* SPDX-License-Identifier: Apache-2.0
 * test_coordconv.c - coordinates as channels: a law beyond the rows of coordconv.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(opposite_pixels_have_opposite_coordinates)
{
    size_t count;
    double *map = core_query_values("coordconv", "grid=3x7&dtype=f64", "map", &count);

    ck_assert_uint_eq(count, 42);
    for (size_t i = 0; i < 21; i++) {
        ck_assert(map[i] == -map[20 - i]);
        ck_assert(map[21 + i] == -map[41 - i]);
    }
    free(map);
}
END_TEST

SUITE(coordconv, TEST(opposite_pixels_have_opposite_coordinates));
