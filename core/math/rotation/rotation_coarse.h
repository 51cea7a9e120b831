/* SPDX-License-Identifier: Apache-2.0
 * rotation_coarse.h - the coarse rows of the fast path: evaluated directly, and kept in the
 * scratch from one rectangle to the next. */
#pragma once

#include "core/math/rotation/rotation_stretch.h"

/* The beginning of the scratch, which is kept from one rectangle to the next: the coarse rows
 * that follow it. Rows of spans adjoin in the order of the spans. */
struct rotation_memory {
    size_t made; /* spans whose coarse rows are there */
    struct {
        size_t first, count;
        int64_t position;
    } rows[ROTATION_MAX_BANDS];
};

enum { ROTATION_MEMORY_BYTES = (sizeof(struct rotation_memory) + 63) / 64 * 64 };

/* Returns how many pairs the coarse rows of any rectangle of `elements` elements may have. */
size_t rotation_coarse_pairs(const struct rotation *rotation, uint64_t elements);
/* True if the coarse rows of all spans of these lanes fit side by side. */
bool rotation_coarse_fits(const struct rotation_fast *fast, const struct rotation_lane *lanes,
                          size_t count);
/* Returns the coarse rows of the first span. */
double *rotation_coarse_rows(const struct rotation_fast *fast);
/* Have the coarse row of a span, counted from 0, and a position in fast->coarse. */
void rotation_coarse_make(const struct rotation_fast *fast, size_t span,
                          const struct rotation_lane *lane, int64_t position);
