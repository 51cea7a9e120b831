/* SPDX-License-Identifier: Apache-2.0
 * test_llama4_temperature.c - blocks and their logarithms: laws beyond the rows of
 * llama4_temperature.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(a_block_has_one_factor_and_the_next_a_larger_one)
{
    size_t count;
    double *values = core_query_values(
        "llama4-temperature", "pos=0:64&floor_scale=8&offset=0&dtype=f64", "factor", &count);

    for (size_t i = 1; i < count; i++)
        ck_assert(i % 8 ? values[i] == values[i - 1] : values[i] > values[i - 1]);
    free(values);
}
END_TEST

SUITE(llama4_temperature, TEST(a_block_has_one_factor_and_the_next_a_larger_one));
