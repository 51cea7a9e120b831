/* SPDX-License-Identifier: Apache-2.0
 * test_levit_bias.c - LeViT's distances: a law beyond the rows of levit_bias.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(strided_queries_are_rows_of_the_whole_matrix)
{
    double *whole = core_query_values("levit-bias", "resolution=4x5", "index", NULL);
    double *strided =
        core_query_values("levit-bias", "resolution=4x5&query_stride=2", "index", NULL);

    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 20; j++)
            ck_assert(strided[20 * i + j] == whole[20 * (i / 3 * 10 + i % 3 * 2) + j]);
    free(whole);
    free(strided);
}
END_TEST

SUITE(levit_bias, TEST(strided_queries_are_rows_of_the_whole_matrix));
