/* SPDX-License-Identifier: Apache-2.0
 * solve_heads.h - reads for each head the head of the claim whose numbers it has, or the slope
 * that makes it. */
#pragma once

#include "core/verify/candidate.h"
#include "core/verify/solve/row_list.h"

/* Reads which head of the claim each head of the one tensor is, by some of its rows. False
 * where it has no axis of heads, where most heads are none of the claim's, where it takes too
 * long, or without memory; otherwise the caller frees the list, whose positions are heads, and
 * *axis is that of heads. */
bool solve_heads(struct row_list *list, size_t *axis, const struct candidate *base);
/* Reads the slope of each head, beside that of the claim, of a tensor of slopes or of biases
 * that are slopes times a distance. False as above; the caller frees the list. */
bool solve_heads_slopes(struct row_list *list, const struct candidate *base);
/* Writes the slopes that the claim has with so many heads, `heads` of them; false where it is
 * refused. */
bool solve_heads_rule(const struct candidate *base, uint64_t heads, double *slopes);
