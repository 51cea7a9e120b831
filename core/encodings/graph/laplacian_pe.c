/* SPDX-License-Identifier: Apache-2.0
 * laplacian_pe.c - eigenvectors of the graph Laplacian as coordinates of nodes.
 *
 *     sym: I - D^-1/2 A D^-1/2    rw: I - D^-1 A    none: D - A
 *     the k smallest eigenvalues after `drop`, each vector of length 1, then as
 *     `vector_norm` says, its sign as `sign` says
 *
 * Dwivedi and Bresson 2021, A Generalization of Transformer Networks to Graphs; Kreuzer et al.
 * 2021, SAN; pyg-team/pytorch_geometric add_positional_encoding.py; rampasek/GraphGPS.
 */
#include <math.h>

#include "core/encodings/graph/graphs.h"
#include "core/math/linear/eigen.h"
#include "core/math/number/arcsine.h"
#include "core/math/number/elementary.h"
#include "core/math/precomputed.h"
#include "core/math/random.h"

enum { VECTORS, EIGENVALUES, GROUPS, PROJECTOR, OUTPUT_COUNT };
enum { DROP_FIRST, DROP_TRIVIAL, DROP_NONE };
enum { SIGN_MAX_ABS, SIGN_FIRST, SIGN_NONE, SIGN_RANDOM };
enum { L2, L1, ABS_MAX, WAVELENGTH, WAVELENGTH_ASIN, WAVELENGTH_SOFT };

#define TIE 1e-9

struct laplacian_pe {
    struct graphs graphs;
    int64_t max_freqs, seed;
    int laplacian, drop, sign, vector_norm, pad;
};

static const struct pe_choice signs[] = {
    PE_ONE_AT(SIGN_MAX_ABS, "max_abs_positive", "the entry of the largest size is positive"),
    PE_ONE_AT(SIGN_FIRST, "first_nonzero_positive",
              "the first entry that is not 0 is positive"),
    PE_ONE_AT(SIGN_NONE, "none", "the sign that the solver leaves"),
    PE_ONE_AT(SIGN_RANDOM, "seeded-random", "a random sign from seed, as in training"),
    {NULL, NULL, NULL, NULL, NULL}};
static const struct pe_param params[] = {
    GRAPHS_ROWS,
    GRAPHS_WEIGHTS_ROW,
    {PE_FIELD(struct laplacian_pe, max_freqs), .type = PE_INT, .required = true, .min = 1,
     .max = 4096, PE_OWN("GraphGPS", SHAPE, BASIC),
     .summary = "number of eigenvectors, the k of the papers"},
    {PE_FIELD(struct laplacian_pe, laplacian),
     PE_CHOICES(PE_ONE_AT(GRAPHS_SYMMETRIC, "sym",
                          "I - D^-1/2 A D^-1/2, normalized by the degrees on both sides"),
                PE_ONE_AT(GRAPHS_RANDOM_WALK, "rw", "I - D^-1 A, of a random walk"),
                PE_ONE_AT(GRAPHS_PLAIN, "none", "D - A, not normalized"))},
    {PE_FIELD(struct laplacian_pe, drop),
     PE_CHOICES(
         PE_ONE_AT(DROP_FIRST, "first", "the smallest eigenvalue is left out"),
         PE_ONE_AT(DROP_TRIVIAL, "trivial",
                   "all eigenvalues below 1e-8, or 1e-13 of the largest, are left out: one a "
                   "connected part"),
         PE_ONE_AT(DROP_NONE, "none", "no eigenvalue is left out")),
     PE_OWN("posenc", CONVENTION, BASIC), .summary = "the eigenvalues that are left out"},
    {PE_FIELD(struct laplacian_pe, sign), .type = PE_CHOICE, .choices = signs,
     PE_OWN("posenc", CONVENTION, BASIC),
     .summary = "the rule that chooses between an eigenvector and its negative"},
    {PE_FIELD(struct laplacian_pe, vector_norm),
     PE_CHOICES(
         PE_ONE_AT(L2, "l2", "the vector has the length 1"),
         PE_ONE_AT(L1, "l1", "the absolute values of the vector add up to 1"),
         PE_ONE_AT(ABS_MAX, "abs_max", "the largest absolute value of the vector is 1"),
         PE_ONE_AT(WAVELENGTH, "wavelength", "v pi / (2 max|v| sqrt(lambda))"),
         PE_ONE_AT(WAVELENGTH_ASIN, "wavelength_asin", "asin(v / max|v|) / sqrt(lambda)"),
         PE_ONE_AT(WAVELENGTH_SOFT, "wavelength_soft",
                   "v / (sqrt(lambda) sum softmax(|v|) |v|)")),
     PE_OWN("posenc", CONVENTION, ADVANCED),
     .summary = "the size to which each eigenvector is scaled"},
    {PE_FIELD(struct laplacian_pe, pad),
     PE_CHOICES(PE_ONE("zero", "columns beyond the last eigenvector are 0"),
                PE_ONE("nan", "columns beyond the last eigenvector are NaN")),
     .summary = "what columns beyond the last eigenvector hold"},
    {PE_FIELD(struct laplacian_pe, seed), .type = PE_INT, .min = 0, .max = 0x1p53,
     .when = "sign=seeded-random", .summary = "seed of the random signs"},
};

