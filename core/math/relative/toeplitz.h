/* SPDX-License-Identifier: Apache-2.0
 * toeplitz.h - matrices per head whose elements depend on a difference of positions: one
 * diagonal is computed for each head, and every row of the matrix is a window of it. The plan
 * keeps the diagonals of large matrices; otherwise each block computes its own. */
#pragma once

#include "core/encoding.h"

/* Returns the value of `head` at a difference of positions, query - key. */
typedef double toeplitz_value(const void *context, size_t head, double difference);
/* Sets out[t] to the value of `head` at the difference first + step*t, t in [0, count), with
 * the bits of toeplitz_value. */
typedef void toeplitz_diagonal(const void *context, size_t head, double first, double step,
                               size_t count, double *out);
/* Writes values at given positions. They must not depend on how a row is divided. */
typedef void toeplitz_row(const void *context, size_t head, double query, const double *keys,
                          size_t count, double *out);

/* One output (heads, queries, keys); its columns are keys. */
struct toeplitz {
    const void *context;
    /* NULL: values are no function of the difference, and only `row` is used */
    toeplitz_value *value;
    toeplitz_diagonal *diagonal; /* several values at once; NULL: one by one */
    /* With `value`: the values of query - key for keys that are no run, several at once, or
     * NULL: one by one. */
    toeplitz_row *row;
    size_t heads;
    const struct pe_positions *q, *k;
    double ns;        /* operations of a value that is more than a product; else 0 */
    double shared_ns; /* operations that all heads share, done once where diagonals are kept */
    /* Sets by toeplitz_fill: [heads][toeplitz_differences] elements, that of the last query and
     * the first key first; NULL: none. */
    const void *diagonals;
    /* Sets by toeplitz_fill: all keys, where they are scattered; else NULL. */
    const double *keys;
};

/* Fills the group with the matrix, which lives as long as the plan. */
void toeplitz_fill(struct pe_build *build, size_t group, struct toeplitz *matrix);
/* Returns the operations of computing the diagonals that the plan keeps, for plan_ns. */
double toeplitz_plan_ns(const struct toeplitz *matrix);

/* Returns how many differences the matrix has if its plan keeps diagonals, else 0. */
uint64_t toeplitz_differences(const struct toeplitz *matrix);
/* Gets the first difference, and the step from one to the next; returns false if a head has
 * more than one diagonal. */
bool toeplitz_steps(const struct toeplitz *matrix, double *first, double *step);
/* Writes the diagonals as dtype: heads * toeplitz_differences elements. */
void toeplitz_make_diagonals(const struct toeplitz *matrix, enum pe_dtype dtype, void *out);

/* state: struct toeplitz */
extern const struct pe_filler toeplitz_filler;
/* Fills (heads, differences): element t is at difference q[0] - k[last] + t. Queries and keys
 * are slices of step 1. */
extern const struct pe_filler toeplitz_compact_filler;
