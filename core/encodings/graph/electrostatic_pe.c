/* SPDX-License-Identifier: Apache-2.0
 * electrostatic_pe.c - nodes as charges: potentials by the Green function of a graph.
 *
 *     G = pseudo-inverse of D - A, V[i][j] = G[i][j] - G[j][j], Q = D^-1 A
 *     features of v: min, max, mean, std of V[i][v] over i, then of V[v][j] over j;
 *     sum_i Q[i][v] V[i][v]; sum_j Q[v][j] V[v][j]
 *
 * Kreuzer et al. 2021, SAN, section 3; rampasek/GraphGPS ElstaticSE. Standard deviations
 * divide by n - 1; Q of a node without edges is 0.
 */
#include <math.h>

#include "core/encodings/graph/graphs.h"
#include "core/math/precomputed.h"

enum { FEATURES, GREEN, POTENTIAL };
enum { FEATURE_COUNT = 10 };

static const struct pe_param params[] = {
    GRAPHS_ROWS,
    GRAPHS_WEIGHTS_ROW,
};

#define NAMES PE_WORDS("nodes", "edges", "edge_weights", "self_loops")
static const char bound[] = "1e-11 of the largest value: eigenvalues are computed";

static const struct pe_output outputs[] = {
    [FEATURES] =
        {PE_OUTPUT("features", PE_F32, "node", "feature"), .label = "Features",
         .summary = "ten numbers a node: minimum, maximum, mean and standard deviation of the "
                    "potentials at the node and of the node, and two means over its edges",
         .by_default = true, .uses = NAMES, .bound = bound},
    [GREEN] = {PE_OUTPUT("green", PE_F32, "from_node", "to_node"), .label = "Green's function",
               .summary = "pseudo-inverse G of the Laplacian D - A", .uses = NAMES,
               .bound = bound},
    [POTENTIAL] = {PE_OUTPUT("potential", PE_F32, "from_node", "to_node"), .label = "Potential",
                   .sign = PE_NOT_POSITIVE,
                   .summary = "potential at a node of a charge at another: G[i][j] - G[j][j]",
                   .uses = NAMES, .bound = bound},
};

static void add_green(struct pe_build *build, const struct graphs_spectrum *spectrum,
                      double *green)
{
    size_t n = spectrum->n;

    for (size_t m = 0; m < n && !pe_build_stopped(build); m++) {
        const double *phi = spectrum->vectors + m * n;

        if (spectrum->values[m] <= 1e-10 * spectrum->values[n - 1])
            continue;
        for (size_t i = 0; i < n; i++) {
            const double factor = phi[i] / spectrum->values[m];

            for (size_t j = 0; j <= i; j++)
                green[i * n + j] += factor * phi[j];
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            green[j * n + i] = green[i * n + j];
}

/* Writes the minimum, maximum, mean and standard deviation of n numbers, `step` apart. */
static void describe(const double *numbers, size_t n, size_t step, double out[4])
{
    double sum = 0, squares = 0;

    out[0] = INFINITY;
    out[1] = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        out[0] = fmin(out[0], numbers[i * step]);
        out[1] = fmax(out[1], numbers[i * step]);
        sum += numbers[i * step];
    }
    out[2] = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (numbers[i * step] - out[2]) * (numbers[i * step] - out[2]);
    out[3] = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
}

static void fill_features(const double *potential, const double *adjacency,
                          const double *degrees, size_t n, double *out)
{
    for (size_t v = 0; v < n; v++, out += FEATURE_COUNT) {
        describe(potential + v, n, n, out);
        describe(potential + v * n, n, 1, out + 4);
        out[1] = out[5] = 0; /* G[j][j] is the largest of its column, but for roundings */
        for (size_t i = 0; i < n; i++) {
            double into = adjacency[i * n + v], from = adjacency[v * n + i];

            out[8] += into > 0 ? into / degrees[i] * potential[i * n + v] : 0;
            out[9] += from > 0 ? from / degrees[v] * potential[v * n + i] : 0;
        }
    }
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct graphs *v = values;
    size_t n = (size_t)v->nodes;
    double *adjacency = graphs_adjacency(build, v);
    double *features = precomputed_new(build, FEATURES, n, FEATURE_COUNT);
    double *green = precomputed_new(build, GREEN, n, n);
    double *potential = precomputed_new(build, POTENTIAL, n, n);
    struct graphs_spectrum spectrum;

    if (!adjacency || !features || !green || !potential ||
        !graphs_decompose(build, v, true, &spectrum))
        return;
    add_green(build, &spectrum, green);
    for (size_t i = 0; i < n * n; i++)
        potential[i] = green[i] - green[i % n * (n + 1)];
    fill_features(potential, adjacency, spectrum.degrees, n, features);
}

const struct pe_encoding pe_encoding_electrostatic_pe = {
    .name = "electrostatic-pe",
    .title = "Electrostatic positional encoding",
    .formula = "G = pseudo-inverse of D - A, potential[i][j] = G[i][j] - G[j][j]; "
               "features = statistics of the rows and columns of potential",
    .when_to_use = "GraphGPS adds these features to nodes: they do not depend on the signs of "
                   "eigenvectors, as laplacian-pe does.",
    .what_goes_wrong =
        "The standard deviation divides by n - 1, as torch.std does; NumPy divides "
        "by n. A graph in several parts has one zero eigenvalue a part, all of "
        "which are left out.",
    .picture = GRAPHS_PICTURE,
    .summary = "potentials of nodes as charges",
    .source = "Kreuzer et al. 2021, SAN; rampasek/GraphGPS ElstaticSE",
    .examples = PE_WORDS("nodes=4&edges=0,1;1,2;2,3", "nodes=4&edges=0,1;1,2;2,3&out=green",
                         "nodes=3&edges=0,1&edge_weights=2&out=potential"),
    .family = PE_GRAPH,
    .revision = 2,
    .kind = PE_WHOLE,
    PE_TABLES(struct graphs, params, outputs),
    .detail = &(const struct graphs_kind){.most = GRAPHS_SPECTRAL_MOST, .decompositions = 1.3},
    .check = graphs_kind_check,
    .lengths = PE_WORDS("node=nodes", "feature=10", "from_node=nodes", "to_node=nodes"),
    .plan_ns = graphs_kind_plan_ns,
    .prepare = prepare,
};
