/* SPDX-License-Identifier: Apache-2.0
 * test_string.c - rotations by commuting generators: relative, orthogonal, and RoPE where the
 * basis is the plain one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

enum { DIM = 4, QUERY_MAX = 300 };

#define SKEW "skew=0,1,0,2;-1,0,3,0;0,-3,0,1;-2,0,-1,0&freqs=1,.5;-1,2"
static const char *const forms[] = {SKEW, "circulant=0,1,2,3;1,0,-1,.5"};

static double *matrix_at(const char *ids, const char *form, const char *more)
{
    char query[QUERY_MAX];

    snprintf(query, sizeof query, "ids=%s&dim=4&%s&dtype=f64%s", ids, form, more);
    return core_query_values("string", query, "matrix", NULL);
}

/* a^T b */
static void product(const double *a, const double *b, double *out)
{
    for (size_t i = 0; i < (size_t)DIM * DIM; i++) {
        out[i] = 0;
        for (size_t k = 0; k < DIM; k++)
            out[i] += a[k * DIM + i / DIM] * b[k * DIM + i % DIM];
    }
}

START_TEST(scores_depend_on_the_difference_alone)
{
    double *query = matrix_at("3,-2", forms[_i], ""), *key = matrix_at("1,5", forms[_i], "");
    double *difference = matrix_at("-2,7", forms[_i], ""), got[DIM * DIM];

    product(query, key, got);
    for (size_t i = 0; i < (size_t)DIM * DIM; i++)
        ck_assert_double_eq_tol(got[i], difference[i], 1e-12);
    free(query), free(key), free(difference);
}
END_TEST

START_TEST(the_outer_basis_cancels_in_scores)
{
    double *query = matrix_at("3,-2", SKEW, ""), *key = matrix_at("1,5", SKEW, "");
    double *inner = matrix_at("3,-2", SKEW, "&outer=0"),
           *other = matrix_at("1,5", SKEW, "&outer=0");
    double want[DIM * DIM], got[DIM * DIM];

    product(query, key, want);
    product(inner, other, got);
    for (size_t i = 0; i < (size_t)DIM * DIM; i++)
        ck_assert_double_eq_tol(got[i], want[i], 1e-13);
    free(query), free(key), free(inner), free(other);
}
END_TEST

START_TEST(no_change_of_basis_is_rope_nd)
{
    static const double x[] = {1, 2, 3, 4};
    void *inputs[CORE_TENSOR_MAX] = {(void *)(uintptr_t)x};
    struct pe_plan *plan =
        core_query_plan(core_query_find("string/apply"),
                        "ids=2,3&x=f64:4&skew=0,0,0,0;0,0,0,0;0,0,0,0;0,0,0,0&freqs=1,.5;-1,2");
    struct pe_plan *plain =
        core_query_plan(core_query_find("rope-nd/apply"), "ids=2,3&x=f64:4&freqs=1,.5;-1,2");
    double *got = core_tensor_doubles(plan, 0, inputs);
    double *want = core_tensor_doubles(plain, 0, inputs);

    for (size_t i = 0; i < DIM; i++)
        ck_assert_double_eq_tol(got[i], want[i], 1e-14);
    free(got), free(want);
    pe_plan_free(plan), pe_plan_free(plain);
}
END_TEST

/* Of four numbers a, b, c, d: C - C^T has b - d beside the diagonal and 0 across from it. */
START_TEST(a_circulant_of_two_steps_turns_waves_of_one_frequency)
{
    double *got =
        core_query_values("string", "pos=.5&dim=4&circulant=7,1,5,0&dtype=f64", "matrix", NULL);
    const double c = cos(1.0), s = sin(1.0); /* eigenvalues +-2i of period 4, 0, 0 */

    ck_assert_double_eq_tol(got[0], (1 + c) / 2, 1e-14);
    ck_assert_double_eq_tol(got[1], s / 2, 1e-14);
    ck_assert_double_eq_tol(got[2], (1 - c) / 2, 1e-14);
    ck_assert_double_eq_tol(got[3], -s / 2, 1e-14);
    free(got);
}
END_TEST

SUITE(string, TEST_EACH(scores_depend_on_the_difference_alone, forms),
      TEST(the_outer_basis_cancels_in_scores), TEST(no_change_of_basis_is_rope_nd),
      TEST(a_circulant_of_two_steps_turns_waves_of_one_frequency));
