/* SPDX-License-Identifier: Apache-2.0
 * mask_dense.c - all elements of a mask. */
#include "core/math/mask/mask.h"

/* Returns the number of the matrix's row that is row `row` of the output, which repeats the
 * matrix for each head. */
static uint64_t row_of(const struct mask_dense *dense, uint64_t row)
{
    uint64_t queries = dense->mask->queries;

    return row / (dense->heads * queries) * queries + row % queries;
}

static void reference(const void *state, const struct pe_rect *rect, double *const out[],
                      const void *const input[], void *scratch)
{
    const struct mask_dense *dense = state;

    for (uint64_t i = 0; out[0] && i < rect->rows * rect->cols; i++) {
        uint64_t row = row_of(dense, rect->row + i / rect->cols);

        out[0][i] = dense->values[mask_sees(dense->mask, row, rect->col + i % rect->cols)];
    }
}

static bool typed(const void *state, const struct pe_rect *rect, enum pe_dtype dtype,
                  void *const out[], void *scratch)
{
    const struct mask_dense *dense = state;
    const struct mask_ink ink = mask_ink_of(dtype, dense->values);
    struct stream_store stream;

    if (!out[0])
        return true;
    stream_store_begin(&stream, out[0], rect->rows * rect->cols * ink.size);
    for (uint64_t row = 0; row < rect->rows; row++)
        mask_paint(dense->mask, &ink, row_of(dense, rect->row + row), rect->col, rect->cols,
                   &stream);
    stream_store_end(&stream);
    return true;
}

static double cost(const void *state, enum pe_dtype dtype)
{
    const struct mask_dense *dense = state;
    bool painted = dense->mask->rule->spans && !dense->mask->keep;

    return painted ? 0.05 * (double)pe_dtype_size(dtype) : 10;
}

const struct pe_filler mask_dense_filler = {
    .reference = reference,
    .typed = typed,
    .ns_per_element = 4,
    .cost = cost,
};
