/* SPDX-License-Identifier: Apache-2.0
 * test_layout_2d.c - worked examples, a law, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

#define TABLES                                                                                 \
    "x_position_embeddings=1;2;3&y_position_embeddings=10;20;30&"                              \
    "h_position_embeddings=.5;100&w_position_embeddings=.25;1000;2000"
#define PAGE                                                                                   \
    "x_position_embeddings=f32:1001x2&y_position_embeddings=f32:1001x2&"                       \
    "h_position_embeddings=f32:1001x2&w_position_embeddings=f32:1001x2"

START_TEST(worked_examples_come_out)
{
    /* 1 + 20 + 3 + 30 + H[1] + W[2]; 2 + 10 + 2 + 10 + H[0] + W[0] */
    core_query_prints("layout-2d", TABLES "&boxes=0,1,2,2;1,0,1,0", "rows", "2154 24.75");
    core_query_prints("layout-2d", TABLES "&boxes=0,1,2,2&version=3", "rows",
                      "1 20 3 30 100 2000");
    core_query_prints("layout-2d", TABLES "&boxes=2,1,0,0&version=3", "rows",
                      "3 20 1 10 0.5 0.25"); /* sides below 0 are 0 */
}
END_TEST

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

static const struct core_refusal refused[] = {
    {TABLES, PE_MISSING_PARAMETER, "boxes", "is required, or patches", ""},
    {PAGE "&boxes=0,0,1,1&patches=2x2", PE_CONFLICT, "boxes", "are made from patches", ""},
    {TABLES "&boxes=0,1,2", PE_BAD_VALUE, "boxes", "rows of four, x0,y0,x1,y1; got 3", ""},
    {TABLES "&boxes=0,1,2,1.5", PE_BAD_VALUE, "boxes", "must hold whole numbers; got 1.5", ""},
    {TABLES "&boxes=2,1,0,1", PE_BAD_VALUE, "boxes", "must have x0 <= x1 and y0 <= y1", ""},
    {TABLES "&boxes=0,0,3,1", PE_OUT_OF_RANGE, "x_position_embeddings",
     "must have a row 3 for box 0; it has 3 rows", ""},
    {TABLES "&boxes=0,0,1,2", PE_OUT_OF_RANGE, "h_position_embeddings",
     "must have a row 2 for box 0; it has 2 rows", ""},
    {TABLES "&patches=2x2", PE_OUT_OF_RANGE, "x_position_embeddings", "must have a row", ""},
    {"x_position_embeddings=1;2&y_position_embeddings=1,2;3,4&h_position_embeddings=1;2&"
     "w_position_embeddings=1;2&boxes=0,0,1,1",
     PE_CONFLICT, "y_position_embeddings", "must be as wide as x_position_embeddings, 1", ""},
    {TABLES "&boxes=0,0,1,1001", PE_OUT_OF_RANGE, "boxes", "0..1000", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("layout-2d"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(worked_examples_come_out),
    TEST(patches_are_boxes_between_the_lines_of_their_grid),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite layout_2d_suite = {SUITE_TESTS(tests)};
