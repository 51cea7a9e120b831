/* SPDX-License-Identifier: Apache-2.0
 * test_comrope.c - what commuting matrices are for: scores depend on differences of positions
 * alone, on every axis. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

enum { DIM = 8 };

static const double first[DIM] = {1, -2, .5, .25, 3, 1, 0, -1},
                    second[DIM] = {-.5, 1.5, 2, -1, .75, 0, 2, 1};

static double *turned(const char *weights, const char *ids, const double *x)
{
    void *inputs[CORE_TENSOR_MAX] = {(void *)(uintptr_t)x};
    char query[400];

    snprintf(query, sizeof query, "x=f64:1x8&dtype=f64&ids=%s&%s", ids, weights);
    struct pe_plan *plan = core_query_plan(core_query_find("comrope/apply"), query);
    double *values = core_tensor_doubles(plan, 0, inputs);

    pe_plan_free(plan);
    return values;
}

static double score(const char *weights, const char *query, const char *key)
{
    double *a = turned(weights, query, first), *b = turned(weights, key, second), sum = 0;

    for (size_t i = 0; i < DIM; i++)
        sum += a[i] * b[i];
    free(a), free(b);
    return sum;
}

#define FREQS                                                                                  \
    "freqs=0,1,-.5,2;.5,0,.25,-1;0,2,0,.75;1,0,-1,0;0,.5,1,1;0,0,-2,.25;.5,0,0,1;0,0,.125,0"

static const char *const variants[] = {FREQS "&num_axes=2", FREQS "&multiplier=.5,-1;2,.25"};

START_TEST(scores_depend_on_differences_of_positions)
{
    const double one = score(variants[_i], "0,0", "2,-1.5");

    ck_assert_double_eq_tol(one, score(variants[_i], "3,7", "5,5.5"), 1e-13);
    ck_assert_double_eq_tol(one, score(variants[_i], "-12.25,4", "-10.25,2.5"), 1e-13);
    ck_assert(one != score(variants[_i], "0,0", "2,-1"));
}
END_TEST

SUITE(comrope, TEST_EACH(scores_depend_on_differences_of_positions, variants));
