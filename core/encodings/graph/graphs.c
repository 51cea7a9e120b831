/* SPDX-License-Identifier: Apache-2.0
 * graphs.c - reads nodes and edges, and makes of them adjacency, spectrum and distances. */
#include "core/encodings/graph/graphs.h"

#include <math.h>

#include "core/math/linear/eigen.h"
#include "core/math/number/elementary.h"

const struct pe_choice graphs_loops[] = {
    PE_ONE("removed", "edges from a node to itself are left out"),
    PE_ONE("kept", "an edge from a node to itself is an element of the diagonal"),
    {NULL, NULL, NULL, NULL, NULL}};

enum pe_status graphs_check(const struct graphs *g, int64_t most, struct pe_errors *errors)
{
    if (g->nodes > most) {
        enum pe_status status =
            pe_fail(errors, PE_TOO_LARGE, "nodes", "must be at most %lld here; got %lld",
                    (long long)most, (long long)g->nodes);

        pe_note_limit(errors, (uint64_t)most, (uint64_t)g->nodes);
        return status;
    }
    if (g->edges.rows > 0 && g->edges.cols != 2)
        return pe_fail(errors, PE_BAD_VALUE, "edges",
                       "must be pairs of nodes, such as 0,1;1,2; got %zu numbers in a row",
                       g->edges.cols);
    for (size_t i = 0; i < g->edges.rows * g->edges.cols; i++) {
        double node = g->edges.values[i];

        if (node != trunc(node) || node >= (double)g->nodes)
            return pe_fail(errors, PE_OUT_OF_RANGE, "edges",
                           "must name nodes, whole numbers 0..%lld; got %g",
                           (long long)g->nodes - 1, node);
    }
    if (g->edge_weights.rows > 0 && g->edge_weights.cols != g->edges.rows)
        return pe_fail(errors, PE_CONFLICT, "edge_weights", "must be one an edge, %zu; got %zu",
                       g->edges.rows, g->edge_weights.cols);
    return PE_OK;
}

void graphs_kind_check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct graphs_kind *kind = pe_args_encoding(args)->detail;

    graphs_check(values, kind->most, errors);
}

double graphs_kind_plan_ns(const struct pe_args *args, const void *values)
{
    const struct graphs_kind *kind = pe_args_encoding(args)->detail;
    const struct graphs *g = values;

    return kind->pair_ns * (double)g->nodes * (double)g->nodes +
           kind->decompositions * eigen_cost_ns((size_t)g->nodes);
}

double *graphs_adjacency(struct pe_build *build, const struct graphs *g)
{
    size_t n = (size_t)g->nodes;
    double *adjacency = pe_build_alloc(build, n * n * sizeof *adjacency);

    for (size_t i = 0; adjacency && i < g->edges.rows; i++) {
        size_t from = (size_t)g->edges.values[2 * i], to = (size_t)g->edges.values[2 * i + 1];
        double weight = g->edge_weights.rows > 0 ? g->edge_weights.values[i] : 1;

        if ((from == to && !g->self_loops) || adjacency[from * n + to] != 0)
            continue;
        adjacency[from * n + to] = weight;
        if (!g->directed)
            adjacency[to * n + from] = weight;
    }
    return adjacency;
}

double *graphs_degrees(struct pe_build *build, const double *adjacency, size_t n)
{
    double *degrees = pe_build_alloc(build, n * sizeof *degrees);

    for (size_t i = 0; degrees && i < n; i++)
        for (size_t j = 0; j < n; j++)
            degrees[i] += adjacency[i * n + j];
    return degrees;
}

static void make_laplacian(double *matrix, const double *degrees, size_t n, bool plain)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double *element = &matrix[i * n + j];
            double diagonal = i != j ? 0 : plain ? degrees[i] : 1;

            if (!plain && *element != 0)
                *element /= sqrt(degrees[i] * degrees[j]);
            *element = diagonal - *element;
        }
    }
}

bool graphs_decompose(struct pe_build *build, const struct graphs *g, bool plain,
                      struct graphs_spectrum *spectrum)
{
    size_t n = (size_t)g->nodes;
    double *matrix = graphs_adjacency(build, g);
    double *scratch = pe_build_alloc(build, eigen_scratch(n) * sizeof(double));

    spectrum->n = n;
    spectrum->values = pe_build_alloc(build, n * sizeof(double));
    spectrum->vectors = pe_build_alloc(build, n * n * sizeof(double));
    spectrum->degrees = matrix ? graphs_degrees(build, matrix, n) : NULL;
    if (!scratch || !spectrum->values || !spectrum->vectors || !spectrum->degrees)
        return false;
    make_laplacian(matrix, spectrum->degrees, n, plain);
    if (!eigen_symmetric(matrix, n, spectrum->values, spectrum->vectors, scratch,
                         pe_build_stop(build)))
        return false;
    for (size_t i = 0; i < n; i++)
        spectrum->values[i] = fmax(spectrum->values[i], 0);
    spectrum->roundings = EIGEN_RESIDUAL * spectrum->values[n - 1];
    spectrum->same = fmax(1e-8, spectrum->roundings);
    return true;
}

/* This is Dijkstra 1959 with a linear search for the nearest node: graphs here are small. */
void graphs_distances(const double *adjacency, size_t n, size_t from, bool weighted,
                      double *out, bool *done)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = i == from ? 0 : -1;
        done[i] = false;
    }
    for (;;) {
        size_t nearest = n;

        for (size_t i = 0; i < n; i++)
            if (!done[i] && out[i] >= 0 && (nearest == n || out[i] < out[nearest]))
                nearest = i;
        if (nearest == n)
            return;
        done[nearest] = true;
        for (size_t i = 0; i < n; i++) {
            double edge = adjacency[nearest * n + i];
            double path = out[nearest] + (weighted ? edge : 1);

            if (edge > 0 && (out[i] < 0 || path < out[i]))
                out[i] = path;
        }
    }
}

double graphs_power(double base, double exponent)
{
    struct dd log = elementary_log(base);

    return elementary_exp(elementary_multiply(log, (struct dd){exponent, 0}));
}
