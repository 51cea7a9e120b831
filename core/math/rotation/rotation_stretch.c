/* SPDX-License-Identifier: Apache-2.0
 * rotation_stretch.c - divides runs of positions into stretches that share a coarse row. */
#include "core/math/rotation/rotation_stretch.h"

/* Rows of a list with one stride: row t of the list is fine row t % rows. */
static struct rotation_stretch strided(const struct rotation_fast *fast, uint64_t row,
                                       const struct pe_run *run)
{
    const uint64_t rows = fast->fine->rows, fine = (fast->rect->row + row) % rows;
    const uint64_t left = rows - fine < run->left ? rows - fine : run->left;
    const int64_t first = (int64_t)run->first;

    return (struct rotation_stretch){.row = row,
                                     .rows = left,
                                     .first = first,
                                     .step = run->step,
                                     .coarse = first - run->step * (int64_t)fine,
                                     .fine = (int64_t)fine,
                                     .fine_step = 1};
}

/* Rows whose coarse position is a multiple of the fine rows, all of one sign. */
static struct rotation_stretch plain(const struct rotation_fast *fast, uint64_t row,
                                     const struct pe_run *run)
{
    const int64_t first = (int64_t)run->first, step = run->step;
    const int64_t size = first < 0 ? -first : first, rows = (int64_t)fast->fine->rows;
    const int64_t fine = size % rows, by = first < 0 ? -step : step;
    const int64_t more = by > 0 ? (rows - 1 - fine) / by : by < 0 ? fine / -by : 0;

    return (struct rotation_stretch){
        .row = row,
        .rows = (uint64_t)more + 1 < run->left ? (uint64_t)more + 1 : run->left,
        .first = first,
        .step = step,
        .coarse = size - fine,
        .fine = fine,
        .fine_step = by,
        .negative = first < 0,
        .sure = size == fine && fast->rotation->amplitude == 1,
    };
}

struct rotation_stretch rotation_stretch_of(const struct rotation_fast *fast, uint64_t row,
                                            const struct pe_run *run)
{
    return fast->strided ? strided(fast, row, run) : plain(fast, row, run);
}

struct rotation_weights rotation_stretch_weights(const struct rotation_fast *fast,
                                                 const struct rotation_lane *lane,
                                                 bool negative)
{
    const double *cosine = fast->coarse, *sine = cosine + lane->count;
    const double *minus_sine = sine + lane->count, *minus_cosine = minus_sine + lane->count;

    if (lane->wave == ROTATION_COS)
        return (struct rotation_weights){cosine, minus_sine};
    return negative ? (struct rotation_weights){minus_sine, minus_cosine}
                    : (struct rotation_weights){sine, cosine};
}
