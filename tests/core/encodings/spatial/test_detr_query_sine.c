/* SPDX-License-Identifier: Apache-2.0
 * test_detr_query_sine.c - points and boxes: worked examples, a law, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct core_known known[] = {
    {"points=.25,.5&num_pos_feats=4", "rows",
     "0 -1 .0314107591 .99950656 1 0 .0157073173 .999876632"},
    {"boxes=.25,.5,1,.75&num_pos_feats=2", "rows", "0 -1 1 0 0 1 -1 0"},
    {"boxes=1,1,1,1&num_pos_feats=3&base=10&base_w=1&scale=1", "rows",
     ".841470985 .540302306 .213780666 .841470985 .540302306 .841470985 .841470985 "
     ".540302306 .841470985 .841470985 .540302306 .213780666"},
};

START_TEST(worked_examples_come_out)
{
    core_query_known("detr-query-sine", &known[_i]);
}
END_TEST

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

static const struct core_refusal refused[] = {
    {"num_pos_feats=4", PE_MISSING_PARAMETER, "points", "or boxes is required", ""},
    {"points=1,2&boxes=1,2,3,4", PE_CONFLICT, "boxes", "cannot be given together", ""},
    {"points=1,2,3", PE_CONFLICT, "points", "must have 2 columns; got 3", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("detr-query-sine"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(boxes_begin_with_their_centers),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite detr_query_sine_suite = {SUITE_TESTS(tests)};
