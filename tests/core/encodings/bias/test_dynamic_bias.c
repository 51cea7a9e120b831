/* SPDX-License-Identifier: Apache-2.0
 * test_dynamic_bias.c - a network of the distance: worked examples, laws, refusals. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"dynamic-bias", "q=1&k=0&w_in=1&w_out=2&log_distance=1", "bias", ".924196"},
    {"dynamic-bias", "q=0,1,2&k=1&w_in=1&w_out=2&b_out=1", "bias", ".462117 1 2.46212"},
    {"dynamic-bias", "q=1&k=0&w_in=1,2&norm=1&w_out=1,0;0,1", "bias", "-.268940 .731040"},
    {"dynamic-bias", "q=1&k=0&w_in=1,2&b_in=1,0&w_hidden=1,0;0,-1&b_hidden=0,1&w_out=1,1",
     "bias", "1.2609451"},
    {"dynamic-bias", "q=0&k=0,1&w_in=1&b_in=1&w_out=1&causal=1&mask_value=-inf", "bias",
     ".731059 -inf"},
    {"dynamic-bias", "q=0&k=0,1&w_in=1&b_in=1&w_out=1&causal=1&future=zero", "bias",
     ".731059 .731059"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints(examples[_i].encoding, examples[_i].query, examples[_i].output,
                      examples[_i].numbers);
}
END_TEST

static const struct {
    const char *encoding;
    struct core_refusal refusal;
} refused[] = {
    {"dynamic-bias",
     {"len=4&w_in=1,2&w_out=1", PE_CONFLICT, "w_out", "must have 1 rows of 2; got 1 of 1", ""}},
    {"dynamic-bias",
     {"len=4&w_in=1,2&w_out=1,2&b_in=1", PE_CONFLICT, "b_in",
      "must have 1 rows of 2; got 1 of 1", ""}},
    {"dynamic-bias",
     {"len=4&w_in=1,2&w_out=1,2&w_hidden=1,2", PE_CONFLICT, "w_hidden",
      "must have 2 rows of 2 a layer, as w_in has units; got 1 of 2", ""}},
    {"dynamic-bias",
     {"len=4&w_in=1,2&w_out=1,2&b_hidden=1,2", PE_CONFLICT, "b_hidden",
      "has no effect without w_hidden", ""}},
    {"dynamic-bias",
     {"len=4&w_in=1,2&w_out=1,2&norm_bias=1,2", PE_CONFLICT, "norm_bias",
      "has no effect without norm=1", ""}},
    {"dynamic-bias",
     {"len=4&w_in=1,2&w_out=1,2&norm=1&norm_weight=1", PE_CONFLICT, "norm_weight",
      "must have 1 rows of 2; got 1 of 1", ""}},
    {"dynamic-bias",
     {"len=100000000&w_in=1&w_out=1", PE_TOO_LARGE, "len", "products of the network", ""}},
    {"dynamic-bias",
     {"q=0,4000000&k=0&w_in=1&w_out=1;2", PE_TOO_LARGE, "q",
      "biases of all differences; at most 4194304", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

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
    double *once = core_query_values("dynamic-bias", "q=1000&k=0&w_in=1,2,4&norm=1&w_out=1,2,3",
                                     "bias", NULL);
    double *more = core_query_values("dynamic-bias", "q=1000&k=0&w_in=2,4,8&norm=1&w_out=1,2,3",
                                     "bias", NULL);

    ck_assert(fabs(once[0] - more[0]) < 1e-6);
    free(once);
    free(more);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(cached_queries_have_the_rows_of_all),
    TEST(norms_do_not_see_the_scale_of_their_layer),
};

const struct suite dynamic_bias_suite = {SUITE_TESTS(tests)};
