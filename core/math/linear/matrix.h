/* SPDX-License-Identifier: Apache-2.0
 * matrix.h - small square matrices of doubles, row-major: products, exponentials, the Cayley
 * transform. Plain double operations in one order give the same bits on every machine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Computes out = a b, all n x n; out overlaps neither. */
void matrix_product(const double *a, const double *b, size_t n, double *out);
/* Returns the largest sum of magnitudes in a row. */
double matrix_norm(const double *a, size_t n);

/* Computes out = exp(a) by scaling and squaring of Taylor's polynomial; the norm of a is below
 * 2^60. For a skew-symmetric a the result is within n^2 (1 + norm) 2^-48 of the rotation.
 * scratch has 2 n^2 doubles. */
void matrix_exponential(const double *a, size_t n, double *out, double *scratch);

/* Computes out = (I - s)(I + s)^-1 = (I + s)^-1 (I - s) by elimination with pivots. For a
 * skew-symmetric s it is orthogonal and always exists. scratch has n^2 doubles. Returns
 * false if I + s is singular. */
bool matrix_cayley(const double *s, size_t n, double *out, double *scratch);
