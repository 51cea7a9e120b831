/* SPDX-License-Identifier: Apache-2.0
 * solve_mask.h - reads a mask, and the claim's, as terms. */
#pragma once

#include "core/verify/candidate.h"
#include "core/verify/solve/mask_terms.h"

struct solved_mask {
    struct mask_seen seen;            /* what the tensor shows; the caller may take `at` */
    struct mask_terms found, claimed; /* the tensor's terms, and the claim's; */
    bool comparable;                  /* which has such terms too */
    double shown, hidden;             /* the numbers of a key that is seen, and of another */
};

/* Reads the one tensor of a fitted candidate; false where it is no mask of which all heads are
 * the same, where it has other terms, or without memory. The caller frees. */
bool solve_mask(struct solved_mask *solved, const struct candidate *base);
void solve_mask_fini(struct solved_mask *solved);
