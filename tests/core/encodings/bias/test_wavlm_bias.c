/* SPDX-License-Identifier: Apache-2.0
 * test_wavlm_bias.c - what the gates do to the biases: a row of a head is scaled as a whole,
 * between 1 and 2 times where gate_const is 1. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

enum { TOKENS = 3, HEADS = 2, WIDTH = 2 };

static double *of(const char *query, void *const inputs[CORE_TENSOR_MAX])
{
    struct pe_plan *plan = core_query_plan(core_query_find("wavlm-bias"), query);
    double *values = core_tensor_doubles(plan, 0, inputs);

    pe_plan_free(plan);
    return values;
}

START_TEST(each_row_is_the_bias_of_t5_times_its_gate)
{
    static const double hidden[TOKENS * HEADS * WIDTH] = {1,  -2, .5, 3,   4,  -.25,
                                                          -1, 2,  0,  1.5, -3, .75};
    static const double table[8 * HEADS] = {1, -2, 3, -4, 5, 6, -7, 8, 9, 1, 2, 3, -4, 5, 6, 7};
    static const double weight[8 * WIDTH] = {.5, -1, .25, 2,   0,  1, -.5, .125,
                                             1,  .5, -1,  .75, .2, 0, 0,   .3};
    void *const inputs[CORE_TENSOR_MAX] = {(void *)(uintptr_t)hidden, (void *)(uintptr_t)table,
                                           (void *)(uintptr_t)weight};
    static const char learned[] = "&hidden=f64:3x4&gate_weight=f64:8x2&gate_const=1,1&"
                                  "gate_bias=.1,.2,.3,.4,.5,.6,.7,.8&dtype=f64";
    char query[300];

    snprintf(query, sizeof query, "out=gate%s", learned);
    double *gate = of(query, inputs);
    snprintf(query, sizeof query, "len=3&num_buckets=8&max_distance=9&table=f64:8x2%s",
             learned);
    double *bias = of(query, inputs);
    double *plain = core_query_values("t5",
                                      "len=3&num_buckets=8&max_distance=9&out=bias&dtype=f64&"
                                      "table=1,-2;3,-4;5,6;-7,8;9,1;2,3;-4,5;6,7",
                                      "bias", NULL);
    for (size_t row = 0; row < HEADS * TOKENS; row++) {
        ck_assert(gate[row] > 1 && gate[row] < 2);
        for (size_t k = 0; k < TOKENS; k++)
            ck_assert_double_eq_tol(bias[row * TOKENS + k], gate[row] * plain[row * TOKENS + k],
                                    1e-14);
    }
    free(gate), free(bias), free(plain);
}
END_TEST

START_TEST(a_hidden_state_that_is_no_number_gives_gates_that_are_none)
{
    static const double hidden[TOKENS] = {NAN, INFINITY, 0}, weight[8] = {1};
    void *const inputs[CORE_TENSOR_MAX] = {(void *)(uintptr_t)hidden, NULL,
                                           (void *)(uintptr_t)weight};
    double *gate = of("out=gate&hidden=f64:3x1&gate_weight=f64:8x1&gate_const=1&"
                      "gate_bias=0,0,0,0,0,0,0,0&dtype=f64",
                      inputs);

    ck_assert(isnan(gate[0]) && isnan(gate[1]));
    ck_assert_double_eq(gate[2], 1.75);
    free(gate);
}
END_TEST

START_TEST(an_infinite_entry_of_the_table_hides_its_keys)
{
    static const double hidden[2], weight[8], table[4] = {1, -INFINITY, 0, INFINITY};
    void *const inputs[CORE_TENSOR_MAX] = {(void *)(uintptr_t)hidden, (void *)(uintptr_t)table,
                                           (void *)(uintptr_t)weight};
    double *bias = of(
        "len=2&num_buckets=4&max_distance=4&hidden=f64:2x1&table=f64:4x1&gate_weight=f64:8x1&"
        "gate_const=1&gate_bias=0,0,0,0,0,0,0,0&dtype=f64",
        inputs);

    ck_assert_double_eq(bias[0], 1.75);
    ck_assert_double_eq(bias[1], INFINITY);
    ck_assert_double_eq(bias[2], -INFINITY);
    ck_assert_double_eq(bias[3], 1.75);
    free(bias);
}
END_TEST

SUITE(wavlm_bias, TEST(each_row_is_the_bias_of_t5_times_its_gate),
      TEST(a_hidden_state_that_is_no_number_gives_gates_that_are_none),
      TEST(an_infinite_entry_of_the_table_hides_its_keys));
