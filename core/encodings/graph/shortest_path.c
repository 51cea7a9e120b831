/* SPDX-License-Identifier: Apache-2.0
 * shortest_path.c - distances of all pairs of nodes, in steps and in weights.
 *
 * Ying et al. 2021, Do Transformers Really Perform Bad for Graph Representation? (Graphormer,
 * where nodes that no path joins are 510 apart); Dijkstra 1959.
 */
#include <math.h>

#include "core/encodings/graph/graphs.h"
#include "core/math/precomputed.h"

enum { HOPS, DISTANCES };

struct shortest_path {
    struct graphs graphs;
    double unreachable, max_distance;
};

static const struct pe_param params[] = {
    GRAPHS_ROWS,
    GRAPHS_WEIGHTS_ROW,
    GRAPHS_DIRECTED_ROW,
    {PE_FIELD(struct shortest_path, unreachable), .type = PE_REAL, .min = -1e9, .max = 1e9,
     .preset = -1, .words = (const struct pe_word[]){{"inf", INFINITY}, {NULL, 0}},
     PE_OWN("posenc", DISTANCE, BASIC), .summary = "value of two nodes that no path joins"},
    {PE_FIELD(struct shortest_path, max_distance), .type = PE_REAL, .optional = true, .min = 0,
     .max = 1e9, .summary = "longer paths count as this long"},
};

static const struct pe_output outputs[] = {
    [HOPS] = {PE_OUTPUT("hops", PE_I64, "from_node", "to_node"), .label = "Hops",
              .summary = "number of edges of the shortest path between two nodes",
              .by_default = true,
              .uses = PE_WORDS("nodes", "edges", "directed", "self_loops", "unreachable",
                               "max_distance"),
              .bound = "exact"},
    [DISTANCES] = {PE_OUTPUT("distances", PE_F32, "from_node", "to_node"), .label = "Distances",
                   .summary = "sum of the weights of the lightest path between two nodes",
                   .uses = PE_WORDS("nodes", "edges", "edge_weights", "directed", "self_loops",
                                    "unreachable", "max_distance"),
                   .bound = "0.501 ULP; f64 half an ULP an edge"},
};

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct shortest_path *v = values;

    if (pe_wants(args, HOPS) &&
        (v->unreachable != trunc(v->unreachable) || isinf(v->unreachable)))
        pe_fail(errors, PE_CONFLICT, "unreachable",
                "must be a whole number for out=hops; got %g", v->unreachable);
    else if (pe_wants(args, HOPS) && v->max_distance != trunc(v->max_distance) &&
             !isnan(v->max_distance))
        pe_fail(errors, PE_CONFLICT, "max_distance",
                "must be a whole number for out=hops; got %g", v->max_distance);
    else
        graphs_check(&v->graphs, GRAPHS_PATHS_MOST, errors);
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    const struct shortest_path *v = values;

    return (struct pe_interval){fmin(v->unreachable, 0),
                                fmax(v->unreachable, (double)v->graphs.nodes)};
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct shortest_path *v = values;
    double n = (double)v->graphs.nodes;

    return 3 * n * n * n * (pe_wants(args, HOPS) + pe_wants(args, DISTANCES));
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct shortest_path *v = values;
    size_t n = (size_t)v->graphs.nodes;
    double *adjacency = graphs_adjacency(build, &v->graphs);
    bool *done = pe_build_alloc(build, n * sizeof *done);

    for (size_t output = HOPS; output <= DISTANCES; output++) {
        double *out;

        if (!pe_wants(pe_build_args(build), output))
            continue;
        out = precomputed_new(build, output, n, n);
        if (!out || !adjacency || !done)
            return;
        for (size_t i = 0; i < n && !pe_build_stopped(build); i++)
            graphs_distances(adjacency, n, i, output == DISTANCES, out + i * n, done);
        for (size_t i = 0; i < n * n; i++)
            if (out[i] < 0)
                out[i] = v->unreachable;
            else if (out[i] > v->max_distance)
                out[i] = v->max_distance;
    }
}

const struct pe_encoding pe_encoding_shortest_path = {
    .name = "shortest-path",
    .title = "Shortest path distances",
    .formula = "hops[i][j] = least number of edges of a path from i to j; distances[i][j] = "
               "least sum of weights",
    .when_to_use = "Graphormer and other graph transformers look attention biases up by this "
                   "distance; graphormer-bias does both steps.",
    .what_goes_wrong =
        "Libraries write different numbers where no path leads: 510 in Graphormer, "
        "inf in SciPy, -1 here unless unreachable says otherwise.",
    .picture = GRAPHS_PICTURE,
    .summary = "distances of all pairs of nodes",
    .source = "Ying et al. 2021, Graphormer; Dijkstra 1959",
    .examples =
        PE_WORDS("nodes=3&edges=0,1;1,2", "nodes=4&edges=0,1;1,2&unreachable=510&directed=1",
                 "nodes=3&edges=0,1;1,2&edge_weights=1,2.5&out=distances"),
    .family = PE_GRAPH,
    .kind = PE_WHOLE,
    PE_TABLES_OF(struct shortest_path, graphs, params, outputs),
    .check = check,
    .range = range,
    .lengths = PE_WORDS("from_node=nodes", "to_node=nodes"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
