/* SPDX-License-Identifier: Apache-2.0
 * test_resize_table_2d.c - rows and columns are resized apart. */
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

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

SUITE(resize_table_2d, TEST(rows_and_columns_are_resized_apart));
