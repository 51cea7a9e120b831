/* SPDX-License-Identifier: Apache-2.0
 * eigen_reflect.h - Householder's reflections, which make a symmetric matrix tridiagonal, and
 * their product. */
#pragma once

#include <stddef.h>

#include "core/posenc.h"

/* Columns that are turned or reflected together: a row of them stays in registers, and all of
 * their elements in the fastest cache. */
enum { EIGEN_TILE = 16 };

/* Makes the matrix (n x n, row-major, symmetric) tridiagonal: get its diagonal (n elements) and
 * the n - 1 elements beside it. The vector of reflection k replaces row k of the matrix in
 * elements k + 1 to n - 1. scratch has 2 n elements. Give up when *stop (may be NULL) is
 * set. */
void eigen_make_tridiagonal(double *matrix, size_t n, double *diagonal, double *beside,
                            double *scratch, const struct pe_stop *stop);

/* Gets the transpose of the product of the reflections that eigen_make_tridiagonal stored.
 * scratch has (EIGEN_TILE + 1) n elements. Give up when *stop (may be NULL) is set. */
void eigen_multiply_reflections(const double *matrix, size_t n, double *transpose,
                                double *scratch, const struct pe_stop *stop);
