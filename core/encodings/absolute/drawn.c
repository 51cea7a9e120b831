/* SPDX-License-Identifier: Apache-2.0
 * drawn.c - weights that are drawn into the plan's memory and shown as an output. */
#include "core/encodings/absolute/drawn.h"

#include <string.h>

#include "core/math/precomputed.h"

const double *drawn_weights(struct pe_build *build, const struct pe_reals *given, size_t rows,
                            size_t cols, double sigma, uint64_t seed)
{
    struct random random = random_seeded(seed);
    double *weights;

    if (given->cols > 0)
        return given->values;
    weights = pe_build_alloc(build, rows * cols * sizeof *weights);
    return weights && (random_normals(&random, sigma, weights, rows * cols,
                                      pe_build_stop(build)) ||
                       pe_build_no_memory(build))
               ? weights
               : NULL;
}

bool drawn_show(struct pe_build *build, size_t group, const double *weights, size_t rows,
                size_t cols)
{
    double *shown = precomputed_new(build, group, rows, cols);

    if (shown)
        memcpy(shown, weights, rows * cols * sizeof *shown);
    return shown != NULL;
}

double drawn_plan_ns(const struct pe_reals *given, double count)
{
    return count * (given->cols > 0 ? 1500 : 4000);
}
