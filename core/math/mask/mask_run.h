/* SPDX-License-Identifier: Apache-2.0
 * mask_run.h - queries and keys of a mask by number: positions, runs of keys, and the columns
 * of a run that a span covers. */
#pragma once

#include "core/math/mask/mask.h"

/* Consecutive keys from a column on: first, first + step, ...; step is not 0. */
struct mask_run {
    int64_t first, step;
    uint64_t left;
};

static inline uint64_t mask_run_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns the position of the query of a row (of batches x queries), and of the key of a
 * column. */
static inline int64_t mask_run_query(const struct mask *mask, uint64_t row)
{
    const uint64_t query = row % mask->queries;

    return mask->q ? (int64_t)pe_positions_at(mask->q, query) : (int64_t)query;
}

static inline int64_t mask_run_key(const struct mask *mask, uint64_t col)
{
    return mask->k ? (int64_t)pe_positions_at(mask->k, col) : (int64_t)col;
}

static inline struct mask_run mask_run_at(const struct mask *mask, uint64_t col)
{
    struct pe_run run;

    if (!mask->k)
        return (struct mask_run){(int64_t)col, 1, mask->keys - col};
    run = pe_positions_run(mask->k, col);
    return (struct mask_run){(int64_t)run.first, run.step ? run.step : 1, run.left};
}

/* Gets the columns [*first, *end) of a run of `count` keys, step > 0, that a span covers. */
static inline void mask_run_cover(const struct mask_run *run, uint64_t count,
                                  struct mask_span span, uint64_t *first, uint64_t *end)
{
    const int64_t low = span.first - run->first, high = span.last - run->first;

    *first = low <= 0 ? 0 : (uint64_t)((low + run->step - 1) / run->step);
    *end = high < 0 ? 0 : (uint64_t)(high / run->step) + 1;
    *first = mask_run_least(*first, count);
    *end = mask_run_least(*end, count);
}

static inline bool mask_run_kept(const struct mask *mask, uint64_t batch, uint64_t col)
{
    return !mask->keep || mask->keep->values[batch * mask->keys + col] != 0;
}

/* True when the rule and `keep` let the row see the column; the policy is not applied. */
static inline bool mask_run_sees(const struct mask *mask, uint64_t row, uint64_t col)
{
    const uint64_t batch = row / mask->queries;

    return mask_run_kept(mask, batch, col) &&
           mask->rule->sees(mask->context, batch, mask_run_query(mask, row),
                            mask_run_key(mask, col));
}
