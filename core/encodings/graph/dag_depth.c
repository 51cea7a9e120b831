/* SPDX-License-Identifier: Apache-2.0
 * dag_depth.c - depth in a graph without cycles.
 *
 *     depth[v] = edges of the longest path that ends in v
 *
 * Luo et al. 2023, Transformers over Directed Acyclic Graphs (DAGFormer); Dong et al. 2022,
 * PACE. A node is visited after all of its predecessors (Kahn 1962).
 */
#include <math.h>

#include "core/encodings/graph/graphs.h"
#include "core/math/precomputed.h"

enum { DEPTH };

static const struct pe_param params[] = {
    GRAPHS_ROWS,
};

static const struct pe_output outputs[] = {
    [DEPTH] = {PE_OUTPUT("depth", PE_I64, "node"), .label = "Depth", .sign = PE_NOT_NEGATIVE,
               .summary = "number of edges of the longest path to each node",
               .by_default = true, .bound = "exact"},
};

/* Orders the nodes after their predecessors. Returns the count of nodes reached. */
static size_t sort(const double *adjacency, size_t n, size_t *queue, size_t *waiting,
                   double *depth)
{
    size_t count = 0;

    for (size_t i = 0; i < n * n; i++)
        waiting[i % n] += adjacency[i] > 0;
    for (size_t i = 0; i < n; i++)
        if (waiting[i] == 0)
            queue[count++] = i;
    for (size_t at = 0; at < count; at++) {
        size_t from = queue[at];

        for (size_t to = 0; to < n; to++) {
            if (adjacency[from * n + to] == 0)
                continue;
            depth[to] = fmax(depth[to], depth[from] + 1);
            if (--waiting[to] == 0)
                queue[count++] = to;
        }
    }
    return count;
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct graphs *v = values;
    struct graphs directed = *v;
    size_t n = (size_t)v->nodes, *queue = pe_build_alloc(build, n * sizeof *queue);
    size_t *waiting = pe_build_alloc(build, n * sizeof *waiting);
    double *depth = precomputed_new(build, DEPTH, 1, n), *adjacency;

    directed.directed = true;
    adjacency = graphs_adjacency(build, &directed);
    if (!queue || !waiting || !depth || !adjacency)
        return;
    if (sort(adjacency, n, queue, waiting, depth) < n)
        pe_fail(pe_build_errors(build), PE_BAD_VALUE, "edges",
                "must not lead in a cycle; each is directed, from its first node");
}

const struct pe_encoding pe_encoding_dag_depth = {
    .name = "dag-depth",
    .title = "Depth in a directed acyclic graph",
    .formula = "depth[node] = largest number of edges of a path that ends in node",
    .when_to_use =
        "Transformers over directed acyclic graphs (DAGFormer, PACE) look a sinusoidal "
        "row up by this depth. A graph with cycles has no depth; shortest-path serves "
        "it.",
    .what_goes_wrong = "The depth counts the longest path to a node. The shortest one, which a "
                       "breadth-first search gives, is another number as soon as two paths of "
                       "unequal length meet.",
    .picture = "nodes=12&edges=0,1;0,2;1,3;2,3;3,4;3,5;4,6;5,6;2,7;7,8;8,9;6,10;9,10;10,11",
    .summary = "depth of nodes in a directed graph without cycles",
    .source = "Luo et al. 2023, DAGFormer; Dong et al. 2022, PACE",
    .examples = PE_WORDS("nodes=5&edges=0,1;0,2;1,3;2,3;0,3;3,4", "nodes=3&edges=2,1;1,0"),
    .family = PE_GRAPH,
    .kind = PE_WHOLE,
    PE_TABLES(struct graphs, params, outputs),
    .detail = &(const struct graphs_kind){.most = GRAPHS_PATHS_MOST, .pair_ns = 6},
    .check = graphs_kind_check,
    .most = PE_WORDS("depth=nodes-1"),
    .lengths = PE_WORDS("node=nodes"),
    .plan_ns = graphs_kind_plan_ns,
    .prepare = prepare,
};
