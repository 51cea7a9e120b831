/* SPDX-License-Identifier: Apache-2.0
 * judge.h - finds the verdict on a claim: bits first, then the profiles of rounding, then the
 * bound of float32, then texts and fast functions, and only then mistakes. In this order no
 * arithmetic is taken for a mistake. */
#pragma once

#include "core/verify/search.h"

/* A claim that is farther from the tensors than this many bounds may have a mistake. */
enum { JUDGE_SUSPICIOUS = 8 };

/* Judges the claim's own candidate, which is NULL if no tensor has its shape; tolerance may be
 * NULL. Unless the candidate is the right one there must be a search, whose cost is written to
 * *cost in place of it, if cost is not NULL. False when out of memory. */
bool judge_claim(struct pe_verdict *verdict, struct claim *claim, const struct candidate *base,
                 const struct pe_verify_tolerance *tolerance, struct search *search,
                 double *cost);
