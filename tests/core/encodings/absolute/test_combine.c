/* SPDX-License-Identifier: Apache-2.0
 * test_combine.c - vectors and rows, joined: worked examples, a law, refusals. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

static const struct {
    const char *query, *output, *numbers;
} known[] = {
    {"pos=0&x=1,2&x_scale=sqrt_dim&dtype=f64", "x", "1.41421 3.82843"},
    {"pos=0&x=1,2&combine=multiply", "x", "0 2"},
    {"pos=0&x=1,2&combine=mul1", "x", "1 4"},
    {"pos=0&x=1,2&combine=zero", "x", "0 1"},
    {"pos=0&x=1,2&combine=concat&dim=2", "x", "1 2 0 1"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints("sinusoidal/apply", known[_i].query, known[_i].output, known[_i].numbers);
}
END_TEST

/* (2, 3, 4): two sequences of three, or three places of two. */
START_TEST(a_batch_gets_the_rows_of_its_sequence_axis)
{
    static const struct {
        const char *query, *rows;
        size_t places, inner;
    } cases[] = {{"pos=5:8&seq_axis=1&x=f64:2x3x4", "pos=5:8&dim=4&dtype=f64", 3, 1},
                 {"pos=5:7&seq_axis=0&x=f64:2x3x4", "pos=5:7&dim=4&dtype=f64", 2, 3}};

    for (size_t k = 0; k < PE_LEN(cases); k++) {
        struct pe_plan *plan =
            core_query_plan(core_query_find("sinusoidal/apply"), cases[k].query);
        void *inputs[CORE_TENSOR_MAX];
        double *got, *rows = core_query_values("sinusoidal", cases[k].rows, "rows", NULL);

        core_tensor_draw_inputs(plan, inputs);
        got = core_tensor_doubles(plan, 0, inputs);
        for (size_t i = 0; i < 24; i++) {
            size_t place = i / 4 / cases[k].inner % cases[k].places;

            ck_assert_double_eq(got[i],
                                ((const double *)inputs[0])[i] + rows[place * 4 + i % 4]);
        }
        core_tensor_free_inputs(inputs);
        free(got);
        free(rows);
        pe_plan_free(plan);
    }
}
END_TEST

/* Rows of a grid, row by row, along one axis of x or along as many as the grid has. */
START_TEST(every_additive_encoding_adds_its_rows)
{
    static const struct {
        const char *base, *apply, *query, *rows, *x;
    } cases[] = {
        {"sincos2d-mae", "sincos2d-mae/apply", "grid=2x3", "grid=2x3&dim=8", "f64:6x8"},
        {"sincos2d-timm", "sincos2d-timm/apply", "grid=2x3&seq_axis=0", "grid=2x3&dim=8",
         "f64:2x3x8"},
        {"sincos3d", "sincos3d/apply", "frames=2&grid=1x2&preset=t2t&seq_axis=0",
         "frames=2&grid=1x2&preset=t2t&dim=8", "f64:2x1x2x8"},
        {"multidim-sine", "multidim-sine/apply", "grid_sizes=2,3&seq_axis=0",
         "grid_sizes=2,3&dim=7", "f64:2x3x7"},
        {"loftr-sine", "loftr-sine/apply", "grid=2x3&bug_compat=1",
         "grid=2x3&bug_compat=1&dim=8&out=rows", "f64:6x8"},
        {"detr-sine", "detr-sine/apply", "mask=0,0,1;0,0,1&num_pos_feats=4&seq_axis=0",
         "mask=0,0,1;0,0,1&num_pos_feats=4&out=rows", "f64:2x3x8"},
        {"timestep-embedding", "timestep-embedding/apply", "pos=3,999&preset=dit",
         "pos=3,999&preset=dit&dim=5", "f64:2x5"},
    };
    char query[128], rows_query[128];
    void *inputs[CORE_TENSOR_MAX];
    struct pe_plan *plan;
    double *got, *rows;
    size_t count;

    snprintf(query, sizeof query, "%s&x=%s", cases[_i].query, cases[_i].x);
    snprintf(rows_query, sizeof rows_query, "%s&dtype=f64", cases[_i].rows);
    plan = core_query_plan(core_query_find(cases[_i].apply), query);
    rows = core_query_values(cases[_i].base, rows_query,
                             pe_outputs(core_query_find(cases[_i].base), &count)->name, &count);
    ck_assert_uint_eq(pe_plan_elements(plan), count);
    core_tensor_draw_inputs(plan, inputs);
    got = core_tensor_doubles(plan, 0, inputs);
    for (size_t i = 0; i < count; i++)
        ck_assert_double_eq(got[i], ((const double *)inputs[0])[i] + rows[i]);
    core_tensor_free_inputs(inputs);
    free(got);
    free(rows);
    pe_plan_free(plan);
}
END_TEST

