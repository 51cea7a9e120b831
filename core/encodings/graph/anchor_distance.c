/* SPDX-License-Identifier: Apache-2.0
 * anchor_distance.c - nearness of each node to sets of anchors.
 *
 *     column s = 1 / (1 + min over the set of the distance from v), 0 where no path leads
 *
 * You et al. 2019, Position-aware Graph Neural Networks (P-GNN), section 4.
 */
#include <math.h>

#include "core/encodings/graph/graphs.h"
#include "core/math/precomputed.h"
#include "core/math/random.h"

enum { NEARNESS };

struct anchor_distance {
    struct graphs graphs;
    struct pe_reals anchors;
    int64_t sets, set_size, seed;
};

static const struct pe_param params[] = {
    GRAPHS_ROWS,
    GRAPHS_WEIGHTS_ROW,
    GRAPHS_DIRECTED_ROW,
    {PE_FIELD(struct anchor_distance, anchors), .type = PE_REALS, .matrix = true, .min = -1,
     .max = GRAPHS_NODES_MOST, PE_OWN("You et al. 2019", POSITIONS, BASIC),
     .summary = "sets of anchor nodes, a set a row; -1 fills shorter rows: 0,-1;0,2"},
    {PE_FIELD(struct anchor_distance, sets), .type = PE_INT, .optional = true, .min = 1,
     .max = 4096, .when = "!anchors", PE_OWN("posenc", SHAPE, BASIC),
     .summary = "number of random sets of anchor nodes, in place of anchors"},
    {PE_FIELD(struct anchor_distance, set_size), .type = PE_INT, .optional = true, .min = 1,
     .max = GRAPHS_PATHS_MOST, .when = "!anchors", PE_OWN("posenc", SHAPE, BASIC),
     .summary = "nodes of each random set"},
    {PE_FIELD(struct anchor_distance, seed), .type = PE_INT, .optional = true, .min = 0,
     .max = 0x1p53, .when = "!anchors", .summary = "seed of the random sets; 0 by default"},
};

static const struct pe_output outputs[] = {
    [NEARNESS] = {PE_OUTPUT("nearness", PE_F32, "node", "set"), .label = "Nearness",
                  .one_of = "anchors|sets", .sign = PE_NOT_NEGATIVE,
                  .summary = "1 / (1 + distance from the node to the nearest of the set)",
                  .by_default = true,
                  .uses = PE_WORDS("nodes", "edges", "edge_weights", "directed", "self_loops",
                                   "anchors", "sets", "set_size", "seed"),
                  .bound = "0.501 ULP; f64 1 ULP an edge"},
};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct anchor_distance *v = values;

    if (v->anchors.rows > 0)
        return;
    if (v->sets == PE_ABSENT_INT || v->set_size == PE_ABSENT_INT)
        pe_fail(errors, PE_MISSING_PARAMETER, "anchors", "is required, or sets and set_size");
    else if (v->seed == PE_ABSENT_INT)
        v->seed = 0;
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct anchor_distance *v = values;

    for (size_t i = 0; i < v->anchors.rows * v->anchors.cols; i++) {
        double node = v->anchors.values[i];

        if (node != trunc(node) || node >= (double)v->graphs.nodes) {
            pe_fail(errors, PE_OUT_OF_RANGE, "anchors",
                    "must name nodes, whole numbers 0..%lld, or -1; got %g",
                    (long long)v->graphs.nodes - 1, node);
            return;
        }
    }
    if (v->set_size != PE_ABSENT_INT && v->set_size > v->graphs.nodes)
        pe_fail(errors, PE_CONFLICT, "set_size", "must be at most nodes, %lld; got %lld",
                (long long)v->graphs.nodes, (long long)v->set_size);
    else
        graphs_check(&v->graphs, GRAPHS_PATHS_MOST, errors);
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct anchor_distance *v = values;
    double n = (double)v->graphs.nodes, size = 0;

    size = v->anchors.rows > 0 ? (double)(v->anchors.rows * v->anchors.cols)
                               : (double)v->sets * (double)v->set_size;
    return 6 * n * n * n + n * size;
}

/* Marks the nodes of the next set. Returns false when out of memory. */
static bool take_set(struct pe_build *build, const struct anchor_distance *v, size_t set,
                     struct random *random, uint64_t *picked, bool *member)
{
    size_t n = (size_t)v->graphs.nodes;

    for (size_t i = 0; i < n; i++)
        member[i] = false;
    for (size_t i = 0; i < v->anchors.cols; i++) {
        double node = v->anchors.values[set * v->anchors.cols + i];

        if (node >= 0)
            member[(size_t)node] = true;
    }
    if (v->anchors.rows > 0)
        return true;
    if (!random_pick(random, n, (size_t)v->set_size, picked, NULL))
        return pe_build_no_memory(build);
    for (int64_t i = 0; i < v->set_size; i++)
        member[picked[i]] = true;
    return true;
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct anchor_distance *v = values;
    size_t n = (size_t)v->graphs.nodes,
           sets = v->anchors.rows ? v->anchors.rows : (size_t)v->sets;
    double *adjacency = graphs_adjacency(build, &v->graphs);
    double *distances = pe_build_alloc(build, n * n * sizeof *distances);
    double *out = precomputed_new(build, NEARNESS, n, sets);
    uint64_t *picked = pe_build_alloc(build, n * sizeof *picked);
    bool *member = pe_build_alloc(build, n * sizeof *member);
    struct random random = random_seeded(v->seed == PE_ABSENT_INT ? 0 : (uint64_t)v->seed);

    if (!adjacency || !distances || !picked || !member || !out)
        return;
    for (size_t i = 0; i < n && !pe_build_stopped(build); i++)
        graphs_distances(adjacency, n, i, true, distances + i * n, member);
    for (size_t set = 0; set < sets; set++) {
        if (pe_build_stopped(build) || !take_set(build, v, set, &random, picked, member))
            return;
        for (size_t i = 0; i < n * n; i++) {
            double *nearness = &out[i / n * sets + set];

            if (member[i % n] && distances[i] >= 0)
                *nearness = fmax(*nearness, 1 / (1 + distances[i]));
        }
    }
}

const struct pe_encoding pe_encoding_anchor_distance = {
    .name = "anchor-distance",
    .title = "Anchor distances (P-GNN)",
    .formula =
        "nearness[node][s] = 1 / (1 + min over the nodes a of set s of distance(a, node)), "
        "0 where no path leads",
    .when_to_use = "Anchor distances tell a graph network where a node is in the whole graph, "
                   "which neighbourhoods alone cannot. Spectral encodings such as laplacian-pe "
                   "need no choice of anchors.",
    .what_goes_wrong = "Rows can be compared only between runs with the same anchors: a random "
                       "set per batch needs the same seed in training and in serving. Distance "
                       "is measured from the set to the node, which matters with directed=1.",
    .picture = GRAPHS_PICTURE "&anchors=0;4;8;12",
    .summary = "nearness of nodes to sets of anchors",
    .source = "You et al. 2019, Position-aware Graph Neural Networks, section 4",
    .examples = PE_WORDS("nodes=3&edges=0,1;1,2&anchors=0,-1;0,2",
                         "nodes=5&edges=0,1;1,2;2,3;3,4&sets=3&set_size=2&seed=42"),
    .family = PE_GRAPH,
    .kind = PE_WHOLE,
    PE_TABLES_OF(struct anchor_distance, graphs, params, outputs),
    .resolve = resolve,
    .check = check,
    .lengths = PE_WORDS("node=nodes", "set=anchors.0|sets"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
