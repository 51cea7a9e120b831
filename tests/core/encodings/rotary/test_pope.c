/* SPDX-License-Identifier: Apache-2.0
 * test_pope.c - polar tables: a law beyond the rows of pope.txt. */
#include <math.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

START_TEST(keys_without_a_bias_stand_where_queries_do)
{
    double *plain = core_query_values("pope", "pos=0:9&dim=3&dtype=f64", "sin", NULL);
    double *keys =
        core_query_values("pope", "pos=0:9&dim=3&angle_bias=0,7,-7&dtype=f64", "sin", NULL);

    for (size_t i = 0; i < 27; i++)
        ck_assert(fabs(plain[i] - keys[i]) < 1e-15);
    free(plain);
    free(keys);
}
END_TEST

static double *polar(const char *query, size_t number, const double *x)
{
    void *inputs[CORE_TENSOR_MAX] = {NULL};
    struct pe_plan *plan = core_query_plan(core_query_find("pope/apply"), query);
    double *values;

    inputs[number] = (void *)(uintptr_t)x;
    values = core_tensor_doubles(plan, 0, inputs);
    pe_plan_free(plan);
    return values;
}

START_TEST(softplus_is_the_radius)
{
    static const double x[] = {1, -1, 1, -1};
    double *got = polar("pos=0&x=f64:4", 0, x);

    for (size_t i = 0; i < 4; i++) {
        ck_assert_double_eq_tol(got[i], i % 2 ? .313262 : 1.31326, .51e-5);
        ck_assert_double_eq(got[4 + i], 0);
    }
    free(got);
}
END_TEST

/* Queries and keys of two heads are rotated by the tables of pope. */
START_TEST(vectors_stand_at_the_angles_of_the_tables)
{
    static const double x[] = {1, -1, 2, .5, -3, 4, 0, 1};
    double *q = polar("pos=3,4&q=f64:2x2x2&seq_axis=0&base=100", 1, x);
    double *k = polar("pos=3,4&k=f64:2x2x2&seq_axis=0&base=100&bias=-1,-.5;1,-9", 2, x);
    double *plain = core_query_values("pope", "pos=3,4&dim=2&base=100&dtype=f64", "cos", NULL);
    double *biased = core_query_values(
        "pope", "pos=3,4&dim=2&base=100&angle_bias=-1,-.5;1,-9&dtype=f64", "sin", NULL);

    for (size_t i = 0; i < 8; i++) { /* vector i / 2 of 4: position i / 4, head i / 2 % 2 */
        const double radius = log1p(exp(x[i]));

        ck_assert_double_eq_tol(q[i / 2 * 4 + i % 2], radius * plain[i / 4 * 2 + i % 2], 1e-14);
        ck_assert_double_eq_tol(k[i / 2 * 4 + 2 + i % 2], radius * biased[i], 1e-14);
    }
    free(q), free(k), free(plain), free(biased);
}
END_TEST

SUITE(pope, TEST(softplus_is_the_radius), TEST(vectors_stand_at_the_angles_of_the_tables),
      TEST(keys_without_a_bias_stand_where_queries_do));
