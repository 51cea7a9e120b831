/* SPDX-License-Identifier: Apache-2.0
 * search.h - looks for what explains the tensors: every hypothesis alone, values estimated
 * from the numbers, then two hypotheses together, the second beside the most promising first
 * ones. */
#pragma once

#include "core/verify/trial.h"

/* Search until an explanation is found that no simpler one can replace, of tensors that are
 * `without` from the claim. False when out of memory. */
bool search_run(struct search *search, struct claim *claim, double without);
/* Returns whether the nearest hypothesis, where none explains the numbers, comes twice as near
 * as the claim, whose mean distance is given. */
bool search_has_nearest(const struct search *search, double distance);
void search_fini(struct search *search);