#define SPECTRUM                                                                               \
    "nodes", "edges", "edge_weights", "self_loops", "max_freqs", "laplacian", "drop"
static const char residual[] =
    "residual |L v - lambda v| below 1e-13 of the largest lambda; "
    "repeated eigenvalues have any basis; wavelength_asin 1e-7 near the largest entry";

static const struct pe_output outputs[] = {
    [VECTORS] = {PE_OUTPUT("vectors", PE_F32, "node", "feature"), .label = "Eigenvectors",
                 .summary = "an eigenvector in each column", .by_default = true,
                 .uses = PE_WORDS(SPECTRUM, "sign", "vector_norm", "pad", "seed"),
                 .bound = residual},
    [EIGENVALUES] = {PE_OUTPUT("eigenvalues", PE_F32, "feature"), .label = "Eigenvalues",
                     .sign = PE_NOT_NEGATIVE, .summary = "eigenvalue of each column",
                     .by_default = true, .uses = PE_WORDS(SPECTRUM, "pad"),
                     .bound = "1e-13 of the largest"},
    [GROUPS] =
        {PE_OUTPUT("groups", PE_I64, "feature"),
         .summary =
             "number of the eigenvalue of each column: one number for eigenvalues nearer than "
             "1e-8, or 1e-13 of the largest; -1 beyond the last",
         .label = "Groups of equal eigenvalues", .uses = PE_WORDS(SPECTRUM), .bound = "exact"},
    [PROJECTOR] =
        {PE_OUTPUT("projector", PE_F32, "node", "feature"),
         .summary =
             "sum of the squares of all eigenvectors of the eigenvalue of a column, which is "
             "the same for every basis",
         .label = "Projector", .sign = PE_NOT_NEGATIVE, .uses = PE_WORDS(SPECTRUM, "pad"),
         .bound = "1e-11"},
};

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    const struct laplacian_pe *v = values;

    return (struct pe_interval){-1, (double)v->graphs.nodes};
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct laplacian_pe *v = values;
    double n = (double)v->graphs.nodes;

    return eigen_cost_ns((size_t)v->graphs.nodes) +
           n * (double)v->max_freqs * (v->vector_norm == WAVELENGTH_ASIN ? 3000 : 50);
}

/* ---- one column -------------------------------------------------------------------------- */

static double largest_of(const double *column, size_t n)
{
    double largest = 0;

    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(column[i]));
    return largest;
}

static double sum_of_sizes(const double *column, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += fabs(column[i]);
    return sum;
}

/* Returns sum softmax(|v|) |v|. */
static double soft_largest(const double *column, size_t n)
{
    double weights = 0, sum = 0;

    for (size_t i = 0; i < n; i++) {
        double weight = elementary_exp((struct dd){fabs(column[i]), 0});

        weights += weight;
        sum += weight * fabs(column[i]);
    }
    return sum / weights;
}

