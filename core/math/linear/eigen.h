/* SPDX-License-Identifier: Apache-2.0
 * eigen.h - eigenvalues and eigenvectors of symmetric matrices, with the same bits on every
 * machine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/posenc.h"

/* Finds eigenvalues, in ascending order, and eigenvectors by Householder's reflections and QL
 * steps. `matrix` (n x n, row-major, symmetric, n > 0) is destroyed; scratch has
 * eigen_scratch(n) elements.
 * Row i of vectors belongs to values[i], has length 1 and is orthogonal to the other rows. For
 * n up to 512 the residual |M v - value v| is below EIGEN_RESIDUAL times the largest value. */
#define EIGEN_RESIDUAL 1e-13
/* Returns false when *stop (may be NULL) was set. */
bool eigen_symmetric(double *matrix, size_t n, double *values, double *vectors, double *scratch,
                     const struct pe_stop *stop);

/* Returns how many elements of scratch eigen_symmetric needs. */
size_t eigen_scratch(size_t n);
/* Returns the cost of eigen_symmetric in operations, roughly. */
double eigen_cost_ns(size_t n);
