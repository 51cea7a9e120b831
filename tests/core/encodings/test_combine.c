/* SPDX-License-Identifier: Apache-2.0
 * test_combine.c - vectors and rows, joined: worked examples, a law, refusals. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"

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

static const struct core_refusal refusals[] = {
    {"pos=0&x=1,2&dim=3", PE_CONFLICT, "x",
     "must have 3 elements along its last axis, as the rows have, or be "
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

Suite *combine_suite(void);
Suite *combine_suite(void)
{
    Suite *suite = suite_create("combine");
    TCase *tests = tcase_create("combine");

    tcase_add_loop_test(tests, worked_examples_come_out, 0, (int)PE_LEN(known));
    tcase_add_test(tests, a_batch_gets_the_rows_of_its_sequence_axis);
    tcase_add_loop_test(tests, wrong_requests_are_told_what_would_be_right, 0,
                        (int)PE_LEN(refusals));
    suite_add_tcase(suite, tests);
    return suite;
}
