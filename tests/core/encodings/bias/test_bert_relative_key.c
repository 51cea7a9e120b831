/* SPDX-License-Identifier: Apache-2.0
 * test_bert_relative_key.c - BERT's relative keys: a law beyond the rows of
 * bert_relative_key.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(shaws_index_runs_the_other_way)
{
    double *bert = core_query_values("bert-relative-key", "len=5&max_position_embeddings=5",
                                     "index", NULL);
    double *shaw = core_query_values("shaw", "len=5&max_distance=4", "index", NULL);

    for (int i = 0; i < 25; i++)
        ck_assert(bert[i] + shaw[i] == 8);
    free(bert);
    free(shaw);
}
END_TEST

SUITE(bert_relative_key, TEST(shaws_index_runs_the_other_way));