START_TEST(rows_of_tables_are_added)
{
    core_query_prints("learned/apply", "table=1,2;3,5&pos=1,0&x=10,20;30,40", "x",
                      "13 25 31 42");
    core_query_prints("learned/apply",
                      "table=0,0;9,9;1,2;3,4&attention_mask=0,1&convention=roberta&x=1,1;1,1",
                      "x", "10 10 2 3");
    core_query_prints("learned/apply", "table=1,2;3,5&pos=1&x=7&combine=concat", "x", "7 3 5");
    core_query_prints("axial-learned/apply",
                      "row_table=1;2&col_table=3;5&pos=3&x=10,20&combine=mul1", "x", "30 120");
}
END_TEST

static const struct {
    const char *encoding;
    struct core_refusal refusal;
} widths[] = {
    {"sincos2d-mae/apply",
     {"grid=1x1&x=1,2,3,4,5,6", PE_CONFLICT, "x",
      "must have vectors of a multiple of 4 elements (its last axis); got 6", ""}},
    {"sincos2d-mae/apply",
     {"grid=1x1&x=1,2&combine=concat&dim=6", PE_CONFLICT, "dim",
      "must be a multiple of 4; got 6", ""}},
    {"timestep-embedding/apply",
     {"pos=1&x=1", PE_CONFLICT, "x",
      "must have vectors of 2..65536 elements (its last axis); got 1", ""}},
    {"learned/apply",
     {"table=1,2;3,5&pos=0&x=1,2,3", PE_CONFLICT, "x",
      "must have 2 elements along its last axis, as the rows have, or be combined by concat; "
      "got 3",
      ""}},
    {"sincos2d-mae/apply",
     {"grid=2x3&x=f32:2x4x8&seq_axis=0", PE_CONFLICT, "x",
      "must have 6 vectors along its axis of positions, one a row; got 8", ""}},
};

START_TEST(widths_and_places_that_rows_cannot_have_are_refused)
{
    core_query_refused(core_query_find(widths[_i].encoding), &widths[_i].refusal);
}
END_TEST

static const struct core_refusal refusals[] = {
    {"pos=0&x=1,2&dim=4", PE_CONFLICT, "x",
     "must have 4 elements along its last axis, as the rows have, or be "
     "combined by concat; got 2",
     ""},
    {"pos=0:2&x=f32:2x2x2", PE_MISSING_PARAMETER, "seq_axis",
     "is required for x of rank 3: which axis has the 2 positions", ""},
    {"pos=0:2&x=f32:2x2&seq_axis=1", PE_CONFLICT, "seq_axis",
     "must be below 1, the last axis of x, which is the vector", ""},
    {"pos=0&x=i64:1x2", PE_CONFLICT, "x", "must hold reals, f32, f64, f16 or bf16; got i64",
     ""},
    {"pos=0:2&x=1,2", PE_CONFLICT, "x",
     "must have 2 vectors along its axis of positions, one a row; got 1", ""},
    {"pos=0&x=1,2&combine=concat", PE_MISSING_PARAMETER, "dim",
     "is required with combine=concat: the width of the rows", ""},
    {"pos=0&x=1,2&seq_axis=0", PE_CONFLICT, "seq_axis",
     "has no effect on x, which is one vector; leave it out", ""},
    {"pos=0&x=1,2&combine=zero&x_scale=sqrt_dim", PE_CONFLICT, "x_scale",
     "has no effect with combine=zero; leave it out", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("sinusoidal/apply"), &refusals[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(a_batch_gets_the_rows_of_its_sequence_axis),
    TEST_RANGE(every_additive_encoding_adds_its_rows, 0, 7),
    TEST(rows_of_tables_are_added),
    TEST_EACH(widths_and_places_that_rows_cannot_have_are_refused, widths),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refusals),
};

const struct suite combine_suite = {SUITE_TESTS(tests)};
