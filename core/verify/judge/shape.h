/* SPDX-License-Identifier: Apache-2.0
 * shape.h - the claim's own candidate in the shape of the tensors, or why there is none. */
#pragma once

#include "core/verify/candidate.h"

/* Returns the claim's own candidate, perhaps with a choice that the claim leaves open. */
struct candidate *shape_candidate(struct claim *claim);
/* Say why the claim has no numbers to compare: its own plan is refused, or a tensor has another
 * shape. */
enum pe_status shape_refuse(const struct claim *claim, struct pe_errors *errors);
