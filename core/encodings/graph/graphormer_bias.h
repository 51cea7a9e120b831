/* SPDX-License-Identifier: Apache-2.0
 * graphormer_bias.h - arguments of graphormer-bias, and its matrices. */
#pragma once

#include "core/encodings/bias/causal.h"
#include "core/encodings/graph/graphs.h"

enum { GRAPHORMER_BIAS, GRAPHORMER_CENTRALITY };
enum { GRAPHORMER_MULTI_HOP, GRAPHORMER_SINGLE_HOP };
enum { GRAPHORMER_UNREACHABLE = 510 };

struct graphormer_bias {
    struct graphs graphs;
    int64_t spatial_pos_max, multi_hop_max_dist;
    int edge_type;
    double mask_value;
    struct pe_reals spatial_table, token_bias, edge_features, edge_table, edge_dis;
    struct pe_reals z_in, z_out;
};

size_t graphormer_bias_heads(const struct graphormer_bias *bias);
/* Returns the count of edges of a path that may contribute. */
size_t graphormer_bias_hops(const struct graphormer_bias *bias);
/* Computes the output `bias`. */
void graphormer_bias_make(struct pe_build *build, const struct graphormer_bias *bias);
