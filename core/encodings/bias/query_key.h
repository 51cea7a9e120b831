/* SPDX-License-Identifier: Apache-2.0
 * query_key.h - positions of queries and keys, and matrices whose elements a rule computes from
 * them, for biases, masks and remapped distances. */
#pragma once

#include "core/encoding.h"
#include "core/math/relative/lookup.h"
#include "core/math/relative/toeplitz.h"

/* Positions of queries and keys; len gives both at once. */
struct query_key {
    int64_t len;
    const struct pe_positions *q, *k;
};

/* Rows of parameters for a struct TYPE with a member `struct query_key PART`. */
#define QUERY_KEY_ROWS(TYPE, PART)                                                             \
    {PE_FIELD_OF(TYPE, PART, len),                                                             \
     .type = PE_INT,                                                                           \
     .optional = true,                                                                         \
     .expanded = true,                                                                         \
     .min = 0,                                                                                 \
     .max = 0x1p53,                                                                            \
     .summary = "number of queries and of keys: q and k are both 0:len"},                      \
        {PE_FIELD_OF(TYPE, PART, q), .type = PE_POSITIONS, .optional = true,                   \
         .unit = "positions",                                                                  \
         .summary = "positions of the queries, as 0:128, or 127:128 when decoding"},           \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, k), .type = PE_POSITIONS, .optional = true,                    \
                                    .unit = "positions",                                       \
                                    .summary = "positions of the keys, as 0:128"               \
    }

/* The .one_of of outputs that need queries and keys. */
#define QUERY_KEY_ONE_OF "len|q&len|k"

/* An encoding's resolve calls this. It replaces len by q and k, and fails if a list of
 * positions is needed and absent. at: offset of the struct query_key. */
void query_key_resolve(struct pe_args *args, size_t at, bool needs_q, bool needs_k,
                       struct pe_errors *errors);
/* Sets dims[0] and dims[1] to the counts of queries and keys. Returns 2, for shape. */
size_t query_key_shape(const struct query_key *pairs, uint64_t dims[]);
/* Returns the count of differences of queries and keys at steps of 1. */
uint64_t query_key_differences(const struct query_key *pairs);
/* Fails unless q and k are one slice of step 1 each, which an output by difference needs. */
void query_key_check_slices(const struct query_key *pairs, struct pe_errors *errors);
/* Fails unless q and k are numbers of patches of the grid. */
void query_key_check_patches(const struct query_key *pairs, const struct pe_grid *grid,
                             struct pe_errors *errors);
/* Writes the smallest and the largest difference of a query and a key. */
void query_key_range(const struct query_key *pairs, double *low, double *high);

/* Returns the value of a rule at two positions, or at their difference, query - key. */
typedef double query_key_value(const void *rule, double query, double key);
typedef double query_key_difference(const void *rule, double difference);

/* A rule and the pairs it is evaluated for; both live as long as the plan. */
struct query_key_rows {
    const struct query_key *pairs;
    query_key_value *value;           /* value at two positions, or NULL */
    query_key_difference *difference; /* value at their difference, or NULL */
    const void *rule;
    double ns;          /* cost of a value, where it is more than a product */
    const double *keys; /* set by query_key_rows_new: all keys, where they are scattered */
};

/* Returns the values of the rule as a matrix of one head, or NULL when out of memory. */
struct toeplitz *query_key_toeplitz(struct pe_build *build, const struct query_key_rows *rows);
/* Returns a matrix of size and cost without values, for plan_ns, which has no rule yet. */
struct toeplitz query_key_outline(const struct query_key_rows *rows);
/* Fills an output (q, k) with the values of the rule. */
void query_key_fill_rows(struct pe_build *build, size_t group,
                         const struct query_key_rows *rows);
void query_key_fill_matrix(struct pe_build *build, size_t group, query_key_value *value,
                           const void *rule, const struct query_key *pairs);
void query_key_fill_difference(struct pe_build *build, size_t group,
                               query_key_difference *value, const void *rule,
                               const struct query_key *pairs);
/* Returns a copy that lives as long as the plan, or NULL when out of memory. */
struct query_key_rows *query_key_rows_new(struct pe_build *build,
                                          const struct query_key_rows *rows);
/* Returns a lookup that takes the values of the rule as numbers of rows of a table. */
struct lookup query_key_lookup(const struct query_key_rows *rows);
