/* SPDX-License-Identifier: Apache-2.0
 * row_source.h - the rows that positions would make, each of which can be held against any row
 * of the tensors: by their angles, or by the encoding's own rows of all positions near the
 * claim's. */
#pragma once

#include "core/verify/observe.h"

struct row_source {
    const struct candidate *base;
    struct candidate *made; /* of angles: a copy of the base with listed positions; else the
                                  * claim with positions first, first + 1 ... */
    double first;           /* of rows that are no waves: the first that was made, */
    uint64_t known;         /* and how many were; 0: they are waves */
    const struct pe_param *param; /* and the parameter that says them: pos, q */
    uint64_t places;              /* rows of the axis of positions */
    size_t axis[CLAIM_SUBJECTS];  /* of each subject, the axis of positions */
    struct observed seen;         /* of waves: what a row shows */
    struct row_buffer memory, expected, bound, data;
};

/* False where rows have no positions that they can be made from, or when out of memory. */
bool row_source_init(struct row_source *source, const struct candidate *base);
void row_source_fini(struct row_source *source);
/* Returns the position that the claim gives to a place. */
double row_source_claimed(const struct row_source *source, uint64_t place);
/* Reads what the row of a place shows, of waves, for row_source_near. */
void row_source_look(struct row_source *source, uint64_t place);
/* Returns the position, whole or not, that the angles of that row are nearest to. */
double row_source_near(struct row_source *source, double near);
/* Returns whether the rows of a place are those of a position. */
bool row_source_is(struct row_source *source, uint64_t place, double position);
/* Returns whether they are zero. */
bool row_source_is_empty(struct row_source *source, uint64_t place);
