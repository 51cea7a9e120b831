/* SPDX-License-Identifier: Apache-2.0
 * degree.c - the count of edges at each node, or the sum of their weights.
 *
 *     in[v] = sum over i of A[i][v], out[v] = sum over j of A[v][j]
 *
 * Ying et al. 2021, Graphormer, section 3.1 (centrality encoding).
 */
#include "core/encodings/graph/graphs.h"
#include "core/math/precomputed.h"

enum { DEGREES };

static const struct pe_param params[] = {
    GRAPHS_ROWS,
    GRAPHS_WEIGHTS_ROW,
    GRAPHS_DIRECTED_ROW,
};

static const struct pe_output outputs[] = {
    [DEGREES] = {PE_OUTPUT("degrees", PE_F32, "node", "direction"), .label = "Degrees",
                 .sign = PE_NOT_NEGATIVE,
                 .summary = "sums of the weights of the edges that arrive at a node and that "
                            "leave it",
                 .by_default = true,
                 .uses = PE_WORDS("nodes", "edges", "edge_weights", "directed", "self_loops"),
                 .bound = "0.501 ULP; f64 half an ULP an edge"},
};

static void prepare(struct pe_build *build, const void *values)
{
    const struct graphs *v = values;
    size_t n = (size_t)v->nodes;
    double *adjacency = graphs_adjacency(build, v);
    double *out = precomputed_new(build, DEGREES, n, 2);

    if (!adjacency || !out)
        return;
    for (size_t i = 0; i < n * n; i++) {
        out[2 * (i % n)] += adjacency[i];
        out[2 * (i / n) + 1] += adjacency[i];
    }
}

const struct pe_encoding pe_encoding_degree = {
    .name = "degree",
    .title = "Degrees of nodes",
    .formula = "degrees[node] = (sum over i of A[i][node], sum over j of A[node][j])",
    .when_to_use =
        "Graphormer looks learned rows up by these degrees (its centrality encoding, "
        "out=centrality of graphormer-bias).",
    .what_goes_wrong = "An edge from a node to itself counts in neither direction unless "
                       "self_loops=kept is given, while adjacency matrices of libraries often "
                       "have it. A repeated edge counts once.",
    .picture =
        "nodes=12&edges=0,1;0,2;0,3;0,4;1,5;1,6;2,7;3,7;7,8;8,9;9,10;10,11;11,7&directed=1",
    .summary = "edges at each node, in and out",
    .source = "Ying et al. 2021, Graphormer, section 3.1",
    .examples = PE_WORDS("nodes=3&edges=0,1;1,2", "nodes=3&edges=0,1;1,2;0,2&directed=1",
                         "nodes=2&edges=0,1;1,1&edge_weights=0.5,2&self_loops=kept"),
    .family = PE_GRAPH,
    .kind = PE_WHOLE,
    PE_TABLES(struct graphs, params, outputs),
    .detail = &(const struct graphs_kind){.most = GRAPHS_PATHS_MOST, .pair_ns = 4},
    .check = graphs_kind_check,
    .lengths = PE_WORDS("node=nodes", "direction=2"),
    .plan_ns = graphs_kind_plan_ns,
    .prepare = prepare,
};
