/* SPDX-License-Identifier: Apache-2.0
 * test_shaw.c - Shaw's relative vectors: laws beyond the rows of shaw.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(the_bias_is_the_product_with_the_row_of_the_index)
{
    double *bias = core_query_values(
        "shaw",
        "len=9&max_relative=3&out=bias&scaled=0&table=1;2;3;4;5;6;7&queries=1;2;3;4;5;6;7;8;9",
        "bias", NULL);
    double *index = core_query_values("shaw", "len=9&max_relative=3", "index", NULL);

    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++)
            ck_assert(bias[9 * i + j] == (i + 1) * (index[9 * i + j] + 1));
    free(bias);
    free(index);
}
END_TEST

START_TEST(all_attention_on_one_key_answers_its_row)
{
    double *values = core_query_values(
        "shaw", "q=5&k=3:6&left=2&right=0&out=values&table=1,2;3,4;5,6&probabilities=0,1,0",
        "values", NULL);

    ck_assert(values[0] == 3 && values[1] == 4);
    free(values);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(the_bias_is_the_product_with_the_row_of_the_index),
    TEST(all_attention_on_one_key_answers_its_row),
};

const struct suite shaw_suite = {SUITE_TESTS(tests)};
