/* SPDX-License-Identifier: Apache-2.0
 * test_xpos_apply.c - queries and keys rotated and scaled: against the tables of xpos, scores
 * that decay, and the way back. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

enum { DIM = 8, PAIRS = DIM / 2, POSITIONS = 3, QUERY_MAX = 300 };

static const double x[POSITIONS * DIM] = {1,  2, 3, 4,   5, 6,   7, 8, -1, .5, 2, 7,
                                          -3, 1, 0, 2.5, 9, 1.5, 4, 1, 6,  -2, 3, 1};

/* Returns output number `output` for an x, q or k of these numbers. */
static double *scaled(const char *tensor, const char *more, const double *numbers)
{
    char query[QUERY_MAX];
    size_t number = tensor[0] == 'x' ? 0 : tensor[0] == 'q' ? 1 : 2;
    void *inputs[CORE_TENSOR_MAX] = {NULL};
    struct pe_plan *plan;
    double *values;

    inputs[number] = (void *)(uintptr_t)numbers;
    snprintf(query, sizeof query, "pos=0,5,100&%s=f64:3x8%s", tensor, more);
    plan = core_query_plan(core_query_find("xpos/apply"), query);
    values = core_tensor_doubles(plan, 0, inputs);
    pe_plan_free(plan);
    return values;
}

static const struct {
    const char *tensor, *more, *table;
    bool half;
} forms[] = {
    {"x", "", "", false},
    {"q", "&centre=torchscale", "&centre=torchscale", false},
    {"k", "&scale_base=2048", "&scale_base=2048&downscale=1", false},
    {"x", "&downscale=1&pairing=half", "&downscale=1", true},
    {"q", "&scaling=yarn&factor=4&original_max_position_embeddings=64",
     "&scaling=yarn&factor=4&original_max_position_embeddings=64", false},
};

START_TEST(vectors_are_rotated_by_the_tables_of_xpos)
{
    char query[QUERY_MAX];
    double *got = scaled(forms[_i].tensor, forms[_i].more, x), *cosine, *sine;

    snprintf(query, sizeof query, "pos=0,5,100&dim=8&dtype=f64%s", forms[_i].table);
    cosine = core_query_values("xpos", query, "cos", NULL);
    sine = core_query_values("xpos", query, "sin", NULL);
    for (size_t i = 0; i < (size_t)POSITIONS * PAIRS; i++) {
        const size_t row = i / PAIRS * DIM, pair = i % PAIRS;
        const size_t a = row + (forms[_i].half ? pair : 2 * pair);
        const size_t b = forms[_i].half ? a + PAIRS : a + 1;

        ck_assert_double_eq_tol(got[a], x[a] * cosine[i] - x[b] * sine[i], 1e-14);
        ck_assert_double_eq_tol(got[b], x[b] * cosine[i] + x[a] * sine[i], 1e-14);
    }
    free(got), free(cosine), free(sine);
}
END_TEST

START_TEST(the_inverse_undoes_rotation_and_scale)
{
    char more[QUERY_MAX];
    double *there = scaled(forms[_i].tensor, forms[_i].more, x), *back;

    snprintf(more, sizeof more, "%s&inverse=1", forms[_i].more);
    back = scaled(forms[_i].tensor, more, there);
    for (size_t i = 0; i < (size_t)POSITIONS * DIM; i++)
        ck_assert_double_eq_tol(back[i], x[i], 2e-14);
    free(there), free(back);
}
END_TEST

/* The centre cancels in scores. */
START_TEST(scores_do_not_depend_on_the_centre)
{
    double *q = scaled("q", "", x), *k = scaled("k", "", x);
    double *other_q = scaled("q", "&centre=floor_half&length=77", x);
    double *other_k = scaled("k", "&centre=floor_half&length=77", x);

    for (size_t i = 0; i < POSITIONS; i++) {
        for (size_t j = 0; j < POSITIONS; j++) {
            double score = 0, other = 0;

            for (size_t c = 0; c < DIM; c++) {
                score += q[i * DIM + c] * k[j * DIM + c];
                other += other_q[i * DIM + c] * other_k[j * DIM + c];
            }
            ck_assert_double_eq_tol(score, other, 1e-12);
        }
    }
    free(q), free(k), free(other_q), free(other_k);
}
END_TEST

SUITE(xpos_apply, TEST_EACH(vectors_are_rotated_by_the_tables_of_xpos, forms),
      TEST_EACH(the_inverse_undoes_rotation_and_scale, forms),
      TEST(scores_do_not_depend_on_the_centre));
