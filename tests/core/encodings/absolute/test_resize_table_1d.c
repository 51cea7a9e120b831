/* SPDX-License-Identifier: Apache-2.0
 * test_resize_table_1d.c - worked examples of every mode, laws, refusals. */
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

#define CURVE "table=0;10;20;40&new_len="

static const struct {
    const char *query, *numbers;
} examples[] = {
    {"table=0;10;20;30&new_len=6&mode=linear", "0 5 11.6667 18.3333 25 30"},
    {CURVE "6&antialias=0", "-.868056 4.06250 11.9560 17.0023 30.9375 41.7361"},
    {CURVE "6", "-.657895 4.11765 11.5509 17.7546 31.1765 41.3158"},
    {CURVE "2&mode=linear&antialias=0", "5 30"},
    {CURVE "2&antialias=0", "4.0625 30.9375"},
    {CURVE "2", "5.49587 28.7190"},
    {CURVE "2&mode=linear", "7.14286 27.1429"},
    {CURVE "6&mode=lanczos", "-.635947 3.93643 11.4954 16.9853 31.7848 41.5570"},
    {CURVE "2&mode=lanczos", "4.68832 29.2607"},
    {CURVE "6&mode=nearest", "0 0 10 20 20 40"},
    {CURVE "6&mode=nearest-exact", "0 10 10 20 40 40"},
    {CURVE "6&mode=linear&align_corners=1", "0 6 12 18 28 40"},
    {CURVE "6&antialias=0&scale_trick=0.1", "-.884797 3.90981 11.7006 16.4985 29.9144 41.2759"},
    {CURVE "4", "0 10 20 40"},
    {CURVE "1&mode=linear&align_corners=1", "0"},
    {"table=7;0;10;20;40&num_prefix_tokens=1&new_len=2", "7 5.495868 28.71901"},
    {"table=5;5;5&new_len=4&mode=lanczos", "5 5 5 5"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints("resize-table-1d", examples[_i].query, "rows", examples[_i].numbers);
}
END_TEST

/* Weights of a place sum to 1, whatever the mode: a constant stays one, to the last bit of
 * float32, and channels do not mix. */
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

/* Where terms cancel, the sum is still the real number rounded: -x and x at mirrored places. */
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

static const struct core_refusal refused[] = {
    {"table=0;1", PE_MISSING_PARAMETER, "new_len", "is required", ""},
    {"table=0,1&new_len=2", PE_CONFLICT, "table", "must have 2 axes, rows,dim", ""},
    {"table=0;1&new_len=2&num_prefix_tokens=2", PE_CONFLICT, "num_prefix_tokens",
     "must leave rows of table, which has 2; got 2", ""},
    {"table=f32:262145x1&new_len=2", PE_OUT_OF_RANGE, "table", "at most 262144 rows", ""},
    {"table=0;1&new_len=2&mode=nearest&antialias=1", PE_CONFLICT, "antialias",
     "is 0 with mode=nearest; got 1", ""},
    {"table=0;1&new_len=2&mode=lanczos&antialias=0", PE_CONFLICT, "antialias",
     "is 1 with mode=lanczos; got 0", ""},
    {"table=0;1&new_len=2&align_corners=1&antialias=1", PE_CONFLICT, "antialias",
     "does not go with align_corners=1", ""},
    {"table=0;1&new_len=2&mode=nearest&align_corners=1", PE_CONFLICT, "align_corners",
     "has no effect with mode=nearest", ""},
    {"table=0;1&new_len=2&align_corners=1&scale_trick=0.1", PE_CONFLICT, "scale_trick",
     "has no effect with align_corners=1", ""},
    {"table=0;1&new_len=2&cubic_a=0.5", PE_OUT_OF_RANGE, "cubic_a", "-1..0; got 0.5", ""},
    {"table=0;1&new_len=2&mode=linear&cubic_a=-0.5", PE_CONFLICT, "cubic_a",
     "has no effect with mode=linear", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("resize-table-1d"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST(a_constant_is_resized_to_itself),
    TEST(an_odd_table_stays_odd_through_its_zero),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite resize_table_1d_suite = {SUITE_TESTS(tests)};
