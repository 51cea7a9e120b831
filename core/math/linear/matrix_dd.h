/* SPDX-License-Identifier: Apache-2.0
 * matrix_dd.h - exponentials of small square matrices of double-doubles, row-major. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/math/number/dd.h"

struct pe_stop;

/* Computes out = exp(a) by scaling and squaring of Taylor's polynomial; the norm of a is below
 * 2^60. For a skew-symmetric a the result is within n^2 (1 + norm) 2^-97 of the rotation.
 * scratch has MATRIX_DD_SCRATCH n^2 double-doubles. Returns false when *stop (may be NULL) is
 * set: out is then undefined. */
enum { MATRIX_DD_SCRATCH = 5 };
bool matrix_exponential_dd(const struct dd *a, size_t n, struct dd *out, struct dd *scratch,
                           const struct pe_stop *stop);