/* Returns the square root of an eigenvalue, or 1 where the eigenvalue is 0. */
static double root_of(const struct graphs_spectrum *spectrum, size_t m)
{
    const double value = spectrum->values[m];

    return value < fmax(1e-12, spectrum->roundings) ? 1 : sqrt(value);
}

static void resize(double *column, size_t n, int norm, double root)
{
    const double half_pi = 0x1.921fb54442d18p0;
    double largest = largest_of(column, n);
    double size = norm == L1                ? sum_of_sizes(column, n)
                  : norm == ABS_MAX         ? largest
                  : norm == WAVELENGTH      ? largest * root / half_pi
                  : norm == WAVELENGTH_SOFT ? root * soft_largest(column, n)
                                            : 1;

    for (size_t i = 0; i < n; i++)
        column[i] =
            norm == WAVELENGTH_ASIN ? arcsine(column[i] / largest) / root : column[i] / size;
}

/* Turns an eigenvector of sym into one of rw. D^-1/2 of a node without an edge is 1. */
static void to_random_walk(double *column, const double *degrees, size_t n)
{
    double squares = 0;

    for (size_t i = 0; i < n; i++) {
        if (degrees[i] > 0)
            column[i] /= sqrt(degrees[i]);
        squares += column[i] * column[i];
    }
    for (size_t i = 0; i < n; i++)
        column[i] /= sqrt(squares);
}

/* The largest entry is sought in the column of length 1: `norm` keeps the order of sizes, but
 * an arcsine changes how close entries near the largest are. */
static bool is_negative(const double *column, size_t n, int sign, struct random *random)
{
    double largest = largest_of(column, n);

    if (sign == SIGN_RANDOM)
        return random_below(random, 2) == 1;
    for (size_t i = 0; i < n && sign != SIGN_NONE; i++)
        if (fabs(column[i]) > (sign == SIGN_FIRST ? TIE : largest - TIE))
            return column[i] < 0;
    return false;
}

/* ---- all columns ------------------------------------------------------------------------- */

/* Returns the number of the first eigenvalue that is not dropped. */
static size_t first_of(const struct graphs_spectrum *spectrum, int drop)
{
    size_t first = drop == DROP_FIRST;

    while (drop == DROP_TRIVIAL && first < spectrum->n &&
           spectrum->values[first] < spectrum->same)
        first++;
    return first;
}

static bool fill_vectors(struct pe_build *build, const struct laplacian_pe *v,
                         const struct graphs_spectrum *spectrum)
{
    size_t n = spectrum->n, k = (size_t)v->max_freqs, first = first_of(spectrum, v->drop);
    double *out = precomputed_new(build, VECTORS, n, k);
    double *column = pe_build_alloc(build, n * sizeof *column);
    struct random random = random_seeded(v->sign == SIGN_RANDOM ? (uint64_t)v->seed : 0);

    for (size_t j = 0; out && column && j < k && !pe_build_stopped(build); j++) {
        bool there = first + j < n, negative;

        for (size_t i = 0; i < n; i++)
            column[i] = there ? spectrum->vectors[(first + j) * n + i] : v->pad ? NAN : 0;
        if (there && v->laplacian == GRAPHS_RANDOM_WALK)
            to_random_walk(column, spectrum->degrees, n);
        negative = there && is_negative(column, n, v->sign, &random);
        if (there)
            resize(column, n, v->vector_norm, root_of(spectrum, first + j));
        for (size_t i = 0; i < n; i++)
            out[i * k + j] = negative ? -column[i] : column[i];
    }
    return out && column;
}

static bool fill_values(struct pe_build *build, const struct laplacian_pe *v,
                        const struct graphs_spectrum *spectrum, size_t output)
{
    size_t k = (size_t)v->max_freqs, first = first_of(spectrum, v->drop);
    double *out = precomputed_new(build, output, 1, k), group = 0;

    for (size_t j = 0; out && j < k; j++) {
        size_t at = first + j;

        if (at >= spectrum->n) {
            out[j] = output == GROUPS ? -1 : v->pad ? NAN : 0;
            continue;
        }
        if (j > 0 && spectrum->values[at] - spectrum->values[at - 1] >= spectrum->same)
            group++;
        out[j] = output == GROUPS ? group : spectrum->values[at];
    }
    return out != NULL;
}

