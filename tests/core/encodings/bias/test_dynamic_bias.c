/* SPDX-License-Identifier: Apache-2.0
 * test_dynamic_bias.c - a network of the distance: laws beyond the rows of dynamic_bias.txt.
 * */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(cached_queries_have_the_rows_of_all)
{
    static const char weights[] = "w_in=1,-.5&b_in=.1,.2&w_hidden=1,2;3,4;5,6;7,8"
                                  "&w_out=1,1;2,-1&log_distance=1";
    char all[200], last[200];
    double *whole, *row;

    snprintf(all, sizeof all, "len=9&%s", weights);
    snprintf(last, sizeof last, "q=8&k=0:9&%s", weights);
    whole = core_query_values("dynamic-bias", all, "bias", NULL);
    row = core_query_values("dynamic-bias", last, "bias", NULL);
    for (int h = 0; h < 2; h++)
        for (int j = 0; j < 9; j++)
            ck_assert(row[h * 9 + j] == whole[(h * 9 + 8) * 9 + j]);
    free(whole);
    free(row);
}
END_TEST

START_TEST(norms_do_not_see_the_scale_of_their_layer)
{
    double *once = core_query_values(
        "dynamic-bias", "q=1000&k=0&w_in=1,2,4&layer_norm=1&w_out=1,2,3", "bias", NULL);
    double *more = core_query_values(
        "dynamic-bias", "q=1000&k=0&w_in=2,4,8&layer_norm=1&w_out=1,2,3", "bias", NULL);

    ck_assert(fabs(once[0] - more[0]) < 1e-6);
    free(once);
    free(more);
}
END_TEST

SUITE(dynamic_bias, TEST(cached_queries_have_the_rows_of_all),
      TEST(norms_do_not_see_the_scale_of_their_layer));
