/* SPDX-License-Identifier: Apache-2.0
 * precomputed.h - results that were computed while planning and are copied rectangle by
 * rectangle. */
#pragma once

#include "core/encoding.h"

struct precomputed {
    uint64_t cols;
    double *values; /* a matrix in row-major order */
};

/* Allocates rows * cols values, which the plan owns and from which the output's group is filled
 * if it is wanted. Returns NULL when out of memory. */
double *precomputed_new(struct pe_build *build, size_t group, uint64_t rows, uint64_t cols);
/* Fills the group of a scalar, or of one element, with this value. */
void precomputed_scalar(struct pe_build *build, size_t group, double value);
/* Fills the output's group from values that live as long as the plan, in rows of `cols`. */
void precomputed_show(struct pe_build *build, size_t group, const double *values,
                      uint64_t cols);
