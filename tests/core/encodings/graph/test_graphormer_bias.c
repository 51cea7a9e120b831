/* SPDX-License-Identifier: Apache-2.0
 * test_graphormer_bias.c - what paths are taken. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(distances_are_those_of_shortest_path)
{
    double *bias = core_query_values("graphormer-bias",
                                     "nodes=5&edges=0,1;1,2;2,3;3,0;3,4&token_bias=9&"
                                     "spatial_table=9;0;1;2;3;4&dtype=f64",
                                     "bias", NULL);
    double *hops =
        core_query_values("shortest-path", "nodes=5&edges=0,1;1,2;2,3;3,0;3,4", "hops", NULL);

    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++)
            ck_assert(bias[6 * (i + 1) + j + 1] == hops[5 * i + j]);
    free(bias);
    free(hops);
}
END_TEST

SUITE(graphormer_bias, TEST(distances_are_those_of_shortest_path));
