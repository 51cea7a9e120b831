/* SPDX-License-Identifier: Apache-2.0
 * test_resize_table_1d.c - laws of every mode beyond the rows of resize_table_1d.txt. */
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* The weights of a position sum to 1 in every mode: a constant stays constant to the last bit
 * of float32, and channels do not mix. */
START_TEST(a_constant_is_resized_to_itself)
{
    static const char *const modes[] = {"nearest",
                                        "nearest-exact",
                                        "linear",
                                        "bicubic",
                                        "lanczos",
                                        "linear&antialias=0",
                                        "bicubic&antialias=0&scale_trick=0.1",
                                        "bicubic&align_corners=1"};
    static const char *const lengths[] = {"1", "2", "5", "6", "7", "13", "200"};

    for (size_t m = 0; m < PE_LEN(modes); m++) {
        for (size_t n = 0; n < PE_LEN(lengths); n++) {
            char query[128];
            size_t count;
            double *rows;

            snprintf(query, sizeof query,
                     "table=3,-7;3,-7;3,-7;3,-7;3,-7;3,-7&new_len=%s&mode=%s", lengths[n],
                     modes[m]);
            rows = core_query_values("resize-table-1d", query, "rows", &count);
            for (size_t i = 0; i < count; i++)
                ck_assert_msg(rows[i] == (i % 2 ? -7 : 3), "%s: %.17g", query, rows[i]);
            free(rows);
        }
    }
}
END_TEST

/* The sum is the real number rounded also where terms cancel: mirrored positions give -x and
 * x. */
START_TEST(an_odd_table_stays_odd_through_its_zero)
{
    static const char query[] = "table=-1.1;-0.3;0.3;1.1&new_len=9&dtype=f64";
    double *rows = core_query_values("resize-table-1d", query, "rows", NULL);

    ck_assert_double_eq(rows[4], 0);
    for (size_t i = 0; i < 4; i++)
        ck_assert_double_eq_tol(rows[i], -rows[8 - i], 1e-15);
    free(rows);
}
END_TEST

SUITE(resize_table_1d, TEST(a_constant_is_resized_to_itself),
      TEST(an_odd_table_stays_odd_through_its_zero));
