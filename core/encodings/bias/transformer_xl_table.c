/* SPDX-License-Identifier: Apache-2.0
 * transformer_xl_table.c - the sinusoids that the reference codes precompute, a row a distance:
 * concat(sin, cos) in Transformer-XL and XLNet, sin and cos alternating in Conformer. */
#include "core/encodings/bias/transformer_xl.h"
#include "core/math/trig/frequency.h"
#include "core/math/trig/phase_row.h"

struct phase_freq *transformer_xl_frequencies(struct pe_build *build,
                                              const struct transformer_xl *xl, size_t dim)
{
    size_t pairs = dim / 2;
    const struct frequency_ladder ladder = {.base = xl->base,
                                            .denominator = (double)pairs,
                                            .count = pairs,
                                            .multiplier = 1,
                                            .divisor = 1};
    struct phase_freq *freq = pe_build_alloc(build, pairs * sizeof *freq);

    return freq && (frequency_build(freq, &ladder) || pe_build_no_memory(build)) ? freq : NULL;
}

/* XLNet's rows have an axis of the batch: 1, or 2 with bi_data. */
size_t transformer_xl_table_shape(const struct transformer_xl *xl, uint64_t dims[PE_MAX_RANK])
{
    double first;
    size_t rank = 0;

    dims[rank++] = transformer_xl_rows(xl, &first);
    if (xl->distance_order == XL_ORDER_XLNET)
        dims[rank++] = 1 + xl->bi_data;
    dims[rank++] = (uint64_t)xl->dim;
    return rank;
}

struct table {
    const struct transformer_xl *xl;
    const struct phase_freq *freq;
    double first; /* distance of row 0 */
};

/* Scratch holds the sines, then the cosines. */
static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct table *t = state;
    uint64_t pairs = (uint64_t)t->xl->dim / 2, batch = 1 + t->xl->bi_data;
    bool in_turn = t->xl->distance_order == XL_ORDER_CONFORMER;
    double *waves = scratch;

    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        double number = (double)((rect->row + row) / batch);
        bool negated = (rect->row + row) % batch == 1;
        double distance = negated ? number - t->first : t->first - number;

        phase_row(t->freq, (size_t)pairs, transformer_xl_distance(t->xl, distance), 1, waves,
                  waves + pairs);
        for (uint64_t c = 0; c < rect->cols; c++) {
            uint64_t col = rect->col + c;

            out[0][row * rect->cols + c] =
                waves[in_turn ? col / 2 + (col % 2 ? pairs : 0) : col];
        }
    }
}

static size_t scratch_bytes(const void *state, uint64_t elements)
{
    return (size_t)((const struct table *)state)->xl->dim * sizeof(double);
}

/* A row is filled in parts of at most 2048 elements, and each part computes the waves of all
 * pairs. */
static double cost(const void *state, enum pe_dtype dtype)
{
    return 5 * (1 + (double)((const struct table *)state)->xl->dim / 2048);
}

static const struct pe_filler filler = {
    .reference = fill, .scratch = scratch_bytes, .cost = cost};

void transformer_xl_table_fill(struct pe_build *build, const struct transformer_xl *xl)
{
    struct table *table = pe_build_alloc(build, sizeof *table);

    if (!table)
        return;
    table->xl = xl;
    table->freq = transformer_xl_frequencies(build, xl, (size_t)xl->dim);
    transformer_xl_rows(xl, &table->first);
    pe_build_fill(build, XL_TABLE, &filler, table);
}
