/* SPDX-License-Identifier: Apache-2.0
 * cost.h - what a search takes at most, in operations (posenc.h), told from the claim before
 * the search begins. */
#pragma once

#include "core/verify/candidate.h"

/* Returns the operations of making and checking arguments of an encoding, and with them a plan,
 * NULL where none was made. */
double cost_of_planned(const struct pe_encoding *enc, const struct pe_args *args);
/* Returns the operations of making a row of a candidate and of comparing it with a tensor. */
double cost_of_row(const struct candidate *candidate, size_t subject);
/* Returns the operations of a verdict without a search. */
double cost_of_judging(struct pe_args *args, const struct pe_verify_tensor *tensors,
                       size_t count, const struct pe_verify_role *roles,
                       const struct pe_limits *limits);
/* Returns the operations after which a search ends, by the elements of the tensors. */
double cost_limit(const struct claim *claim);
/* Returns the operations of search_run. base is the claim's own candidate, NULL if no tensor
 * has its shape. */
double cost_of_search(struct claim *claim, const struct candidate *base);
