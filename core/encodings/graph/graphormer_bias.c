/* SPDX-License-Identifier: Apache-2.0
 * graphormer_bias.c - biases by the count of edges between two nodes, by the features of these
 * edges, and of a virtual node, number 0, that is joined to all others.
 *
 *     bias[1+i][1+j] = spatial_table[s + 1] + e(i, j); mask_value where s >= spatial_pos_max
 *     e(i, j) = sum_k v_k edge_dis[k] / max(1, min(s, D)),  v_k = mean_f edge_table[f + 1]
 *     bias[0][j] = bias[i][0] = token_bias
 *     centrality[i] = z_in[degree + 1] + z_out[degree + 1]
 *
 * s is the number of edges on the shortest path, 510 where there is none (or a longer one), f a
 * feature of edge k of this path, whose first D = multi_hop_max_dist edges count; edge_dis[k]
 * is a matrix. With edge_type=single_hop e(i, j) is v of the edge between i and j. Ying et al.
 * 2021, Do Transformers Really Perform Bad for Graph Representation?, section 3;
 * microsoft/Graphormer algos.pyx, collator.py, graphormer_layers.py.
 */
#include "core/encodings/graph/graphormer_bias.h"

#include <math.h>
#include <stdlib.h>

#include "core/math/precomputed.h"

static const double most_products = 0x1p30; /* that many take some seconds */

#define MATRIX_ROW(FIELD, REQUIRED, WHEN, SUMMARY)                                             \
    {                                                                                          \
        PE_FIELD(struct graphormer_bias, FIELD),                                               \
            .type = PE_REALS, .matrix = true, .required = (REQUIRED), .min = -1e18,            \
            .max = 1e18, .when = (WHEN), PE_OWN("microsoft/Graphormer", WEIGHTS, BASIC),       \
            .summary = (SUMMARY)                                                               \
    }

static const struct pe_param params[] = {
    GRAPHS_ROWS,
    GRAPHS_DIRECTED_ROW,
    {PE_FIELD(struct graphormer_bias, spatial_pos_max), .type = PE_INT, .min = 1, .max = 1024,
     .preset = 20, PE_OWN("microsoft/Graphormer", DISTANCE, BASIC),
     .summary = "nodes that are so many edges apart, or more, do not see each other"},
    {PE_FIELD(struct graphormer_bias, multi_hop_max_dist), .type = PE_INT, .min = 0,
     .max = 1024, .preset = 5, .when = "edge_features&!edge_type=single_hop",
     PE_OWN("microsoft/Graphormer", DISTANCE, ADVANCED),
     .summary = "number of first edges of a path whose features count; 0: all of them"},
    {PE_FIELD(struct graphormer_bias, edge_type),
     PE_CHOICES(PE_ONE_AT(GRAPHORMER_MULTI_HOP, "multi_hop",
                          "features of all edges of the shortest path count"),
                PE_ONE_AT(GRAPHORMER_SINGLE_HOP, "single_hop",
                          "only the edge that joins the two nodes counts")),
     .when = "edge_features", PE_OWN("microsoft/Graphormer", DISTANCE, ADVANCED),
     .summary = "the edges whose features count"},
    CAUSAL_MASK_ROW(struct graphormer_bias, mask_value, NULL),
    MATRIX_ROW(spatial_table, true, NULL,
               "learned bias of two nodes: row s + 1 for nodes s edges apart, a column a head"),
    {PE_FIELD(struct graphormer_bias, token_bias), .type = PE_REALS, .required = true,
     .min = -1e18, .max = 1e18, PE_OWN("microsoft/Graphormer", WEIGHTS, BASIC),
     .summary = "learned bias of the virtual node, a number a head"},
    {PE_FIELD(struct graphormer_bias, edge_features), .type = PE_REALS, .matrix = true,
     .min = 0, .max = 0x1p31, PE_OWN("posenc", WEIGHTS, ADVANCED),
     .summary = "features of each edge, a row an edge: numbers of rows of edge_table, from 0"},
    MATRIX_ROW(edge_table, true, "edge_features",
               "learned rows of edge features: row f + 1 for feature f, a column a head"),
    MATRIX_ROW(
        edge_dis, false, "edge_features&!edge_type=single_hop",
        "learned matrix for each edge of a path: heads rows of heads numbers, edge after "
        "edge"),
    MATRIX_ROW(z_in, true, NULL,
               "learned rows by the number of edges that arrive: row d + 1 for degree d"),
    MATRIX_ROW(z_out, true, NULL,
               "learned rows by the number of edges that leave: row d + 1 for degree d"),
};

