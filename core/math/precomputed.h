/* SPDX-License-Identifier: Apache-2.0
 * precomputed.h - results that were computed while planning, copied rectangle by rectangle. */
#ifndef PE_MATH_PRECOMPUTED_H
#define PE_MATH_PRECOMPUTED_H

#include "core/encoding.h"

struct precomputed {
    uint64_t cols;
    double *values; /* row-major */
};

/* Room for rows * cols values of the output's group, which is then filled from them; the plan
 * keeps it. NULL: out of memory. */
double *precomputed_new(struct pe_build *build, size_t group, uint64_t rows, uint64_t cols);

#endif
