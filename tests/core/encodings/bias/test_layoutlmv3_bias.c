/* SPDX-License-Identifier: Apache-2.0
 * test_layoutlmv3_bias.c - biases on a page: a law beyond the rows of layoutlmv3_bias.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(tokens_in_the_text_have_t5s_buckets)
{
    double *layout =
        core_query_values("layoutlmv3-bias", "position_ids=0:150", "buckets", NULL);
    double *t5 = core_query_values("t5", "len=150", "buckets", NULL);

    for (int i = 0; i < 150 * 150; i++)
        ck_assert(layout[i] == t5[i]);
    free(layout);
    free(t5);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(tokens_in_the_text_have_t5s_buckets),
};

const struct suite layoutlmv3_bias_suite = {SUITE_TESTS(tests)};
