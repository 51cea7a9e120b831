/* SPDX-License-Identifier: Apache-2.0
 * test_grape_m.c - the laws of a group of rotations: lengths are kept, and scores depend on the
 * difference of positions. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

enum { DIM = 5 };

static const double first[DIM] = {1, -2, .5, .25, 3}, second[DIM] = {-.5, 1.5, 2, -1, .75};

static double *turned(const char *pos, const double *x)
{
    void *inputs[CORE_TENSOR_MAX] = {(void *)(uintptr_t)x};
    char query[200];

    snprintf(query, sizeof query,
             "a=.5,1,-.25,2,.75&b=1,-.5,.5,.125,-1&omega=.3&x=f64:1x5&dtype=f64&pos=%s", pos);
    struct pe_plan *plan = core_query_plan(core_query_find("grape-m/apply"), query);
    double *values = core_tensor_doubles(plan, 0, inputs);

    pe_plan_free(plan);
    return values;
}

static double product(double *a, double *b)
{
    double sum = 0;

    for (size_t i = 0; i < DIM; i++)
        sum += a[i] * b[i];
    free(a), free(b);
    return sum;
}

static const struct {
    const char *query, *key, *query_later, *key_later;
} places[] = {{"0", "0", "7", "7"}, {"3", "5", "1003", "1005"}, {"-2.5", "4", "0", "6.5"}};

START_TEST(scores_depend_on_the_difference_of_positions)
{
    const double one = product(turned(places[_i].query, first), turned(places[_i].key, second)),
                 later = product(turned(places[_i].query_later, first),
                                 turned(places[_i].key_later, second));

    ck_assert_double_eq_tol(one, later, 1e-13);
}
END_TEST

START_TEST(lengths_are_kept)
{
    double *one = turned("12345.5", first), *two = turned("12345.5", first);

    ck_assert_double_eq_tol(product(one, two), 1 + 4 + .25 + .0625 + 9, 1e-13);
}
END_TEST

SUITE(grape_m, TEST_EACH(scores_depend_on_the_difference_of_positions, places),
      TEST(lengths_are_kept));
