/* SPDX-License-Identifier: Apache-2.0
 * plan_size.h - the size of an answer whose plan is not made yet, for a caller that states what
 * the answer costs before another thread makes the plan, or whether a picture shows it. */
#pragma once

#include "core/posenc.h"

/* Returns the elements of all wanted outputs of checked arguments together, pe_plan_elements of
 * their plan; UINT64_MAX: more than that. */
uint64_t pe_args_elements(const struct pe_args *args);
/* Returns the tensor that a plan of checked arguments has for their first wanted output, but
 * for its group and slot. Its rows are UINT64_MAX where they are more. */
struct pe_tensor_info pe_args_tensor(const struct pe_args *args);
/* Writes all tensors of such a plan so, in its order, and returns their number. */
size_t pe_args_tensors(const struct pe_args *args,
                       struct pe_tensor_info tensors[PE_MAX_OUTPUTS]);
