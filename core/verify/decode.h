/* SPDX-License-Identifier: Apache-2.0
 * decode.h - reads the position of a row out of its sines and cosines, or out of a turned
 * vector: the slowest pair tells it roughly, each faster one more exactly. */
#pragma once

#include "core/verify/observe.h"

/* Returns the position of a row that was observed: that which is nearest to `near`, within a
 * turn of the slowest pair. */
double decode_observed(const struct observed *seen, const struct candidate *candidate,
                       double near);
/* Reads the position of each row in [0, angles->rows) from number `first` on, every `step`-th;
 * near the claimed one within a turn of the slowest pair. False when out of memory. */
bool decode_rows(const struct candidate *candidate, uint64_t first, uint64_t step,
                 uint64_t count, struct row_buffer pos);

/* Reads the positions of the first `count` rows of tensors whose positions lie on a line over
 * the claimed ones: each row near the line through the rows before it, so that rows further
 * than half a turn of the slowest pair from the claim are read too. False when out of
 * memory. */
bool decode_line(const struct candidate *candidate, uint64_t count, struct row_buffer pos);
