/* SPDX-License-Identifier: Apache-2.0
 * repeats.h - claims that repeat the numbers of a tensor in a parameter, as a mask of one query
 * that is its own list of keys: they say nothing about it. */
#pragma once

#include "core/verify/view.h"

/* Returns the runs of equal numbers in a tensor; of a long one, as many as its elements. */
uint64_t repeats_runs(const struct view *view);
/* Returns the runs of equal values in the text of a list. */
uint64_t repeats_list(const char *list);
/* Returns whether lists say nothing about numbers: they have as many runs, and more than a
 * padded sequence has. */
bool repeats_numbers(uint64_t told, uint64_t numbers);
/* Returns whether tensors that serve the claim as lists have as many numbers as those that are
 * judged: position ids that would be those of position ids. */
bool repeats_role(const struct view *views, size_t count, const struct pe_verify_role *roles);
