/* SPDX-License-Identifier: Apache-2.0
 * scattered.h - scattered positions as an array: where runs are short, to search the run of
 * each position takes longer than what is computed from it. */
#pragma once

#include "core/encoding.h"

/* Returns all positions as an array that lives as long as the plan, or NULL where runs are
 * long, positions are few or too many, or there is no memory for it. */
const double *scattered_list(struct pe_build *build, const struct pe_positions *pos);
/* Sets out[i] to position number from + i, i in [0, count). */
void scattered_write(const struct pe_positions *pos, uint64_t from, size_t count, double *out);
