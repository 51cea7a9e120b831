/* SPDX-License-Identifier: Apache-2.0
 * column_pairs.h - finds which columns of vectors were turned together: a turn keeps the length
 * of a pair, whatever its angle. */
#pragma once

#include "core/verify/solve/column_list.h"
#include "core/verify/solve/column_sample.h"

/* Values of `partner` for a column without one: it is written as zeros, it is the column before
 * the turn, or it turns with no other column. */
#define COLUMN_ZERO (SIZE_MAX - 2)
#define COLUMN_SAME (SIZE_MAX - 1)
#define COLUMN_ALONE SIZE_MAX

struct column_pairs {
    size_t *partner; /* of each column, or what it is */
};

/* Finds them; pairs of the claim come first. False without memory; otherwise the caller ends
 * it. */
bool column_pairs_find(struct column_pairs *pairs, struct column_sample *sample,
                       const struct column_list *list);
void column_pairs_fini(struct column_pairs *pairs);
/* Reads the cosines and sines by which two columns were turned, and how far each may be off. */
void column_pairs_turn(struct column_sample *sample, size_t one, size_t other);
/* Returns whether a pair of the claim turns too little in all rows to tell its partner. */
bool column_pairs_is_vague(const struct column_sample *sample, const struct turn_reader *reader,
                           size_t pair);