#define GRAPH_NAMES "nodes", "edges", "directed", "self_loops"

static const struct pe_output outputs[] = {
    [GRAPHORMER_BIAS] =
        {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"), .label = "Bias",
         .picture = GRAPHS_PICTURE
         "&spatial_table=0;1;0.8;0.6;0.4;0.2;0;-0.2;-0.4;-0.6;-0.8;-1;-1;-1;-1;-1;-1"
         "&token_bias=0.5",
         .summary =
             "bias that is added to the attention scores; row and column 0 belong to the "
             "virtual node",
         .by_default = true,
         .uses = PE_WORDS(GRAPH_NAMES, "spatial_pos_max", "multi_hop_max_dist", "edge_type",
                          "mask_value", "spatial_table", "token_bias", "edge_features",
                          "edge_table", "edge_dis"),
         .bound = "0.501 ULP; f64 1 ULP; of sums above 2^-40 of their terms"},
    [GRAPHORMER_CENTRALITY] = {PE_OUTPUT("centrality", PE_F32, "node", "dim"),
                               .label = "Centrality",
                               .picture = GRAPHS_PICTURE
                               "&z_in=0,0;0,1;1,2;2,3;3,4&z_out=0,0;0,1;1,0;2,1;3,-1",
                               .summary = "rows that are added to the features of the nodes",
                               .uses = PE_WORDS(GRAPH_NAMES, "z_in", "z_out"),
                               .bound = "0.501 ULP; f64 half an ULP"},
};

/* ---- rules ------------------------------------------------------------------------------- */

size_t graphormer_bias_heads(const struct graphormer_bias *v)
{
    return v->spatial_table.cols;
}

size_t graphormer_bias_hops(const struct graphormer_bias *v)
{
    size_t longest = v->graphs.nodes > 1 ? (size_t)v->graphs.nodes - 1 : 0;

    if (v->edge_type == GRAPHORMER_SINGLE_HOP)
        return 1;
    return v->multi_hop_max_dist > 0 && (size_t)v->multi_hop_max_dist < longest
               ? (size_t)v->multi_hop_max_dist
               : longest;
}

static double products(const struct graphormer_bias *v)
{
    double n = (double)v->graphs.nodes, heads = (double)graphormer_bias_heads(v);

    return v->edge_features.rows > 0 ? n * n * heads * heads * (double)graphormer_bias_hops(v)
                                     : 0;
}

static void check_rows(const char *name, const struct pe_reals *table, size_t rows,
                       struct pe_errors *errors)
{
    if (table->rows < rows)
        pe_fail(errors, PE_CONFLICT, name, "must have at least %zu rows here; got %zu", rows,
                table->rows);
}

static void check_cols(const char *name, const struct pe_reals *table, size_t cols,
                       struct pe_errors *errors)
{
    if (table->cols != cols)
        pe_fail(errors, PE_CONFLICT, name, "must have %zu columns, one a head; got %zu", cols,
                table->cols);
}

