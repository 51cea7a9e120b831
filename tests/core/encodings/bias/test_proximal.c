/* SPDX-License-Identifier: Apache-2.0
 * test_proximal.c - a bias of the logarithm: laws beyond the rows of proximal.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(the_bias_is_the_same_by_difference)
{
    double *matrix = core_query_values("proximal", "q=3:8&k=0:11", "bias", NULL);
    double *compact =
        core_query_values("proximal", "q=3:8&k=0:11&out=toeplitz", "toeplitz", NULL);

    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 11; j++)
            ck_assert(matrix[i * 11 + j] == compact[i + 10 - j]);
    free(matrix);
    free(compact);
}
END_TEST

SUITE(proximal, TEST(the_bias_is_the_same_by_difference));
