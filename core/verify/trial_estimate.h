/* SPDX-License-Identifier: Apache-2.0
 * trial_estimate.h - tests values that are estimated from the tensors. */
#pragma once

#include "core/verify/trial.h"

/* Tests the estimate of each real parameter beside the first hypothesis, which may be NULL;
 * base is its candidate, or NULL. Returns whether one explains. */
bool trial_estimate(struct search *search, const struct suspect *first,
                    const struct candidate *base);
/* Measure the frequencies of the tensors as the candidate sees them; NULL where they show none.
 * The caller frees them. */
double *trial_estimate_measure(const struct candidate *base);
