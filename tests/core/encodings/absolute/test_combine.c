/* SPDX-License-Identifier: Apache-2.0
 * test_combine.c - vectors and rows, joined: a law beyond the rows of combine.txt. */
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

/* Shape (2, 3, 4) holds two sequences of three positions, or two of the second axis at three
 * places. */
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

/* The rows of a grid follow one axis of x, row by row, or as many axes as the grid has. */
START_TEST(every_additive_encoding_adds_its_rows)
{
    static const struct {
        const char *base, *apply, *query, *rows, *x;
    } cases[] = {
        {"sincos2d-mae", "sincos2d-mae/apply", "grid=2x3", "grid=2x3&dim=8", "f64:6x8"},
        {"sincos2d-timm", "sincos2d-timm/apply", "grid=2x3&seq_axis=0", "grid=2x3&dim=8",
         "f64:2x3x8"},
        {"sincos3d", "sincos3d/apply", "frames=2&grid=1x2&convention=t2t&seq_axis=0",
         "frames=2&grid=1x2&convention=t2t&dim=8", "f64:2x1x2x8"},
        {"multidim-sine", "multidim-sine/apply", "grid_sizes=2,3&seq_axis=0",
         "grid_sizes=2,3&dim=7", "f64:2x3x7"},
        {"loftr-sine", "loftr-sine/apply", "grid=2x3&bug_compat=1",
         "grid=2x3&bug_compat=1&dim=8&out=rows", "f64:6x8"},
        {"detr-sine", "detr-sine/apply", "padding_mask=0,0,1;0,0,1&num_pos_feats=4&seq_axis=0",
         "padding_mask=0,0,1;0,0,1&num_pos_feats=4&out=rows", "f64:2x3x8"},
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

SUITE(combine, TEST(a_batch_gets_the_rows_of_its_sequence_axis),
      TEST_RANGE(every_additive_encoding_adds_its_rows, 0, 7));
