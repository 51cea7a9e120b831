/* SPDX-License-Identifier: Apache-2.0
 * suspect.h - one to three hypotheses that may hold together, and the candidate whose numbers
 * follow from them. */
#pragma once

#include "core/verify/fit.h"
#include "core/verify/hypothesis/hypothesis.h"
#include "core/verify/mistake/mistakes.h"

enum { SUSPECT_TOGETHER = PE_VERIFY_TOGETHER };

struct suspect {
    struct hypothesis hypothesis[SUSPECT_TOGETHER];
    size_t count;
    double price;
    struct fit fit;              /* of all rows where it explains, of the sample otherwise */
    struct candidate *candidate; /* NULL: it is not made */
};

/* Makes the candidate: all values of parameters first, then the mistakes. NULL where they do
 * not apply; *missing as in candidate_new, which may be NULL. */
struct candidate *suspect_make(struct claim *claim, const struct suspect *suspect,
                               const struct pe_param **missing);
void suspect_fini(struct suspect *suspect);
/* Returns a suspect of the hypotheses of the first, which may be NULL, and one more. */
struct suspect suspect_together(const struct suspect *first, const struct hypothesis *more);
/* Returns whether both change the same parameter, or are the same mistake. */
bool suspect_overlaps(const struct suspect *first, const struct hypothesis *more);
/* Fewer hypotheses come first, then simpler ones. */
bool suspect_is_simpler(const struct suspect *suspect, const struct suspect *other);
/* Returns whether every tensor has the shape of the candidate's numbers. */
bool suspect_is_shaped(const struct candidate *candidate);
/* Returns whether a number of the last change stands for a limit: four times as much explains
 * the sample as well, or is out of the parameter's range. */
bool suspect_is_limit(struct claim *claim, const struct suspect *suspect);
