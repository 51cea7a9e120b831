/* SPDX-License-Identifier: Apache-2.0
 * test_grape_a.c - what gates do to a linear bias: each is a part of its own, and a gate of a
 * query or key that decides nothing leaves the other's bias. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

#define QUERIES "query_gates=1,-2,.5,3;0,1,-1,2"
#define KEYS "key_gates=-1,2,0,.25;3,-.5,1,0"
#define REST "&slopes=.75,.125&mask_value=-1&dtype=f64"

START_TEST(the_bias_of_both_gates_is_the_sum_of_the_biases_of_each)
{
    static const char *const queries[] = {QUERIES "&" KEYS REST, QUERIES REST, KEYS REST};
    double *bias[3];
    size_t count;

    for (size_t i = 0; i < 3; i++)
        bias[i] = core_query_values("grape-a", queries[i], "bias", &count);
    ck_assert_uint_eq(count, 2 * 4 * 4);
    for (size_t i = 0; i < count; i++)
        if (i % 4 <= i / 4 % 4)
            ck_assert_double_eq_tol(bias[0][i], bias[1][i] + bias[2][i], 1e-15);
        else
            ck_assert_double_eq(bias[0][i], -1);
    for (size_t i = 0; i < 3; i++)
        free(bias[i]);
}
END_TEST

SUITE(grape_a, TEST(the_bias_of_both_gates_is_the_sum_of_the_biases_of_each));
