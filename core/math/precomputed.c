/* SPDX-License-Identifier: Apache-2.0
 * precomputed.c - copies rectangles from a matrix of doubles. */
#include "core/math/precomputed.h"

#include <string.h>

#include "core/math/trig/wavelength.h"

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct precomputed *matrix = state;

    for (uint64_t row = 0; out[0] && row < rect->rows; row++)
        memcpy(out[0] + row * rect->cols,
               matrix->values + (rect->row + row) * matrix->cols + rect->col,
               rect->cols * sizeof(double));
}

static const struct pe_filler filler = {.reference = fill, .ns_per_element = 1};

void precomputed_show(struct pe_build *build, size_t group, const double *values, uint64_t cols)
{
    const struct precomputed matrix = {cols, (double *)(uintptr_t)values}; /* only read */

    pe_build_fill_copy(build, group, &filler, &matrix, sizeof matrix);
}

void precomputed_scalar(struct pe_build *build, size_t group, double value)
{
    pe_build_fill_copy(build, group, &wavelength_vector_filler, &value, sizeof value);
}

double *precomputed_new(struct pe_build *build, size_t group, uint64_t rows, uint64_t cols)
{
    double *values;
    size_t bytes;

    if (__builtin_mul_overflow(rows, cols, &bytes) ||
        __builtin_mul_overflow(bytes, sizeof *values, &bytes))
        return NULL;
    values = pe_build_alloc(build, bytes);
    if (values)
        precomputed_show(build, group, values, cols);
    return values;
}
