/* SPDX-License-Identifier: Apache-2.0
 * remap.h - positions and distances that a rule changes before vectors are rotated by them, for
 * ReRoPE, dual chunk attention and self-extend. */
#pragma once

#include "core/encodings/bias/query_key.h"
#include "core/math/number/elementary.h"

/* The first four outputs of every encoding with a window. */
enum { REMAP_DISTANCE, REMAP_Q, REMAP_K, REMAP_LOGN };

/* The first member of the structs of encodings with a window. */
struct remap {
    struct query_key pairs;
    double train_len;
};

#define REMAP_ROWS(TYPE, PART)                                                                 \
    QUERY_KEY_ROWS(TYPE, PART.pairs),                                                          \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, train_len),                                                    \
            .type = PE_REAL, .optional = true, .above_min = true, .min = 1, .max = 0x1p53,     \
            .summary = "length of the context in training, in tokens (scale_base)"             \
    }
#define REMAP_LOGN_ROW                                                                         \
    [REMAP_LOGN] = {PE_OUTPUT("logn_factor", PE_F32, "q"),                                     \
                    .label = "Log-n factor",                                                   \
                    .one_of = "len|q",                                                         \
                    .sign = PE_NOT_NEGATIVE,                                                   \
                    .picture = "q=0:64&train_len=16",                                          \
                    .summary =                                                                 \
                        "factor on each query: max(1, ln(position + 1) / ln(train_len))",      \
                    .uses = PE_WORDS("len", "q", "train_len"),                                 \
                    .bound = "0.501 ULP; f64 0.52 ULP"}

/* Returns the position that a rule makes of a position. */
typedef double remap_position(const void *rule, double position);

/* Fills a list by a rule, which lives as long as the plan. */
void remap_fill_list(struct pe_build *build, size_t group, remap_position *position,
                     const void *rule, const struct pe_positions *list);
/* The .detail of encodings with a window: the distance of two positions, and the positions in
 * the second matrix. `rule` is the encoding's own struct. */
struct remap_rule {
    query_key_value *distance;
    remap_position *query, *key;
};

/* The hooks of encodings with a window. */
void remap_resolve(struct pe_args *args, void *values, struct pe_errors *errors);
void remap_check(const struct pe_args *args, const void *values, struct pe_errors *errors);
void remap_prepare(struct pe_build *build, const void *values);
