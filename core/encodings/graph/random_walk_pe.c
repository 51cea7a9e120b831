/* SPDX-License-Identifier: Apache-2.0
 * random_walk_pe.c - the probability that a random walk is back at its first node.
 *
 *     column t = (P^t)[v][v] t^(space_dim / 2), P = D^-1 A, rows of nodes without edges 0
 *
 * Dwivedi et al. 2022, Graph Neural Networks with Learnable Structural and Positional
 * Representations; PyG multiplies by no weight, GraphGPS divides 1 by the weighted degree.
 */
#include <math.h>

#include "core/encodings/graph/graphs.h"
#include "core/math/precomputed.h"

enum { RETURNS };
enum { STOCHASTIC, PYG, GRAPHGPS };
enum { STEPS_MOST = 1024 };
#define PRODUCTS_MOST 0x1p32 /* most multiplications for all powers of P */

struct random_walk_pe {
    struct graphs graphs;
    int64_t steps;
    struct pe_reals times;
    double space_dim;
    int weighting;
};

static const struct pe_param params[] = {
    GRAPHS_ROWS,
    GRAPHS_WEIGHTS_ROW,
    GRAPHS_DIRECTED_ROW,
    {PE_FIELD(struct random_walk_pe, steps), .type = PE_INT, .optional = true, .min = 1,
     .max = STEPS_MOST, .when = "!times", PE_OWN("posenc", SHAPE, BASIC),
     .summary = "number of columns, one for each walk of 1 to steps steps (walk_length)"},
    {PE_FIELD(struct random_walk_pe, times), .type = PE_REALS, .min = 1, .max = STEPS_MOST,
     .summary = "numbers of steps of the walks, a column each, in place of steps"},
    {PE_FIELD(struct random_walk_pe, space_dim), .type = PE_REAL, .min = 0, .max = 16,
     .summary = "dimension of the space: column t is multiplied by t^(space_dim/2)"},
    {PE_FIELD(struct random_walk_pe, weighting),
     PE_CHOICES(
         PE_ONE_AT(STOCHASTIC, "stochastic",
                   "a step follows an edge with the probability weight / weighted degree"),
         PE_ONE_AT(PYG, "pyg", "1 / max(1, weighted degree) on every edge, as PyG computes it"),
         PE_ONE_AT(GRAPHGPS, "graphgps",
                   "1 / weighted degree on every edge, as GraphGPS computes it")),
     PE_OWN("posenc", CONVENTION, BASIC),
     .summary = "how the weights of edges become probabilities"},
};

static const struct pe_output outputs[] = {
    [RETURNS] = {PE_OUTPUT("returns", PE_F32, "node", "step"), .label = "Return probabilities",
                 .one_of = "steps|times", .sign = PE_NOT_NEGATIVE,
                 .summary = "probability that a walk from the node is back after so many steps",
                 .by_default = true,
                 .uses = PE_WORDS("nodes", "edges", "edge_weights", "directed", "self_loops",
                                  "steps", "times", "space_dim", "weighting"),
                 .bound = "0.501 ULP up to 1e5 roundings of double; f64 1e-12 relative"},
};

static size_t columns(const struct random_walk_pe *v)
{
    return v->times.rows > 0 ? v->times.cols : (size_t)v->steps;
}

static double time_at(const struct random_walk_pe *v, size_t column)
{
    return v->times.rows > 0 ? v->times.values[column] : (double)(column + 1);
}

static double last_time(const struct random_walk_pe *v)
{
    double last = 0;

    for (size_t i = 0; i < columns(v); i++)
        last = fmax(last, time_at(v, i));
    return last;
}

