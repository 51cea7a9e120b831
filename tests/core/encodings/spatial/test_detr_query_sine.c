/* SPDX-License-Identifier: Apache-2.0
 * test_detr_query_sine.c - points and boxes: a law beyond the rows of detr_query_sine.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(boxes_begin_with_their_centers)
{
    double *boxes = core_query_values(
        "detr-query-sine", "boxes=.3,.7,.2,.1&num_pos_feats=6&dtype=f64", "rows", NULL);
    double *points = core_query_values("detr-query-sine",
                                       "points=.3,.7&num_pos_feats=6&dtype=f64", "rows", NULL);

    for (size_t i = 0; i < 12; i++)
        ck_assert(boxes[i] == points[i]);
    free(boxes);
    free(points);
}
END_TEST

SUITE(detr_query_sine, TEST(boxes_begin_with_their_centers));