static bool fill_projector(struct pe_build *build, const struct laplacian_pe *v,
                           const struct graphs_spectrum *spectrum)
{
    size_t n = spectrum->n, k = (size_t)v->max_freqs, first = first_of(spectrum, v->drop);
    double *out = precomputed_new(build, PROJECTOR, n, k);

    for (size_t j = 0; out && j < k && !pe_build_stopped(build); j++) {
        size_t low = first + j, high = low + 1;

        while (low < n && low > 0 &&
               spectrum->values[low] - spectrum->values[low - 1] < spectrum->same)
            low--;
        while (high < n && spectrum->values[high] - spectrum->values[high - 1] < spectrum->same)
            high++;
        for (size_t i = 0; i < n; i++) {
            double *at = &out[i * k + j];

            *at = low < n ? 0 : v->pad ? NAN : 0;
            for (size_t m = low; m < n && m < high; m++)
                *at += spectrum->vectors[m * n + i] * spectrum->vectors[m * n + i];
        }
    }
    return out != NULL;
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct laplacian_pe *v = values;
    const struct pe_args *args = pe_build_args(build);
    struct graphs_spectrum spectrum;

    if (!graphs_decompose(build, &v->graphs, v->laplacian == GRAPHS_PLAIN, &spectrum) ||
        (pe_wants(args, VECTORS) && !fill_vectors(build, v, &spectrum)) ||
        (pe_wants(args, EIGENVALUES) && !fill_values(build, v, &spectrum, EIGENVALUES)) ||
        (pe_wants(args, GROUPS) && !fill_values(build, v, &spectrum, GROUPS)) ||
        (pe_wants(args, PROJECTOR) && !fill_projector(build, v, &spectrum)))
        return;
}

const struct pe_encoding pe_encoding_laplacian_pe = {
    .name = "laplacian-pe",
    .title = "Laplacian eigenvectors",
    .formula = "L = I - D^-1/2 A D^-1/2 (laplacian=sym); vectors[node][i] = entry of the i-th "
               "eigenvector, eigenvalues ascending after `drop`",
    .when_to_use =
        "Laplacian eigenvectors are the sinusoids of a graph and the usual input of "
        "graph transformers (Dwivedi and Bresson, SAN, GraphGPS). random-walk-pe and "
        "heat-kernel-pe have no sign to choose.",
    .what_goes_wrong =
        "The sign of an eigenvector is free, and so is the basis of a repeated "
        "eigenvalue: numbers of two solvers differ though both are right. "
        "out=groups tells repeated eigenvalues, out=projector does not depend on "
        "the basis. A graph in several parts has several zero eigenvalues, of "
        "which drop=first leaves out one only.",
    .picture = GRAPHS_PICTURE "&max_freqs=12",
    .summary = "eigenvectors of the graph Laplacian",
    .source = "Dwivedi and Bresson 2021; Kreuzer et al. 2021, SAN; PyG, GraphGPS",
    .examples = PE_WORDS(
        "nodes=4&edges=0,1;1,2;2,3&max_freqs=3",
        "nodes=3&edges=0,1;1,2;0,2&max_freqs=2&out=projector",
        "nodes=4&edges=0,1;1,2;2,3&max_freqs=2&vector_norm=wavelength_asin&laplacian=none",
        "nodes=5&edges=0,1;1,2;2,3;3,4&edge_weights=1,2,1,0.5&max_freqs=6&out=groups"),
    .family = PE_GRAPH,
    .revision = 2,
    .kind = PE_WHOLE,
    PE_TABLES_OF(struct laplacian_pe, graphs, params, outputs),
    .detail = &(const struct graphs_kind){.most = GRAPHS_SPECTRAL_MOST},
    .check = graphs_kind_check,
    .range = range,
    .lengths = PE_WORDS("node=nodes", "feature=max_freqs"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
