/* SPDX-License-Identifier: Apache-2.0
 * eigen.h - eigenvalues and eigenvectors of symmetric matrices, with the same bits on every
 * machine. */
#ifndef PE_MATH_EIGEN_H
#define PE_MATH_EIGEN_H

#include <stdbool.h>
#include <stddef.h>

#include "core/posenc.h"

/* By Householder's reflections and QL steps; `matrix` (n x n, row-major, symmetric, n > 0) is
 * destroyed, scratch has 2 n elements. values: ascending; row i of vectors belongs to
 * values[i], has length 1 and is orthogonal to the others. The residual |M v - value v| is
 * below EIGEN_RESIDUAL times the largest value, n up to 512. */
#define EIGEN_RESIDUAL 1e-13
/* Returns false when *stop (may be NULL) was set. */
bool eigen_symmetric(double *matrix, size_t n, double *values, double *vectors, double *scratch,
                     const struct pe_stop *stop);

/* The cost of eigen_symmetric in operations, roughly. */
double eigen_cost_ns(size_t n);

#endif
