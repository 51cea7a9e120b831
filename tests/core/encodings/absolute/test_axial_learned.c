/* SPDX-License-Identifier: Apache-2.0
 * test_axial_learned.c - worked examples, a law, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

#define TABLES "row_table=1,2;3,4&col_table=5,6;7,8;9,0"

static const struct {
    const char *query, *numbers;
} examples[] = {
    {TABLES "&pos=0,2,3", "1 2 5 6 1 2 9 0 3 4 5 6"},
    {TABLES "&kind=detr&grid=2x2", "5 6 1 2 7 8 1 2 5 6 3 4 7 8 3 4"},
    {TABLES "&kind=pix2struct&grid=2x3", "6 8 8 10 10 2 8 10 10 12 12 4"},
    {TABLES "&kind=navit&grid=1x1", "6 8"},
    {"row_table=1;2&col_table=3,4;5,6&pos=3", "2 5 6"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints("axial-learned", examples[_i].query, "rows", examples[_i].numbers);
}
END_TEST

/* What factorising means: differences between columns are the same in every row. */
START_TEST(a_sum_of_tables_has_no_term_of_both)
{
    static const char query[] =
        "row_table=f32:4x300&col_table=f32:5x300&kind=pix2struct&grid=4x5&dtype=f64";
    double *rows = core_query_values("axial-learned", query, "rows", NULL);

    for (size_t y = 1; y < 4; y++) {
        for (size_t x = 1; x < 5; x++) {
            for (size_t i = 0; i < 300; i++) {
                const double *at = rows + i;

                ck_assert_double_eq_tol(at[(y * 5 + x) * 300] - at[y * 5 * 300],
                                        at[x * 300] - at[0], 1e-12);
            }
        }
    }
    free(rows);
}
END_TEST

static const struct core_refusal refused[] = {
    {TABLES, PE_MISSING_PARAMETER, "pos", "is required with kind=reformer", ""},
    {TABLES "&kind=detr", PE_MISSING_PARAMETER, "grid", "is required with kind=detr", ""},
    {TABLES "&pos=0&grid=1x1", PE_CONFLICT, "grid", "has no effect with kind=reformer", ""},
    {TABLES "&kind=detr&pos=0&grid=1x1", PE_CONFLICT, "pos", "has no effect", ""},
    {TABLES "&pos=6", PE_OUT_OF_RANGE, "pos", "must be 0..5", ""},
    {TABLES "&pos=-1", PE_OUT_OF_RANGE, "pos", "got -1", ""},
    {TABLES "&kind=detr&grid=3x1", PE_OUT_OF_RANGE, "grid",
     "must be at most 2x3, the rows of the tables; got 3x1", ""},
    {TABLES "&kind=detr&grid=1x4", PE_OUT_OF_RANGE, "grid", "got 1x4", ""},
    {"row_table=1;2&col_table=3,4;5,6&kind=pix2struct&grid=1x1", PE_CONFLICT, "col_table",
     "must be as wide as row_table, 1", ""},
    {"row_table=1,2&col_table=3,4;5,6&pos=0", PE_CONFLICT, "row_table", "2 axes, rows,dim", ""},
    {"row_table=1;2&col_table=3,4&pos=0", PE_CONFLICT, "col_table", "2 axes, rows,dim", ""},
    {"row_table=1;2&pos=0", PE_MISSING_PARAMETER, "col_table", "is required", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("axial-learned"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST(a_sum_of_tables_has_no_term_of_both),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite axial_learned_suite = {SUITE_TESTS(tests)};
