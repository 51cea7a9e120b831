/* SPDX-License-Identifier: Apache-2.0
 * mask_compact.c - a mask in less memory than its matrix: bits, runs of keys, blocks. */
#include "core/math/mask/mask.h"
#include "core/math/mask/mask_run.h"

enum { CHUNK = 2048 };

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- bits -------------------------------------------------------------------------------- */

static double byte_at(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    const struct mask_compact *compact = state;
    uint64_t count = least(8, compact->mask->keys - col * 8);
    unsigned char seen[8];
    unsigned byte = 0;

    mask_row(compact->mask, row, col * 8, count, seen);
    for (uint64_t bit = 0; bit < count; bit++)
        byte |= (unsigned)(seen[bit] != compact->flip) << bit;
    return byte;
}

const struct pe_filler mask_bits_filler = {.element = byte_at, .ns_per_element = 30};

/* ---- runs -------------------------------------------------------------------------------- */

/* The edges of runs of a row, one after the other: where one begins, where it ends, ... */
struct edges {
    const struct mask *mask;
    uint64_t row, col; /* the next column to look at */
    bool inside;
    uint64_t from, count; /* columns whose bytes are in `seen` */
    unsigned char seen[CHUNK];
};

/* Returns the next edge, or -1 if the row has no more. */
static double next_edge(struct edges *edges)
{
    const struct mask *mask = edges->mask;

    for (; edges->col < mask->keys; edges->col++) {
        if (edges->col >= edges->from + edges->count) {
            edges->from = edges->col;
            edges->count = least(CHUNK, mask->keys - edges->col);
            mask_row(mask, edges->row, edges->from, edges->count, edges->seen);
        }
        if ((edges->seen[edges->col - edges->from] != 0) != edges->inside) {
            edges->inside = !edges->inside;
            return (double)edges->col;
        }
    }
    if (!edges->inside)
        return -1;
    edges->inside = false;
    return (double)mask->keys;
}

/* Gets the runs of a row from its spans, which may touch; returns their number. */
static size_t runs_of_spans(const struct mask *mask, uint64_t row,
                            uint64_t runs[MASK_MOST_SPANS][2])
{
    const struct mask_run all = mask_run_at(mask, 0);
    struct mask_span spans[MASK_MOST_SPANS];
    const size_t number =
        mask->rule->spans(mask->context, row / mask->queries, mask_run_query(mask, row), spans);
    size_t count = 0;

    for (size_t i = 0; i < number; i++) {
        uint64_t first, end;

        mask_run_cover(&all, mask->keys, spans[i], &first, &end);
        if (first >= end)
            continue;
        if (count > 0 && runs[count - 1][1] == first) {
            runs[count - 1][1] = end;
        } else {
            runs[count][0] = first;
            runs[count++][1] = end;
        }
    }
    return count;
}

/* The runs of one row, in turn: from its spans, or from its edges. */
struct row_runs {
    struct edges edges;
    uint64_t runs[MASK_MOST_SPANS][2];
    size_t count; /* of the row's spans */
    bool by_spans;
    uint64_t next; /* the run that is read next from edges */
    double pair[2];
};

static void begin_row(struct row_runs *runs, uint64_t row)
{
    const struct mask *mask = runs->edges.mask;

    runs->edges.row = row;
    runs->by_spans = mask_has_spans(mask) && !(mask->empty && mask->empty[row]);
    runs->count = runs->by_spans ? runs_of_spans(mask, row, runs->runs) : 0;
    runs->edges.col = runs->edges.from = runs->edges.count = runs->next = 0;
    runs->edges.inside = false;
}

/* Set .pair to the wanted run of the row, or to -1. */
static void find_run(struct row_runs *runs, uint64_t wanted)
{
    for (; !runs->by_spans && runs->next <= wanted; runs->next++) {
        runs->pair[0] = next_edge(&runs->edges);
        runs->pair[1] = next_edge(&runs->edges);
    }
    for (int end = 0; runs->by_spans && end < 2; end++)
        runs->pair[end] = wanted < runs->count ? (double)runs->runs[wanted][end] : -1;
}

static void fill_runs(const void *state, const struct pe_rect *rect, double *const out[],
                      const void *const input[], void *scratch)
{
    const struct mask_compact *compact = state;
    struct row_runs runs = {.edges = {.mask = compact->mask, .row = UINT64_MAX}};

    for (uint64_t i = 0; out[0] && i < rect->rows; i++) {
        const uint64_t row = (rect->row + i) / compact->most;

        if (row != runs.edges.row)
            begin_row(&runs, row);
        find_run(&runs, (rect->row + i) % compact->most);
        for (uint64_t col = 0; col < rect->cols; col++)
            out[0][i * rect->cols + col] = runs.pair[rect->col + col];
    }
}

/* Without spans all keys of a row are read to write the runs of the row. */
static double runs_cost(const void *state, enum pe_dtype dtype)
{
    const struct mask_compact *compact = state;
    const uint64_t most = compact->most + !compact->most;

    return mask_has_spans(compact->mask)
               ? 20
               : 40 + 0.4 * (double)compact->mask->keys / (double)most;
}

const struct pe_filler mask_runs_filler = {.reference = fill_runs, .cost = runs_cost};

/* ---- blocks ------------------------------------------------------------------------------ */

/* Returns 0, 1 or 2 for the block in row `row` of (batches x blocks of queries) and column
 * col. */
static double block_at(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    const struct mask_compact *compact = state;
    const struct mask *mask = compact->mask;
    uint64_t side = compact->block, blocks = (mask->queries + side - 1) / side;
    uint64_t first = row % blocks * side, rows = least(side, mask->queries - first);
    uint64_t cols = least(side, mask->keys - col * side), total = 0;
    unsigned char seen[CHUNK];

    first += row / blocks * mask->queries;
    for (uint64_t i = 0; i < rows; i++) {
        for (uint64_t done = 0, part; done < cols; done += part) {
            part = least(CHUNK, cols - done);
            mask_row(mask, first + i, col * side + done, part, seen);
            for (uint64_t j = 0; j < part; j++)
                total += seen[j];
        }
        if (total > 0 && total < (i + 1) * cols)
            return 1;
    }
    return total > 0 ? 2 : 0;
}

static void fill_indices(const void *state, const struct pe_rect *rect, double *const out[],
                         const void *const input[], void *scratch)
{
    const struct mask_compact *compact = state;
    uint64_t blocks = (compact->mask->keys + compact->block - 1) / compact->block;

    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        double *at = out[0] + row * rect->cols;
        uint64_t slot = 0;

        for (uint64_t col = 0; col < blocks; col++) {
            if (block_at(compact, rect->row + row, col, input) == 0)
                continue;
            if (slot >= rect->col && slot < rect->col + rect->cols)
                at[slot - rect->col] = (double)col;
            slot++;
        }
        for (slot = slot > rect->col ? slot : rect->col; slot < rect->col + rect->cols; slot++)
            at[slot - rect->col] = -1;
    }
}

static double block_cost(const void *state, enum pe_dtype dtype)
{
    const struct mask_compact *compact = state;

    return 50 + 8 * (double)compact->block * (double)compact->block;
}

static double indices_cost(const void *state, enum pe_dtype dtype)
{
    return 2 * block_cost(state, dtype);
}

const struct pe_filler mask_blocks_filler = {
    .element = block_at, .ns_per_element = 65536, .cost = block_cost};
const struct pe_filler mask_indices_filler = {
    .reference = fill_indices, .ns_per_element = 131072, .cost = indices_cost};