static void check_edges(const struct graphormer_bias *v, struct pe_errors *errors)
{
    const struct pe_reals *features = &v->edge_features;
    double last = 0;

    if (features->rows != v->graphs.edges.rows)
        pe_fail(errors, PE_CONFLICT, "edge_features", "must have a row an edge, %zu; got %zu",
                v->graphs.edges.rows, features->rows);
    for (size_t i = 0; i < features->rows * features->cols; i++) {
        last = fmax(last, features->values[i]);
        if (features->values[i] != trunc(features->values[i]))
            pe_fail(errors, PE_BAD_VALUE, "edge_features",
                    "must be whole numbers, of rows of edge_table; got %g",
                    features->values[i]);
        if (errors->count > 0)
            return;
    }
    check_cols("edge_table", &v->edge_table, graphormer_bias_heads(v), errors);
    check_rows("edge_table", &v->edge_table, (size_t)last + 2, errors);
    if (v->edge_type == GRAPHORMER_SINGLE_HOP || graphormer_bias_hops(v) == 0)
        return;
    check_cols("edge_dis", &v->edge_dis, graphormer_bias_heads(v), errors);
    check_rows("edge_dis", &v->edge_dis, graphormer_bias_hops(v) * graphormer_bias_heads(v),
               errors);
}

static void check_bias(const struct graphormer_bias *v, struct pe_errors *errors)
{
    int64_t rows =
        (v->graphs.nodes < v->spatial_pos_max ? v->graphs.nodes : v->spatial_pos_max) + 1;

    if (v->spatial_pos_max > GRAPHORMER_UNREACHABLE)
        rows = GRAPHORMER_UNREACHABLE + 2;
    check_rows("spatial_table", &v->spatial_table, (size_t)rows, errors);
    if (v->token_bias.cols != graphormer_bias_heads(v))
        pe_fail(errors, PE_CONFLICT, "token_bias", "must have a number a head, %zu; got %zu",
                graphormer_bias_heads(v), v->token_bias.cols);
    if (v->edge_features.rows > 0)
        check_edges(v, errors);
    if (errors->count == 0 && products(v) > most_products) {
        pe_fail(errors, PE_TOO_LARGE, "edge_dis", "needs %.0f products; at most %.0f",
                products(v), most_products);
        pe_note_limit(errors, (uint64_t)most_products, (uint64_t)fmin(products(v), 0x1p63));
    }
}

/* Returns the largest count of distinct neighbours of a node, or -1 when out of memory. */
static long most_neighbours(const struct graphs *g)
{
    size_t n = (size_t)g->nodes;
    unsigned char *joined = calloc(n, n);
    long most = joined ? 0 : -1;

    for (size_t e = 0; joined && e < g->edges.rows; e++) {
        size_t from = (size_t)g->edges.values[2 * e], to = (size_t)g->edges.values[2 * e + 1];

        joined[from * n + to] = from != to || g->self_loops;
        if (!g->directed)
            joined[to * n + from] = joined[from * n + to];
    }
    for (size_t i = 0; joined && i < n; i++) {
        long count = 0;

        for (size_t j = 0; j < n; j++)
            count += joined[i * n + j];
        most = count > most ? count : most;
    }
    free(joined);
    return most;
}

static void check_centrality(const struct graphormer_bias *v, struct pe_errors *errors)
{
    long most = most_neighbours(&v->graphs);

    if (most < 0) {
        pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
        return;
    }
    check_rows("z_in", &v->z_in, (size_t)most + 2, errors);
    check_rows("z_out", &v->z_out, (size_t)most + 2, errors);
    if (v->z_in.cols != v->z_out.cols)
        pe_fail(errors, PE_CONFLICT, "z_out", "must have %zu columns, as z_in; got %zu",
                v->z_in.cols, v->z_out.cols);
}

