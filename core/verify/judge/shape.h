/* SPDX-License-Identifier: Apache-2.0
 * shape.h - the claim's own candidate in the shape of the tensors, or why there is none. */
#pragma once

#include "core/verify/candidate.h"

/* Returns the claim's own candidate, perhaps with a choice that the claim leaves open. */
struct candidate *shape_candidate(struct claim *claim);
/* Returns the claim's own candidate where a square table lies on its side, [dim, pos] of as
 * many positions as columns, and its numbers are right so; later candidates of the claim see it
 * so too. NULL: no table is square, or it is not right so either. */
struct candidate *shape_turned(struct claim *claim, const struct candidate *base);
/* Say why the claim has no numbers to compare: its own plan is refused, or a tensor has another
 * shape. */
enum pe_status shape_refuse(struct claim *claim, struct pe_errors *errors);
/* Refuses a tensor of one row, [1, n], that was seen as the claim's column [n, 1] and is not
 * right so: more likely the claim has another width. PE_OK: there is none. */
enum pe_status shape_refuse_row(const struct candidate *base, struct pe_errors *errors);
