/* SPDX-License-Identifier: Apache-2.0
 * toeplitz.h - matrices per head whose elements depend on a difference of positions: one
 * diagonal row a head is computed for a block and copied into its rows. */
#ifndef PE_MATH_TOEPLITZ_H
#define PE_MATH_TOEPLITZ_H

#include "core/encoding.h"

/* out[t] = value of `head` at distance first + step*t (distance = query - key position),
 * t in [0, count). Defines the values; must not depend on how a row is divided. */
typedef void toeplitz_diagonal(const void *context, size_t head, double first, double step,
                               size_t count, double *out);
/* The same at given positions, for scattered ones and for values that are not Toeplitz.
 * Where there is a diagonal too, both give the same bits for the same two positions. */
typedef void toeplitz_row(const void *context, size_t head, double query, const double *keys,
                          size_t count, double *out);

/* One output (heads, queries, keys), columns = keys. */
struct toeplitz {
    const void *context;
    toeplitz_diagonal *diagonal; /* NULL: only `row` (not a function of the difference) */
    toeplitz_row *row;
    size_t heads;
    const struct pe_positions *q, *k;
    double ns; /* of a value, where that is more than a product; 0: it is not */
};

/* state: struct toeplitz */
extern const struct pe_filler toeplitz_filler;
/* (heads, differences): element t is at q[0] - k[last] + t; both slices of step 1. */
extern const struct pe_filler toeplitz_compact_filler;

#endif
