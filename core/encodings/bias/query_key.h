/* SPDX-License-Identifier: Apache-2.0
 * query_key.h - queries and keys, and matrices whose elements a rule makes of their positions:
 * what biases, masks and remapped distances share. */
#ifndef PE_ENCODINGS_QUERY_KEY_H
#define PE_ENCODINGS_QUERY_KEY_H

#include "core/encoding.h"
#include "core/math/relative/lookup.h"
#include "core/math/relative/toeplitz.h"

/* Queries and keys; len stands for both. */
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
     .summary = "q and k both 0:len"},                                                         \
        {PE_FIELD_OF(TYPE, PART, q), .type = PE_POSITIONS, .optional = true,                   \
         .unit = "positions", .summary = "positions of the queries, 127:128 when decoding"},   \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, k), .type = PE_POSITIONS, .optional = true,                    \
                                    .unit = "positions",                                       \
                                    .summary = "positions of the keys, 0:128"                  \
    }

/* For resolve: len becomes q and k; what is needed is there. at: offset of the pairs. */
void query_key_resolve(struct pe_args *args, size_t at, bool needs_q, bool needs_k,
                       struct pe_errors *errors);
/* dims[0] and dims[1]: how many queries and keys. Returns 2, for shape. */
size_t query_key_shape(const struct query_key *pairs, uint64_t dims[]);
/* How many differences queries and keys of step 1 have. */
uint64_t query_key_differences(const struct query_key *pairs);
/* For check of an output by difference: q and k are one slice of step 1 each. */
void query_key_check_slices(const struct query_key *pairs, struct pe_errors *errors);
/* Smallest and largest difference of a query and a key. */
void query_key_range(const struct query_key *pairs, double *low, double *high);

/* What a rule makes of two positions, or of their difference, query - key. */
typedef double query_key_value(const void *rule, double query, double key);
typedef double query_key_difference(const void *rule, double difference);

/* A rule, for the pairs it is asked about; all live as long as the plan. */
struct query_key_rows {
    const struct query_key *pairs;
    query_key_value *value;           /* of two positions, or */
    query_key_difference *difference; /* of their difference */
    const void *rule;
    double ns; /* of a value, where that is more than a product */
};

/* What the rule makes of the pairs, as a matrix of one head. NULL: out of memory. */
struct toeplitz *query_key_toeplitz(struct pe_build *build, const struct query_key_rows *rows);
/* The same for a plan_ns, where there is no rule yet: how large it is and how dear. */
struct toeplitz query_key_outline(const struct query_key_rows *rows);
/* Fill an output (q, k) with it. False when out of memory. */
bool query_key_fill_rows(struct pe_build *build, size_t group,
                         const struct query_key_rows *rows);
bool query_key_fill_matrix(struct pe_build *build, size_t group, query_key_value *value,
                           const void *rule, const struct query_key *pairs);
bool query_key_fill_difference(struct pe_build *build, size_t group,
                               query_key_difference *value, const void *rule,
                               const struct query_key *pairs);
/* The values as numbers of a table's rows. */
struct lookup query_key_lookup(const struct query_key_rows *rows);

#endif
