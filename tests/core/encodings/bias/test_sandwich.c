/* SPDX-License-Identifier: Apache-2.0
 * test_sandwich.c - sums of cosines as a bias: laws beyond the rows of sandwich.txt. */
#include <math.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(the_forms_differ_by_a_constant_and_a_pair)
{
    double *nemo =
        core_query_values("sandwich", "heads=8&q=0&k=0:64&dim=2&dtype=f64", "bias", NULL);
    double *paper = core_query_values(
        "sandwich", "heads=8&q=0&k=0:64&dim=2&dtype=f64&score_form=paper", "bias", NULL);

    for (int d = 0; d < 64; d++) {
        ck_assert(fabs(nemo[d] - (cos(d * 1e-4) - 1)) < 0x1p-50);
        ck_assert(fabs(paper[d] - cos(d)) < 0x1p-50);
    }
    free(nemo);
    free(paper);
}
END_TEST

START_TEST(later_heads_fall_more_slowly)
{
    double *bias = core_query_values("sandwich", "heads=4&q=0&k=7&dtype=f64", "bias", NULL);

    ck_assert(bias[0] / 2 == bias[1] && bias[0] / 4 == bias[3]);
    free(bias);
}
END_TEST

/* Sets *ns to the cost of an element. */
static double *by_difference(const char *query, double *ns)
{
    struct pe_plan *plan = core_query_plan(core_query_find("sandwich"), query);
    double *values = core_query_doubles(plan, 0);

    *ns = pe_plan_cost_ns(plan, pe_plan_elements(plan)) / (double)pe_plan_elements(plan);
    pe_plan_free(plan);
    return values;
}

START_TEST(heads_share_a_sum_by_difference_too)
{
    enum { LEN = 200, COUNT = 2 * LEN - 1, HEADS = 8 };
    double shared, alone;
    double *many = by_difference("heads=8&len=200&out=toeplitz&dtype=f64", &shared);
    double *one = by_difference("heads=1&len=200&out=toeplitz&dtype=f64", &alone);
    double *bias =
        core_query_values("sandwich", "heads=8&q=0&k=-199:200&dtype=f64", "bias", NULL);

    for (size_t head = 0; head < HEADS; head++)
        for (size_t t = 0; t < COUNT; t++)
            ck_assert(many[head * COUNT + t] == bias[head * COUNT + COUNT - 1 - t]);
    for (size_t t = 0; t < COUNT; t++)
        ck_assert(one[t] == many[t] / 8); /* the first head's: the sum over 8 / heads */
    ck_assert(alone > 30 * 128 && shared < 100);
    free(many);
    free(one);
    free(bias);
}
END_TEST

SUITE(sandwich, TEST(the_forms_differ_by_a_constant_and_a_pair),
      TEST(heads_share_a_sum_by_difference_too), TEST(later_heads_fall_more_slowly));
