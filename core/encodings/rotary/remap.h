/* SPDX-License-Identifier: Apache-2.0
 * remap.h - positions and distances that a rule changes before they are rotated by: what
 * ReRoPE, dual chunk attention and self-extend share. */
#ifndef PE_ENCODINGS_REMAP_H
#define PE_ENCODINGS_REMAP_H

#include "core/encodings/bias/pairs.h"
#include "core/math/elementary.h"

/* The position that a rule makes of one. */
typedef double remap_position(const void *rule, double position);

/* Fill a list. False when out of memory. The rule lives as long as the plan. */
bool remap_fill_list(struct pe_build *build, size_t group, remap_position *position,
                     const void *rule, const struct pe_positions *list);
/* max(1, ln(p + 1) / ln(training_length)) of every position; remap_check_logn for check. */
bool remap_fill_logn(struct pe_build *build, size_t group, double training_length,
                     const struct pe_positions *list);
enum pe_status remap_check_logn(double training_length, const struct pe_positions *list,
                                struct pe_errors *errors);

#endif
