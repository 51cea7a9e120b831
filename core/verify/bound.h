/* SPDX-License-Identifier: Apache-2.0
 * bound.h - how far rounding may have moved each number of a candidate: the error of float32's
 * angles for waves, some units of the number for others, nothing for integers; and half a step
 * of the tensor's own dtype. */
#pragma once

#include "core/verify/candidate.h"

/* Writes the bounds of a row, whose angles and vector are still in the candidate's scratch. */
void bound_row(const struct candidate *candidate, size_t subject, struct row_buffer expected,
               struct row_buffer bound);
/* Returns how far float32 may have moved the cosine of an angle of a candidate, or where the
 * angle is small its sine. */
double bound_angle(const struct candidate *candidate, double theta, bool sine);
/* Returns half a step of a dtype at a number. */
double bound_step(enum pe_dtype precision, double number);
