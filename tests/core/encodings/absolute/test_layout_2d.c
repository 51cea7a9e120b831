/* SPDX-License-Identifier: Apache-2.0
 * test_layout_2d.c - a law beyond the rows of layout_2d.txt. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

#define PAGE                                                                                   \
    "x_position_embeddings=f32:1001x2&y_position_embeddings=f32:1001x2&"                       \
    "h_position_embeddings=f32:1001x2&w_position_embeddings=f32:1001x2"

/* A grid of 3 has its lines at 0, 333, 666 and 1000. */
START_TEST(patches_are_boxes_between_the_lines_of_their_grid)
{
    static const char *const queries[] = {
        PAGE "&patches=1x3",
        PAGE "&boxes=1,1,999,999;0,0,333,1000;333,0,666,1000;666,0,1000,1000",
        PAGE "&patches=3x1&version=3",
        PAGE "&boxes=1,1,999,999;0,0,1000,333;0,333,1000,666;0,666,1000,1000&version=3"};

    for (size_t i = 0; i < PE_LEN(queries); i += 2) {
        size_t count, again;
        double *patches = core_query_values("layout-2d", queries[i], "rows", &count);
        double *boxes = core_query_values("layout-2d", queries[i + 1], "rows", &again);

        ck_assert_uint_eq(count, i == 0 ? 8 : 48);
        ck_assert_uint_eq(again, count);
        for (size_t j = 0; j < count; j++)
            ck_assert_double_eq(patches[j], boxes[j]);
        free(patches);
        free(boxes);
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST(patches_are_boxes_between_the_lines_of_their_grid),
};

const struct suite layout_2d_suite = {SUITE_TESTS(tests)};
