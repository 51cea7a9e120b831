/* SPDX-License-Identifier: Apache-2.0
 * test_graphormer_bias.c - worked examples on small graphs, what paths are taken, refusals. */
#include <math.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

#define PATH3 "n=3&edges=0,1;1,2&token_bias=.5&spatial_table=0;.1;.2;.3&dtype=f64"
#define FEATURES "n=3&edges=0,1;1,2&token_bias=0&spatial_table=0;0;0;0&edge_table=0;1;4&"

static const struct {
    const char *query, *output, *numbers;
} examples[] = {
    {PATH3, "bias", ".5 .5 .5 .5 .5 .1 .2 .3 .5 .2 .1 .2 .5 .3 .2 .1"},
    /* one edge: its feature's 1 or 4; two: (1 + 4 * 10) / 2 there, (4 + 1 * 10) / 2 back */
    {FEATURES "edge_features=0;1&edge_dis=1;10", "bias", "0 0 0 0 0 0 1 20.5 0 1 0 4 0 7 4 0"},
    {FEATURES "edge_features=0;1&edge_dis=1;10&multi_hop_max_dist=1", "bias",
     "0 0 0 0 0 0 1 1 0 1 0 4 0 4 4 0"},
    {FEATURES "edge_features=0;1&edge_type=single_hop", "bias",
     "0 0 0 0 0 0 1 0 0 1 0 4 0 0 4 0"},
    {FEATURES "edge_features=0,1;1,1&edge_dis=1;1", "bias",
     "0 0 0 0 0 0 2.5 3.25 0 2.5 0 4 0 3.25 4 0"},
    /* two heads: a row of features times a matrix */
    {"n=2&edges=0,1&token_bias=0,0&spatial_table=0,0;0,0;1,2&edge_features=0&"
     "edge_table=0,0;1,2&edge_dis=1,2;3,4",
     "bias", "0 0 0 0 0 8 0 8 0 0 0 0 0 0 12 0 12 0"},
    /* of two shortest paths from 0 to 3, by 1 and by 2, the first found stays */
    {"n=4&edges=0,1;0,2;1,3;2,3&directed=1&token_bias=0&spatial_table=0;0;0;0;0&"
     "edge_features=0;1;0;1&edge_table=0;1;4&edge_dis=1;1;1&spatial_pos_max=4&mask_value=-inf",
     "bias", "0 0 0 0 0 0 0 1 4 1 0 -inf 0 -inf 1 0 -inf -inf 0 4 0 -inf -inf -inf 0"},
    {"n=3&edges=0,1;1,2&out=centrality&z_in=0,0;1,2;3,4;5,6&z_out=0,0;10,20;30,40;50,60",
     "centrality", "33 44 55 66 33 44"},
    {"n=2&edges=0,1;1,0;1,1&self_loops=kept&out=centrality&z_in=0;1;2;3&z_out=0;0;0;0",
     "centrality", "2 3"},
    {"n=2&token_bias=1&spatial_table=0;7;8&mask_value=-5", "bias", "1 1 1 1 7 -5 1 -5 7"},
    {"n=1&token_bias=2&spatial_table=0;7", "bias", "2 2 2 7"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints("graphormer-bias", examples[_i].query, examples[_i].output,
                      examples[_i].numbers);
}
END_TEST

static const struct core_refusal refused[] = {
    {"n=3&token_bias=1&spatial_table=0;1;2", PE_CONFLICT, "spatial_table",
     "must have at least 4 rows here; got 3", ""},
    {"n=1&token_bias=1,2&spatial_table=0;1", PE_CONFLICT, "token_bias",
     "must have a number a head, 1; got 2", ""},
    {PATH3 "&edge_dis=1", PE_CONFLICT, "edge_dis", "has no effect without edge_features", ""},
    {PATH3 "&edge_table=1", PE_CONFLICT, "edge_table", "has no effect without edge_features",
     ""},
    {PATH3 "&edge_type=single_hop", PE_CONFLICT, "edge_type",
     "has no effect without edge_features", ""},
    {PATH3 "&multi_hop_max_dist=2", PE_CONFLICT, "multi_hop_max_dist",
     "has no effect without edge_features", ""},
    {FEATURES "edge_features=0&edge_dis=1;1", PE_CONFLICT, "edge_features",
     "must have a row an edge, 2; got 1", ""},
    {FEATURES "edge_features=0;.5&edge_dis=1;1", PE_BAD_VALUE, "edge_features",
     "must be whole numbers, of rows of edge_table; got 0.5", ""},
    {FEATURES "edge_features=0;2&edge_dis=1;1", PE_CONFLICT, "edge_table",
     "must have at least 4 rows here; got 3", ""},
    {FEATURES "edge_features=0;1&edge_dis=1", PE_CONFLICT, "edge_dis",
     "must have at least 2 rows here; got 1", ""},
    {FEATURES "edge_features=0;1&edge_dis=1,1;1,1", PE_CONFLICT, "edge_dis",
     "must have 1 columns, one a head; got 2", ""},
    {FEATURES "edge_features=0;1&edge_dis=1&edge_type=single_hop", PE_CONFLICT, "edge_dis",
     "has no effect with edge_type=single_hop", ""},
    {FEATURES "edge_features=0;1&multi_hop_max_dist=1&edge_type=single_hop", PE_CONFLICT,
     "multi_hop_max_dist", "has no effect with edge_type=single_hop", ""},
    {"n=3&edges=0,1;1,2;1,2&out=centrality&z_in=0;1;2;3&z_out=0;1;2", PE_CONFLICT, "z_out",
     "must have at least 4 rows here; got 3", ""},
    {"n=2&out=centrality&z_in=0;1&z_out=0,1;1,2", PE_CONFLICT, "z_out",
     "must have 1 columns, as z_in; got 2", ""},
    {"n=2&token_bias=1&spatial_table=0;7;8&mask_value=-1e9&dtype=f16", PE_CONFLICT,
     "mask_value", "must be within +-65504, the range of the dtype; got -1e+09", ""},
    {"n=2000&token_bias=1&spatial_table=0", PE_TOO_LARGE, "n", "must be at most 1024", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("graphormer-bias"), &refused[_i]);
}
END_TEST

START_TEST(distances_are_those_of_shortest_path)
{
    double *bias = core_query_values("graphormer-bias",
                                     "n=5&edges=0,1;1,2;2,3;3,0;3,4&token_bias=9&"
                                     "spatial_table=9;0;1;2;3;4&dtype=f64",
                                     "bias", NULL);
    double *hops =
        core_query_values("shortest-path", "n=5&edges=0,1;1,2;2,3;3,0;3,4", "hops", NULL);

    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++)
            ck_assert(bias[6 * (i + 1) + j + 1] == hops[5 * i + j]);
    free(bias);
    free(hops);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(distances_are_those_of_shortest_path),
};

const struct suite graphormer_bias_suite = {SUITE_TESTS(tests)};
