/* SPDX-License-Identifier: Apache-2.0
 * heat_kernel_pe.c - the share of heat that stays at a node.
 *
 *     column t = t^(space_dim / 2) sum over m of exp(-t lambda_m) phi_m(v)^2
 *
 * lambda, phi: the spectrum of D - A, or of I - D^-1/2 A D^-1/2. Kreuzer et al. 2021, SAN,
 * section 3; rampasek/GraphGPS HKdiagSE, which drops lambda < 1e-8.
 */
#include "core/encodings/graph/graphs.h"
#include "core/math/linear/eigen.h"
#include "core/math/number/elementary.h"
#include "core/math/precomputed.h"

enum { HEAT };
enum { TIMES_MOST = 4096 };

struct heat_kernel_pe {
    struct graphs graphs;
    struct pe_reals times;
    double space_dim;
    int laplacian;
    bool drop_zero;
};

static const struct pe_param params[] = {
    GRAPHS_ROWS,
    GRAPHS_WEIGHTS_ROW,
    {PE_FIELD(struct heat_kernel_pe, times), .type = PE_REALS, .required = true, .min = 1e-12,
     .max = 1e12, .summary = "times of the diffusion, a column each"},
    {PE_FIELD(struct heat_kernel_pe, space_dim), .type = PE_REAL, .min = 0, .max = 16,
     .summary = "dimension of the space: column t is multiplied by t^(space_dim/2)"},
    {PE_FIELD(struct heat_kernel_pe, laplacian),
     PE_CHOICES(PE_ONE("none", "D - A, not normalized"),
                PE_ONE("sym", "I - D^-1/2 A D^-1/2, normalized by the degrees"))},
    {PE_FIELD(struct heat_kernel_pe, drop_zero), .type = PE_BOOL,
     PE_OWN("posenc", CONVENTION, ADVANCED),
     .summary =
         "leave eigenvalues out that are below 1e-8, as GraphGPS does, or below 1e-13 of "
         "the largest"},
};

static const struct pe_output outputs[] = {
    [HEAT] = {PE_OUTPUT("heat", PE_F32, "node", "time"), .label = "Heat",
              .sign = PE_NOT_NEGATIVE,
              .summary = "heat that is still at the node after each time", .by_default = true,
              .uses = PE_WORDS("nodes", "edges", "edge_weights", "self_loops", "times",
                               "space_dim", "laplacian", "drop_zero"),
              .bound = "1e-11 of the largest value: eigenvalues are computed"},
};

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct heat_kernel_pe *v = values;

    if (v->times.cols > TIMES_MOST)
        pe_fail(errors, PE_OUT_OF_RANGE, "times", "must be at most %d; got %zu", TIMES_MOST,
                v->times.cols);
    else
        graphs_check(&v->graphs, GRAPHS_SPECTRAL_MOST, errors);
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct heat_kernel_pe *v = values;
    double n = (double)v->graphs.nodes, times = (double)v->times.cols;

    return eigen_cost_ns((size_t)v->graphs.nodes) + times * n * (n + 50);
}

/* Writes the heat of all nodes at time t side by side; in the output they are a row apart. */
static void find_heat(const struct heat_kernel_pe *v, const struct graphs_spectrum *spectrum,
                      double t, double *restrict heat)
{
    const size_t n = spectrum->n;
    const double factor = graphs_power(t, v->space_dim / 2);

    for (size_t i = 0; i < n; i++)
        heat[i] = 0;
    for (size_t m = 0; m < n; m++) {
        const double *phi = spectrum->vectors + m * n;
        double kept;

        if (v->drop_zero && spectrum->values[m] < spectrum->same)
            continue;
        kept = elementary_exp((struct dd){-t * spectrum->values[m], 0}) * factor;
        for (size_t i = 0; i < n; i++)
            heat[i] += kept * phi[i] * phi[i];
    }
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct heat_kernel_pe *v = values;
    size_t n = (size_t)v->graphs.nodes, cols = v->times.cols;
    double *out = precomputed_new(build, HEAT, n, cols);
    double *heat = pe_build_alloc(build, n * sizeof *heat);
    struct graphs_spectrum spectrum;

    if (!out || !heat || !graphs_decompose(build, &v->graphs, v->laplacian == 0, &spectrum))
        return;
    for (size_t col = 0; col < cols; col++) {
        if (pe_build_stopped(build))
            return;
        find_heat(v, &spectrum, v->times.values[col], heat);
        for (size_t i = 0; i < n; i++)
            out[i * cols + col] = heat[i];
    }
}

const struct pe_encoding pe_encoding_heat_kernel_pe = {
    .name = "heat-kernel-pe",
    .title = "Heat kernel diagonal",
    .formula = "heat[v][t] = t^(space_dim/2) * sum over m of exp(-t lambda_m) phi_m(v)^2",
    .when_to_use =
        "Heat kernels describe the surroundings of a node at several scales and do not "
        "depend on the signs of eigenvectors. GraphGPS offers them as HKdiagSE.",
    .what_goes_wrong =
        "GraphGPS leaves the zero eigenvalues out (drop_zero=1), the formula of the "
        "paper does not: every value then differs by a constant. Which Laplacian "
        "is meant, laplacian=none or sym, changes all times.",
    .picture = GRAPHS_PICTURE "&times=0.1,0.2,0.5,1,2,4,8,16,32",
    .summary = "heat that stays at a node",
    .source = "Kreuzer et al. 2021, SAN; rampasek/GraphGPS HKdiagSE",
    .examples = PE_WORDS("nodes=4&edges=0,1;1,2;2,3&times=1,2",
                         "nodes=4&edges=0,1;1,2;2,3&times=1&laplacian=sym&drop_zero=1",
                         "nodes=3&edges=0,1;1,2&times=0.5&space_dim=2"),
    .family = PE_GRAPH,
    .revision = 2,
    .kind = PE_WHOLE,
    PE_TABLES_OF(struct heat_kernel_pe, graphs, params, outputs),
    .check = check,
    .lengths = PE_WORDS("node=nodes", "time=times"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
