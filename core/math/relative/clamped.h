/* SPDX-License-Identifier: Apache-2.0
 * clamped.h - numbers of differences of whole positions that change between -most and most
 * alone: one list has the numbers of all pairs, wherever their positions are. */
#pragma once

#include "core/encoding.h"
#include "core/math/relative/toeplitz.h"

enum { CLAMPED_MOST = 4096 };

struct clamped {
    int32_t most;
    const int32_t *numbers; /* [2 * most + 1], that of the difference -most first */
    /* positions, less one position; those of keys less `most`, too */
    const int32_t *queries, *keys;
};

/* Returns the numbers of a matrix of one head and its positions, which live as long as the
 * plan, or NULL where `most` is above CLAMPED_MOST, positions are not whole, too far from
 * each other or too many, or there is no memory for them. */
const struct clamped *clamped_new(struct pe_build *build, const struct toeplitz *matrix,
                                  int64_t most);

/* Sets out[i] to the index, in the list of numbers, of the difference of a query and key number
 * key + i, i in [0, count). */
void clamped_indices(const struct clamped *clamped, uint64_t query, uint64_t key, size_t count,
                     int32_t *out);
