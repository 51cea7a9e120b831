/* SPDX-License-Identifier: Apache-2.0
 * toeplitz.h - matrices per head whose elements depend on a difference of positions: one
 * diagonal is computed for each head, and every row of the matrix is a window of it. The plan
 * keeps the diagonals of large matrices; otherwise each block computes its own. */
#ifndef PE_MATH_TOEPLITZ_H
#define PE_MATH_TOEPLITZ_H

#include "core/encoding.h"

/* out[t] = value of `head` at distance first + step*t (distance = query - key position),
 * t in [0, count). Defines the values; must not depend on how a row is divided. */
typedef void toeplitz_diagonal(const void *context, size_t head, double first, double step,
                               size_t count, double *out);
/* Write values at given positions, for scattered positions and for values that are not
 * Toeplitz. Where there is a diagonal too, both give the same bits for the same two
 * positions. */
typedef void toeplitz_row(const void *context, size_t head, double query, const double *keys,
                          size_t count, double *out);

/* One output (heads, queries, keys), columns = keys. */
struct toeplitz {
    const void *context;
    toeplitz_diagonal *diagonal; /* NULL: only `row` (not a function of the difference) */
    toeplitz_row *row;
    size_t heads;
    const struct pe_positions *q, *k;
    double ns;        /* of a value, where that is more than a product; 0: it is not */
    double shared_ns; /* and of what all heads share of it, once where diagonals are kept */
    /* Set by toeplitz_fill: [heads][toeplitz_differences] elements, that of the last query and
     * the first key first; NULL: none. */
    const void *diagonals;
};

/* Fill the group with the matrix, which lives as long as the plan. */
void toeplitz_fill(struct pe_build *build, size_t group, struct toeplitz *matrix);
/* The operations of keeping the diagonals, for the plan_ns of an encoding whose values have
 * .ns. */
double toeplitz_plan_ns(const struct toeplitz *matrix);

/* How many differences the matrix has, where its plan keeps diagonals; else 0. */
uint64_t toeplitz_differences(const struct toeplitz *matrix);
/* The first difference, and the step from one to the next; false: not one diagonal a head. */
bool toeplitz_steps(const struct toeplitz *matrix, double *first, double *step);
/* The diagonals as dtype: heads * toeplitz_differences elements. */
void toeplitz_make_diagonals(const struct toeplitz *matrix, enum pe_dtype dtype, void *out);

/* state: struct toeplitz */
extern const struct pe_filler toeplitz_filler;
/* (heads, differences): element t is at q[0] - k[last] + t; both slices of step 1. */
extern const struct pe_filler toeplitz_compact_filler;

#endif
