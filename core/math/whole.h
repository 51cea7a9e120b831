/* SPDX-License-Identifier: Apache-2.0
 * whole.h - results that were computed while planning, copied rectangle by rectangle. */
#ifndef PE_MATH_WHOLE_H
#define PE_MATH_WHOLE_H

#include "core/encoding.h"

struct whole {
    uint64_t cols;
    double *values; /* row-major */
};

/* Room for rows * cols values of the output's group, which is then filled from them; the plan
 * keeps it. NULL: out of memory. */
double *whole_new(struct pe_build *build, size_t group, uint64_t rows, uint64_t cols);

#endif
