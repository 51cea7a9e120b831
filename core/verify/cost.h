/* SPDX-License-Identifier: Apache-2.0
 * cost.h - what a search takes at most, in operations (posenc.h), told from the claim before
 * the search begins. */
#pragma once

#include "core/verify/candidate.h"

/* Returns the operations of a verdict without a search. */
double cost_of_judging(struct pe_args *args, const struct pe_verify_tensor *tensors,
                       size_t count, const struct pe_verify_role *roles,
                       const struct pe_limits *limits);
/* Returns the operations of search_run. base is the claim's own candidate, NULL if no tensor
 * has its shape. */
double cost_of_search(struct claim *claim, const struct candidate *base);
