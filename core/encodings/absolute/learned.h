/* SPDX-License-Identifier: Apache-2.0
 * learned.h - the values of a lookup in a learned table, and the rules between them. */
#pragma once

#include "core/encodings/absolute/combine.h"

enum { LEARNED_ROWS, LEARNED_INDEX };
/* Choices of convention and of out_of_range. */
enum { LEARNED_NONE, LEARNED_FAIRSEQ, LEARNED_BART, LEARNED_OPT };
enum { LEARNED_ERROR, LEARNED_CLAMP, LEARNED_WRAP, LEARNED_ZERO, LEARNED_HIERARCHICAL };

struct learned {
    struct combine combine; /* parameters of learned/apply */
    struct pe_tensor table;
    const struct pe_positions *pos;
    struct pe_reals attention_mask;
    int convention, out_of_range;
    int64_t offset, padding_idx;
    bool zero_padding_row, l2norm;
    double amplitude, alpha;
};

extern const struct pe_choice learned_conventions[];

/* Returns the number of rows that can be looked up: the table's own, or, for
 * out_of_range=hierarchical, the rows composed of it. */
uint64_t learned_row_count(const struct learned *learned);

/* Hooks of the encoding. */
void learned_resolve(struct pe_args *args, void *values, struct pe_errors *errors);
void learned_check(const struct pe_args *args, const void *values, struct pe_errors *errors);