static double products(const struct random_walk_pe *v)
{
    double n = (double)v->graphs.nodes;

    return n * n * n * last_time(v);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct random_walk_pe *v = values;

    graphs_check(&v->graphs, GRAPHS_SPECTRAL_MOST, errors);
    if (errors->count > 0)
        return;
    if (v->steps == PE_ABSENT_INT && v->times.rows == 0)
        pe_fail(errors, PE_MISSING_PARAMETER, "steps", "is required, or times");
    if (errors->count > 0)
        return;
    for (size_t i = 0; i < v->times.cols; i++) {
        if (v->times.values[i] != trunc(v->times.values[i])) {
            pe_fail(errors, PE_BAD_VALUE, "times", "must be whole numbers; got %g",
                    v->times.values[i]);
            return;
        }
    }
    if (products(v) > PRODUCTS_MOST)
        pe_fail(errors, PE_OUT_OF_RANGE, v->times.rows > 0 ? "times" : "steps",
                "must be at most %.0f for %lld nodes; got %.0f",
                floor(PRODUCTS_MOST * last_time(v) / products(v)), (long long)v->graphs.nodes,
                last_time(v));
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    return 0.4 * products(values);
}

static void make_steps(const struct random_walk_pe *v, double *walk, const double *degrees)
{
    size_t n = (size_t)v->graphs.nodes;

    for (size_t i = 0; i < n * n; i++) {
        double degree = degrees[i / n];

        if (walk[i] == 0)
            continue;
        walk[i] = v->weighting == STOCHASTIC ? walk[i] / degree
                  : v->weighting == PYG      ? 1 / fmax(1, degree)
                                             : 1 / degree;
    }
}

static void multiply(const double *a, const double *b, size_t n, double *out)
{
    for (size_t i = 0; i < n * n; i++)
        out[i] = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            double factor = a[i * n + k];

            for (size_t j = 0; factor != 0 && j < n; j++)
                out[i * n + j] += factor * b[k * n + j];
        }
    }
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct random_walk_pe *v = values;
    size_t n = (size_t)v->graphs.nodes, cols = columns(v);
    double *walk = graphs_adjacency(build, &v->graphs),
           *out = precomputed_new(build, 0, n, cols);
    double *degrees = walk ? graphs_degrees(build, walk, n) : NULL, last = last_time(v);
    double *power = pe_build_alloc(build, n * n * sizeof *power);
    double *next = pe_build_alloc(build, n * n * sizeof *next);

    if (!degrees || !out || !power || !next)
        return;
    make_steps(v, walk, degrees);
    for (size_t i = 0; i < n; i++)
        power[i * n + i] = 1;
    for (double t = 1; t <= last; t++) {
        double *kept = power, factor = graphs_power(t, v->space_dim / 2);

        if (pe_build_stopped(build))
            return;
        multiply(power, walk, n, next);
        power = next;
        next = kept;
        for (size_t col = 0; col < cols; col++)
            for (size_t i = 0; time_at(v, col) == t && i < n; i++)
                out[i * cols + col] = power[i * n + i] * factor;
    }
}

const struct pe_encoding pe_encoding_random_walk_pe = {
    .name = "random-walk-pe",
    .title = "Random walk positional encoding (RWPE)",
    .formula = "returns[v][t] = t^(space_dim/2) * (P^t)[v][v], P = D^-1 A",
    .when_to_use =
        "Return probabilities tell nodes apart by their surroundings without the free "
        "signs of eigenvectors (LSPE, GraphGPS, PyG AddRandomWalkPE).",
    .what_goes_wrong = "PyG and GraphGPS put 1 / degree on every edge whatever its weight, so "
                       "that weighted graphs give no probabilities; weighting=stochastic does. "
                       "In a bipartite graph every odd column is 0.",
    .picture = GRAPHS_PICTURE "&steps=24",
    .summary = "probabilities that a random walk returns",
    .source = "Dwivedi et al. 2022, LSPE; PyG AddRandomWalkPE; GraphGPS",
    .examples = PE_WORDS("nodes=4&edges=0,1;1,2;2,3&steps=4",
                         "nodes=3&edges=0,1;1,2;0,2&edge_weights=1,2,3&times=2,5&weighting=pyg",
                         "nodes=3&edges=0,1;1,2;2,0&directed=1&steps=3&space_dim=2"),
    .family = PE_GRAPH,
    .kind = PE_WHOLE,
    PE_TABLES_OF(struct random_walk_pe, graphs, params, outputs),
    .check = check,
    .lengths = PE_WORDS("node=nodes", "step=times|steps"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