/* Parameters that have no effect become absent. */
static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct graphormer_bias *v = values;

    if (v->edge_features.rows == 0 || v->edge_type == GRAPHORMER_SINGLE_HOP)
        v->multi_hop_max_dist = PE_ABSENT_INT;
    if (v->edge_features.rows == 0)
        v->edge_type = -1;
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct graphormer_bias *v = values;

    graphs_check(&v->graphs, GRAPHS_PATHS_MOST, errors);
    if (errors->count > 0)
        return;
    if (pe_wants(args, GRAPHORMER_BIAS))
        check_bias(v, errors);
    if (errors->count == 0 && pe_wants(args, GRAPHORMER_BIAS))
        causal_check_value(args, v->mask_value, GRAPHORMER_BIAS, errors);
    if (pe_wants(args, GRAPHORMER_CENTRALITY))
        check_centrality(v, errors);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct graphormer_bias *v = values;
    size_t rank = 0;

    if (output == GRAPHORMER_CENTRALITY) {
        dims[rank++] = (uint64_t)v->graphs.nodes;
        dims[rank++] = v->z_in.cols;
        return rank;
    }
    dims[rank++] = graphormer_bias_heads(v);
    dims[rank++] = (uint64_t)v->graphs.nodes + 1;
    dims[rank++] = (uint64_t)v->graphs.nodes + 1;
    return rank;
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct graphormer_bias *v = values;
    double n = (double)v->graphs.nodes;

    return 2 * n * n +
           (pe_wants(args, GRAPHORMER_BIAS) ? n * n * (n + 3 * (double)graphormer_bias_heads(v))
                                            : 0) +
           (pe_wants(args, GRAPHORMER_BIAS) ? 15 * products(v) : 0);
}

/* ---- centrality -------------------------------------------------------------------------- */

static void make_centrality(struct pe_build *build, const struct graphormer_bias *v)
{
    size_t n = (size_t)v->graphs.nodes, dim = v->z_in.cols;
    double *adjacency = graphs_adjacency(build, &v->graphs);
    double *degrees = adjacency ? graphs_degrees(build, adjacency, n) : NULL;
    double *out = precomputed_new(build, GRAPHORMER_CENTRALITY, n, dim);

    for (size_t at = 0; out && degrees && at < n * dim; at++) {
        size_t row = (size_t)degrees[at / dim] + 1;

        out[at] = v->z_in.values[row * dim + at % dim] + v->z_out.values[row * dim + at % dim];
    }
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct pe_args *args = pe_build_args(build);

    if (pe_wants(args, GRAPHORMER_BIAS))
        graphormer_bias_make(build, values);
    if (pe_wants(args, GRAPHORMER_CENTRALITY))
        make_centrality(build, values);
}

const struct pe_encoding pe_encoding_graphormer_bias = {
    .name = "graphormer-bias",
    .title = "Graphormer attention bias",
    .formula = "bias[1+i][1+j] = spatial_table[s + 1] + mean over the path of edge features, "
               "s = number of edges of the shortest path from i to j; "
               "bias[0][j] = bias[i][0] = token_bias",
    .when_to_use = "This is the bias of Graphormer, for molecules and other small graphs, from "
                   "the learned tables of a checkpoint.",
    .what_goes_wrong =
        "Row and column 0 are the virtual node, so that node i stands at i + 1. "
        "The tables begin with a row for padding: distance s is row s + 1. Nodes "
        "without a path count as 510 edges apart and are masked.",
    .summary = "biases of nodes by the shortest path and its edges, and of a virtual node",
    .source = "Ying et al. 2021, Graphormer, section 3; microsoft/Graphormer algos.pyx, "
              "collator.py, graphormer_layers.py",
    .examples = PE_WORDS("nodes=3&edges=0,1;1,2&spatial_table=0;0.1;0.2;0.3&token_bias=0.5",
                         "nodes=3&edges=0,1;1,2&spatial_table=0;0;0;0&token_bias=1&"
                         "edge_features=0;1&edge_table=0;1;2&edge_dis=1;10",
                         "nodes=2&edges=0,1&spatial_table=0;0;0&token_bias=1&edge_features=0,1&"
                         "edge_table=0;1;2&edge_type=single_hop",
                         "nodes=3&edges=0,1;1,2&out=centrality&z_in=0;1;2;3&z_out=0;1;2;3"),
    .family = PE_GRAPH,
    .kind = PE_WHOLE,
    PE_TABLES(struct graphormer_bias, params, outputs),
    .resolve = resolve,
    .check = check,
    .shape = shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};
