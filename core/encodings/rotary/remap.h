/* SPDX-License-Identifier: Apache-2.0
 * remap.h - positions and distances that a rule changes before they are rotated by: what
 * ReRoPE, dual chunk attention and self-extend share. */
#ifndef PE_ENCODINGS_REMAP_H
#define PE_ENCODINGS_REMAP_H

#include "core/encoding.h"
#include "core/math/elementary.h"

/* Queries and keys; len stands for both. */
struct remap_pairs {
    int64_t len;
    const struct pe_positions *q, *k;
};

#define REMAP_ROWS(TYPE, PART)                                                                 \
    {PE_FIELD_OF(TYPE, PART, len),                                                             \
     .type = PE_INT,                                                                           \
     .optional = true,                                                                         \
     .expanded = true,                                                                         \
     .min = 0,                                                                                 \
     .max = 0x1p53,                                                                            \
     .summary = "q and k both 0:len"},                                                         \
        {PE_FIELD_OF(TYPE, PART, q), .type = PE_POSITIONS, .unit = "positions",                \
         .summary = "positions of the queries, 127:128 when decoding"},                        \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, k), .type = PE_POSITIONS, .unit = "positions",                 \
                                    .summary = "positions of the keys, 0:128"                  \
    }

/* For resolve: len becomes q and k; what is needed is there. at: offset of the pairs. */
enum pe_status remap_resolve(struct pe_args *args, size_t at, bool needs_q, bool needs_k,
                             struct pe_errors *errors);
/* Smallest and largest difference of a query and a key. */
void remap_range(const struct remap_pairs *pairs, double *low, double *high);

/* The distance that a rule makes of two positions, and the position it makes of one. */
typedef double remap_distance(const void *rule, double query, double key);
typedef double remap_position(const void *rule, double position);

/* Fill a matrix of queries and keys, or a list. False when out of memory. The rule lives as
 * long as the plan. */
bool remap_fill_matrix(struct pe_build *build, size_t group, remap_distance *distance,
                       const void *rule, const struct remap_pairs *pairs);
bool remap_fill_list(struct pe_build *build, size_t group, remap_position *position,
                     const void *rule, const struct pe_positions *list);
/* max(1, ln(p + 1) / ln(training_length)) of every position; remap_check_logn for check. */
bool remap_fill_logn(struct pe_build *build, size_t group, double training_length,
                     const struct pe_positions *list);
enum pe_status remap_check_logn(double training_length, const struct pe_positions *list,
                                struct pe_errors *errors);

#endif
