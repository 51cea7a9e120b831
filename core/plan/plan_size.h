/* SPDX-License-Identifier: Apache-2.0
 * plan_size.h - the size of an answer whose plan is not made yet, for a caller that states what
 * the answer costs before another thread makes the plan. */
#pragma once

#include "core/posenc.h"

/* Returns the elements of all wanted outputs of checked arguments together, pe_plan_elements of
 * their plan; UINT64_MAX: more than that. */
uint64_t pe_args_elements(const struct pe_args *args);
