/* SPDX-License-Identifier: Apache-2.0
 * trial_three.h - tests mistakes that hide each other by what the frequencies of the tensors
 * show: one of order, sign or pairing, without which none is shown; one of the frequencies
 * themselves; and at most one more. */
#pragma once

#include "core/verify/trial.h"

/* Tests them, in the order of the list and of the table of mistakes, until one explains. base
 * is the claim's own candidate, NULL if no tensor has its shape. */
void trial_three(struct search *search, const struct hypotheses *list,
                 const struct candidate *base);
