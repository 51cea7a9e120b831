/* SPDX-License-Identifier: Apache-2.0
 * test_fope_apply.c - vectors turned by learned mixes: against the tables of fope, head by
 * head, and RoPE where every frequency stands for itself. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

enum { QUERY_MAX = 300 };

static double *turned(const char *encoding, const char *query, const double *x)
{
    void *inputs[CORE_TENSOR_MAX] = {(void *)(uintptr_t)x};
    struct pe_plan *plan = core_query_plan(core_query_find(encoding), query);
    double *values = core_tensor_doubles(plan, 0, inputs);

    pe_plan_free(plan);
    return values;
}

/* The vectors are two heads of four coordinates at two positions, paired as halves. */
#define MIXES "&heads=2&num_inv_freq=2&cos_coef=1,2;3,4;5,6;7,8&sin_coef=1,.5;0,2;3,1;1,1"

START_TEST(each_head_is_rotated_by_the_tables_of_fope)
{
    static const double x[16] = {1, 2, 3, 4, 5, 6, 7, 8, -1, .5, 2, 7, -3, 1, 0, 2.5};
    const char *norm = _i ? "&norm=1" : "";
    char query[QUERY_MAX];
    double *got, *cosine, *sine;

    snprintf(query, sizeof query, "pos=3,7&x=f64:2x2x4&seq_axis=0%s" MIXES, norm);
    got = turned("fope/apply", query, x);
    snprintf(query, sizeof query, "pos=3,7&dim=4&dtype=f64%s" MIXES, norm);
    cosine = core_query_values("fope", query, "cos", NULL);
    sine = core_query_values("fope", query, "sin", NULL);
    for (size_t i = 0; i < 8; i++) { /* vector i / 2, pair i % 2 */
        const size_t a = i / 2 * 4 + i % 2, b = a + 2;

        ck_assert_double_eq_tol(got[a], x[a] * cosine[i] - x[b] * sine[i], 1e-12);
        ck_assert_double_eq_tol(got[b], x[b] * cosine[i] + x[a] * sine[i], 1e-12);
    }
    free(got), free(cosine), free(sine);
}
END_TEST

START_TEST(a_unit_mix_is_rope)
{
    static const double x[8] = {1, 2, 3, 4, -1, .5, 2, 7};
    double *got = turned("fope/apply",
                         "pos=3,7&x=f64:2x4&num_inv_freq=2&cos_coef=1,0;0,1&sin_coef=1,0;0,1"
                         "&pairing=adjacent",
                         x);
    double *want = turned("rope/apply", "pos=3,7&x=f64:2x4&pairing=adjacent", x);

    for (size_t i = 0; i < 8; i++)
        ck_assert_double_eq_tol(got[i], want[i], 1e-14);
    free(got), free(want);
}
END_TEST

SUITE(fope_apply, TEST_RANGE(each_head_is_rotated_by_the_tables_of_fope, 0, 2),
      TEST(a_unit_mix_is_rope));
