/* SPDX-License-Identifier: Apache-2.0
 * axial.h - biases of patches that are the sum of two products: the query's vector with a row
 * of table_h and with a row of table_w. An encoding says how many queries and keys there are,
 * and which row belongs to a query and a key along an axis. */
#pragma once

#include "core/encoding.h"

/* Returns the row of the table for query i of `queries` and key j of `keys` along an axis. */
typedef int64_t axial_row(int64_t queries, int64_t keys, int64_t i, int64_t j);

struct axial {
    struct pe_grid q, k; /* queries and keys are numbered row by row */
    bool scaled;
    struct pe_tensor table_h, table_w, queries;
};

/* Rows of parameters; the tensors must come last and in this order. */
#define AXIAL_ROWS(TYPE, PART)                                                                 \
    {PE_FIELD_OF(TYPE, PART, table_h), .type = PE_TENSOR, .table = true, .required = true,     \
     .summary = "learned vectors of vertical distances, a row a distance"},                    \
        {PE_FIELD_OF(TYPE, PART, table_w), .type = PE_TENSOR, .table = true, .required = true, \
         .summary = "learned vectors of horizontal distances, a row a distance"},              \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, queries),                                                      \
            .type = PE_TENSOR, .table = true, .required = true,                                \
            .summary = "query vectors: heads, q, head_dim; or q, head_dim of one head"         \
    }

enum { AXIAL_INDEX_H, AXIAL_INDEX_W, AXIAL_BIAS };

/* PICTURE: a query for the rows of the tables, ONE_OF: that of the outputs, or NULL; after them
 * the parameters that decide the rows. */
#define AXIAL_OUTPUT_ROWS(PICTURE, ONE_OF, ...)                                                \
    [AXIAL_INDEX_H] = {PE_OUTPUT("index_h", PE_I64, "q", "k"),                                 \
                       .label = "Rows of table_h",                                             \
                       .picture = PICTURE,                                                     \
                       .one_of = ONE_OF,                                                       \
                       .sign = PE_NOT_NEGATIVE,                                                \
                       .summary = "row of table_h for the grid row of a query and of a key",   \
                       .by_default = true,                                                     \
                       .uses = PE_WORDS(__VA_ARGS__),                                          \
                       .bound = "exact"},                                                      \
    [AXIAL_INDEX_W] = {PE_OUTPUT("index_w", PE_I64, "q", "k"),                                 \
                       .label = "Rows of table_w",                                             \
                       .picture = PICTURE,                                                     \
                       .one_of = ONE_OF,                                                       \
                       .sign = PE_NOT_NEGATIVE,                                                \
                       .summary =                                                              \
                           "row of table_w for the grid column of a query and of a key",       \
                       .by_default = true,                                                     \
                       .uses = PE_WORDS(__VA_ARGS__),                                          \
                       .bound = "exact"},                                                      \
    [AXIAL_BIAS] = {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"), .label = "Bias",             \
                    .one_of = ONE_OF, .summary = "bias that is added to the scaled scores",    \
                    .bound = "0.501 ULP; f64 1 ULP; of sums above 2^-40 of their terms"}

/* Tables and queries of pictures, for a grid of 4x4. */
#define AXIAL_PICTURE                                                                          \
    "table_h=-3;-1;1;4;1;-1;-3&table_w=-2;-1;0;2;0;-1;-2"                                      \
    "&queries=1;0.8;0.6;0.4;1;0.8;0.6;0.4;-1;-0.8;-0.6;-0.4;-1;-0.8;-0.6;-0.4"

/* The .detail of an encoding whose values begin with a struct axial, which its resolve hook
 * completes; the hooks below read it. */
struct axial_kind {
    axial_row *row;
    const char *sign; /* the fact of this name: what rows are numbers of */
};

void axial_check(const struct pe_args *args, const void *values, struct pe_errors *errors);
size_t axial_shape(const struct pe_args *args, const void *values, size_t output,
                   uint64_t dims[PE_MAX_RANK]);
struct pe_interval axial_range(const struct pe_args *args, const void *values, size_t output);
void axial_prepare(struct pe_build *build, const void *values);
