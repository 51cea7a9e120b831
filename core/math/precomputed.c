/* SPDX-License-Identifier: Apache-2.0
 * precomputed.c - copies rectangles from a matrix of doubles. */
#include "core/math/precomputed.h"

#include <string.h>

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct precomputed *whole = state;

    for (uint64_t row = 0; out[0] && row < rect->rows; row++)
        memcpy(out[0] + row * rect->cols,
               whole->values + (rect->row + row) * whole->cols + rect->col,
               rect->cols * sizeof(double));
}

static const struct pe_filler filler = {.reference = fill, .ns_per_element = 1};

double *precomputed_new(struct pe_build *build, size_t group, uint64_t rows, uint64_t cols)
{
    struct precomputed *whole = pe_build_alloc(build, sizeof *whole);
    size_t bytes;

    if (!whole || __builtin_mul_overflow(rows, cols, &bytes) ||
        __builtin_mul_overflow(bytes, sizeof(double), &bytes))
        return NULL;
    *whole = (struct precomputed){cols, pe_build_alloc(build, bytes)};
    if (whole->values)
        pe_build_fill(build, group, &filler, whole);
    return whole->values;
}
