/* SPDX-License-Identifier: Apache-2.0
 * drawn.c - weights that are drawn into the plan's memory. */
#include "core/encodings/absolute/drawn.h"

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

double drawn_plan_ns(const struct pe_reals *given, double count)
{
    return count * (given->cols > 0 ? 1500 : 4000);
}
