/* SPDX-License-Identifier: Apache-2.0
 * verdict.h - puts into words and numbers what a search has found. */
#pragma once

#include "core/verify/rounding.h"

/* Fill in what is told of each tensor while all rows are compared with the claim: how far it
 * is, and where. The rounding of each subject is counted in `rounding`. False as
 * rounding_compare. */
bool verdict_compare(struct pe_verdict *verdict, const struct candidate *base,
                     struct rounding *rounding);
/* Returns the largest distance from the claim, of all tensors that were compared; infinite
 * where none was. */
double verdict_distance(const struct pe_verdict *verdict, const struct claim *claim);
/* Name the role and the kind of each tensor, once the verdict of all is known; `base` is
 * NULL if no tensor has the claim's shape. */
void verdict_kinds(struct pe_verdict *verdict, const struct candidate *base, size_t count,
                   const struct pe_verify_role *roles);
