/* SPDX-License-Identifier: Apache-2.0
 * test_deberta.c - DeBERTa's buckets: a law beyond the rows of deberta.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(buckets_are_odd_and_never_fall)
{
    double *buckets = core_query_values("deberta", "q=-4000:4001&k=0", "buckets", NULL);

    for (int i = 1; i < 8001; i++)
        ck_assert(buckets[i] >= buckets[i - 1] && buckets[8000 - i] == -buckets[i]);
    free(buckets);
}
END_TEST

SUITE(deberta, TEST(buckets_are_odd_and_never_fall));
