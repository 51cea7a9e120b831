/* SPDX-License-Identifier: Apache-2.0
 * precomputed.h - results that were computed while planning and are copied rectangle by
 * rectangle. */
#ifndef PE_MATH_PRECOMPUTED_H
#define PE_MATH_PRECOMPUTED_H

#include "core/encoding.h"

struct precomputed {
    uint64_t cols;
    double *values; /* row-major */
};

/* Allocate rows * cols values for the output's group, which is filled from them if it is
 * wanted; the plan owns them. NULL: out of memory. */
double *precomputed_new(struct pe_build *build, size_t group, uint64_t rows, uint64_t cols);

#endif
