/* SPDX-License-Identifier: Apache-2.0
 * bound.h - how far rounding may have moved each number of a candidate: the error of float32's
 * angles for waves, some units of the number for others, nothing for integers; and half a step
 * of the tensor's own dtype. */
#pragma once

#include "core/verify/candidate.h"

/* Write the bounds of a row. theta and vector are those that the row was made from; they are
 * not read where it has none. */
void bound_row(const struct candidate *candidate, size_t subject, double *const theta[2],
               const double *vector, const double *expected, double *bound);
