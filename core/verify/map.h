/* SPDX-License-Identifier: Apache-2.0
 * map.h - mistakes of single numbers: what becomes of a row after its numbers were made. */
#pragma once

#include "core/verify/candidate.h"

/* Moves the numbers of a row, or their bounds, to the columns where the candidate has them. */
void map_columns(const struct candidate *candidate, size_t subject, struct row_buffer row);
/* Changes the numbers of a row as candidate->map says; where there are bounds, a number that
 * is as near to the next level counts as either. */
void map_row(const struct candidate *candidate, size_t subject, uint64_t row,
             struct row_buffer made, struct row_buffer bound);
