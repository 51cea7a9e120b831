/* SPDX-License-Identifier: Apache-2.0
 * test_resize_table_2d.c - worked examples, rows and columns apart, refusals. The modes are
 * worked out in test_resize_table_1d.c. */
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *query, *numbers;
} examples[] = {
    {"table=0;1;2;3&new_grid=3x3&mode=bilinear&align_corners=1", "0 0.5 1 1 1.5 2 2 2.5 3"},
    {"table=0;1;2;3&new_grid=1x1", "1.5"},
    {"table=9,8;0,0;1,2;2,4;3,6&num_prefix_tokens=1&new_grid=1x2&mode=bilinear", "9 8 1 2 2 4"},
    {"table=0;1;2;3;4;5&old_grid=2x3&new_grid=2x3", "0 1 2 3 4 5"},
    {"table=0;1;2;3;4;5&old_grid=3x2&new_grid=1x1&mode=nearest", "0"},
    {"table=0;1;2;3;4;5&old_grid=3x2&new_grid=1x1&mode=nearest-exact", "3"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints("resize-table-2d", examples[_i].query, "rows", examples[_i].numbers);
}
END_TEST

/* A table of f(y) + g(x) is resized to the resized f plus the resized g. */
START_TEST(rows_and_columns_are_resized_apart)
{
    static const char *const modes[] = {"linear", "bicubic", "lanczos", "nearest-exact",
                                        "bicubic&antialias=0&scale_trick=0.1"};
    static const char f[] = "0;1;5", g[] = "0;10;20;-40";
    static const char sum[] = "0;10;20;-40;1;11;21;-39;5;15;25;-35";

    for (size_t m = 0; m < PE_LEN(modes); m++) {
        char query[3][160];
        double *rows[3];

        snprintf(query[0], sizeof query[0], "table=%s&new_len=5&dtype=f64&mode=%s", f,
                 modes[m]);
        snprintf(query[1], sizeof query[1], "table=%s&new_len=2&dtype=f64&mode=%s", g,
                 modes[m]);
        snprintf(query[2], sizeof query[2],
                 "table=%s&old_grid=3x4&new_grid=5x2&dtype=f64&mode=%s", sum, modes[m]);
        for (size_t i = 0; i < 3; i++)
            rows[i] = core_query_values(i < 2 ? "resize-table-1d" : "resize-table-2d", query[i],
                                        "rows", NULL);
        for (size_t y = 0; y < 5; y++)
            for (size_t x = 0; x < 2; x++)
                ck_assert_double_eq_tol(rows[2][y * 2 + x], rows[0][y] + rows[1][x], 1e-13);
        for (size_t i = 0; i < 3; i++)
            free(rows[i]);
    }
}
END_TEST

static const struct core_refusal refused[] = {
    {"table=0;1;2;3", PE_MISSING_PARAMETER, "new_grid", "is required", ""},
    {"table=0;1;2&new_grid=2x2", PE_MISSING_PARAMETER, "old_grid",
     "is required: 3 rows of table, without the prefix, are no square", ""},
    {"table=0;1;2;3&new_grid=2x2&old_grid=1x3", PE_CONFLICT, "old_grid",
     "as many places as table has rows without the prefix, 4; got 1x3", ""},
    {"table=0;1;2;3&new_grid=2x2&num_prefix_tokens=4", PE_CONFLICT, "num_prefix_tokens",
     "must leave rows of table", ""},
    {"table=0;1;2;3&new_grid=2x2&mode=nearest&align_corners=1", PE_CONFLICT, "align_corners",
     "has no effect with mode=nearest", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("resize-table-2d"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST(rows_and_columns_are_resized_apart),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite resize_table_2d_suite = {SUITE_TESTS(tests)};
