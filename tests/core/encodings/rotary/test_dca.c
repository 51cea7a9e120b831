/* SPDX-License-Identifier: Apache-2.0
 * test_dca.c - dual chunk attention: a law beyond the rows of dca.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(neighbours_keep_their_distance_and_no_distance_exceeds_a_chunk)
{
    size_t count;
    double *values =
        core_query_values("dca", "len=60&chunk=8&local_size=2", "distance", &count);

    for (int i = 0; i < 60; i++) {
        for (int j = 0; j <= i; j++) {
            double distance = values[60 * i + j];

            ck_assert(i - j > 2 || distance == i - j);
            ck_assert(distance >= 0 && distance <= 8);
        }
    }
    free(values);
}
END_TEST

SUITE(dca, TEST(neighbours_keep_their_distance_and_no_distance_exceeds_a_chunk));
