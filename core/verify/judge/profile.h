/* SPDX-License-Identifier: Apache-2.0
 * profile.h - the named arithmetics of the encoding, by whose steps numbers are right. */
#pragma once

#include "core/verify/rounding.h"

/* Returns how many elements of so many subjects are not the claim's; *agree is the share of
 * those that are. */
uint64_t profile_differs(const struct rounding *rounding, size_t count, double *agree);
/* Finds the profile whose steps give most of the bits, and all to within one unit. */
bool profile_find(struct pe_verdict *verdict, struct claim *claim,
                  const struct candidate *base);
