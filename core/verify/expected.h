/* SPDX-License-Identifier: Apache-2.0
 * expected.h - the numbers that follow from a candidate, row by row. */
#pragma once

#include "core/verify/candidate.h"

/* Writes the numbers of a row of a fitted subject, and the distance by which the rounding of
 * float32 and of the tensor's dtype may have moved each: the angle's error for waves, a few
 * units of the number for others, 0 for integers. bound.at may be NULL. */
void expected_row(const struct candidate *candidate, size_t subject, uint64_t row,
                  struct row_buffer expected, struct row_buffer bound);
