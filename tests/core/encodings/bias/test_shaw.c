/* SPDX-License-Identifier: Apache-2.0
 * test_shaw.c - Shaw's relative vectors: laws beyond the rows of shaw.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(the_bias_is_the_product_with_the_row_of_the_index)
{
    double *bias = core_query_values(
        "shaw",
        "len=9&max_distance=3&out=bias&scaled=0&table=1;2;3;4;5;6;7&queries=1;2;3;4;5;6;7;8;9",
        "bias", NULL);
    double *index = core_query_values("shaw", "len=9&max_distance=3", "index", NULL);

    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++)
            ck_assert(bias[9 * i + j] == (i + 1) * (index[9 * i + j] + 1));
    free(bias);
    free(index);
}
END_TEST

SUITE(shaw, TEST(the_bias_is_the_product_with_the_row_of_the_index));
