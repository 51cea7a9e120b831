/* SPDX-License-Identifier: Apache-2.0
 * graphormer_bias_pairs.c - the bias of each pair of nodes: the bias of their distance, and the
 * contribution of the edges between them. */
#include "core/encodings/graph/graphormer_bias.h"
#include "core/math/number/elementary.h"
#include "core/math/precomputed.h"

struct work {
    const struct graphormer_bias *v;
    double masked; /* bias of nodes that are too far apart */
    struct graphs_paths paths;
    int32_t *edge;   /* number of the edge between two nodes, or -1 */
    size_t *nodes;   /* nodes of a path */
    struct dd *sums; /* sums of an edge's features, then of a pair; one a head */
};

static bool work_new(struct pe_build *build, const struct graphormer_bias *v, struct work *w)
{
    size_t n = (size_t)v->graphs.nodes;
    const double *adjacency = graphs_adjacency(build, &v->graphs);
    const double *ends = v->graphs.edges.values;

    w->v = v;
    w->masked = causal_mask(pe_build_args(build), v->mask_value, GRAPHORMER_BIAS);
    w->edge = pe_build_alloc(build, n * n * sizeof *w->edge);
    w->nodes = pe_build_alloc(build, n * sizeof *w->nodes);
    w->sums = pe_build_alloc(build, 2 * graphormer_bias_heads(v) * sizeof *w->sums);
    if (!adjacency || !w->edge || !w->nodes || !w->sums ||
        !graphs_paths_find(build, adjacency, n, &w->paths))
        return false;
    for (size_t at = 0; at < n * n; at++)
        w->edge[at] = -1;
    for (size_t e = v->graphs.edges.rows; e-- > 0;) { /* of repeated edges the first counts */
        size_t from = (size_t)ends[2 * e], to = (size_t)ends[2 * e + 1];

        if (from == to && !v->graphs.self_loops)
            continue;
        w->edge[from * n + to] = (int32_t)e;
        if (!v->graphs.directed)
            w->edge[to * n + from] = (int32_t)e;
    }
    return true;
}

/* Adds the rows of edge_table for the features of an edge to the sums, one a head. */
static void add_features(const struct work *w, int32_t edge, struct dd *sums)
{
    const struct pe_reals *features = &w->v->edge_features, *table = &w->v->edge_table;

    for (size_t h = 0; h < table->cols; h++) {
        for (size_t f = 0; f < features->cols; f++) {
            size_t row = (size_t)features->values[(size_t)edge * features->cols + f] + 1;

            sums[h] =
                elementary_add(sums[h], (struct dd){table->values[row * table->cols + h], 0});
        }
    }
}

/* Adds the contribution of `edge`, which is number k of a path, to each head. */
static void add_hop(const struct work *w, size_t k, int32_t edge, struct dd *sums)
{
    size_t heads = graphormer_bias_heads(w->v);
    const double *matrix = w->v->edge_dis.values + k * heads * heads;
    struct dd *features = w->sums;

    for (size_t h = 0; h < heads; h++)
        features[h] = (struct dd){0, 0};
    add_features(w, edge, features);
    for (size_t g = 0; g < heads; g++) {
        for (size_t h = 0; h < heads; h++)
            sums[h] = elementary_add(
                sums[h],
                elementary_multiply(features[g], (struct dd){matrix[g * heads + h], 0}));
    }
}

/* Returns e(i, j) of each head, in the second half of w->sums. */
static const struct dd *edges_between(const struct work *w, size_t i, size_t j)
{
    size_t n = w->paths.n, heads = graphormer_bias_heads(w->v), from = i, count = 0;
    int32_t hops = w->paths.hops[i * n + j];
    struct dd *sums = w->sums + heads;
    double terms = (double)w->v->edge_features.cols;

    for (size_t h = 0; h < heads; h++)
        sums[h] = (struct dd){0, 0};
    if (w->v->edge_features.rows == 0)
        return sums;
    if (w->v->edge_type == GRAPHORMER_SINGLE_HOP) {
        if (w->edge[i * n + j] >= 0)
            add_features(w, w->edge[i * n + j], sums);
    } else if (i != j && hops < GRAPHORMER_UNREACHABLE) {
        count = graphs_paths_walk(&w->paths, i, j, graphormer_bias_hops(w->v), w->nodes);
        terms *= (double)count;
    }
    for (size_t k = 0; k < count; from = w->nodes[k++])
        add_hop(w, k, w->edge[from * n + w->nodes[k]], sums);
    for (size_t h = 0; h < heads; h++)
        sums[h] = elementary_divide(sums[h], (struct dd){terms, 0});
    return sums;
}

static void make_pair(const struct work *w, size_t i, size_t j, double *out)
{
    const struct graphormer_bias *v = w->v;
    size_t heads = graphormer_bias_heads(v), side = w->paths.n + 1;
    int32_t hops = w->paths.hops[i * w->paths.n + j];
    size_t s = hops < GRAPHORMER_UNREACHABLE ? (size_t)hops : GRAPHORMER_UNREACHABLE;
    const struct dd *edges;

    out += (i + 1) * side + j + 1;
    if (s >= (size_t)v->spatial_pos_max) {
        for (size_t h = 0; h < heads; h++)
            out[h * side * side] = w->masked;
        return;
    }
    edges = edges_between(w, i, j);
    for (size_t h = 0; h < heads; h++) {
        struct dd node = {v->spatial_table.values[(s + 1) * heads + h], 0};

        node = elementary_add(node, edges[h]);
        out[h * side * side] = node.hi + node.lo;
    }
}

void graphormer_bias_make(struct pe_build *build, const struct graphormer_bias *v)
{
    size_t n = (size_t)v->graphs.nodes, heads = graphormer_bias_heads(v), side = n + 1;
    double *out = precomputed_new(build, GRAPHORMER_BIAS, heads * side, side);
    struct work work;

    if (!out || !work_new(build, v, &work))
        return;
    for (size_t h = 0; h < heads; h++)
        for (size_t i = 0; i < side; i++)
            out[(h * side + i) * side] = out[h * side * side + i] = v->token_bias.values[h];
    for (size_t i = 0; i < n && !pe_build_stopped(build); i++)
        for (size_t j = 0; j < n; j++)
            make_pair(&work, i, j, out);
}
