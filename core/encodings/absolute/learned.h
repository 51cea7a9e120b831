/* SPDX-License-Identifier: Apache-2.0
 * learned.h - the parameters of learned, for learned.c (rules) and learned_row.c (rows). */
#ifndef PE_ENCODINGS_LEARNED_H
#define PE_ENCODINGS_LEARNED_H

#include "core/encodings/absolute/combine.h"

enum { LEARNED_ROWS }; /* outputs */
/* convention */
enum { LEARNED_NONE, LEARNED_FAIRSEQ, LEARNED_BART, LEARNED_OPT };
/* out_of_range */
enum { LEARNED_ERROR, LEARNED_CLAMP, LEARNED_WRAP, LEARNED_ZERO, LEARNED_HIERARCHICAL };

#define LEARNED_RSQRT_DIM 0 /* in place of a scale */

struct learned {
    struct combine combine; /* learned/apply */
    struct pe_tensor table;
    const struct pe_positions *pos;
    struct pe_reals attention_mask;
    int convention, out_of_range;
    int64_t offset, padding_idx;
    bool zero_padding_row, l2norm;
    double scale, alpha;
};

/* The number of rows that can be answered: the table's own, or, for out_of_range=hierarchical,
 * the rows composed of it. */
uint64_t learned_row_count(const struct learned *learned);
/* The prepare hook. */
void learned_row_prepare(struct pe_build *build, const void *values);

#endif
