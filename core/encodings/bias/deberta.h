/* SPDX-License-Identifier: Apache-2.0
 * deberta.h - arguments of disentangled attention, and its terms. */
#ifndef PE_ENCODINGS_DEBERTA_H
#define PE_ENCODINGS_DEBERTA_H

#include "core/encodings/bias/query_key.h"

enum { DEBERTA_BUCKETS, DEBERTA_C2P, DEBERTA_P2C, DEBERTA_BIAS };
enum { DEBERTA_TERMS_BOTH, DEBERTA_TERMS_C2P, DEBERTA_TERMS_P2C };

struct deberta {
    struct query_key pairs;
    int64_t position_buckets, max_relative_positions;
    bool clamp_distance;
    int terms;
    struct pe_tensor queries, keys, key_table, query_table; /* inputs, in this order */
};

/* The bucket of a difference, query - key. */
double deberta_bucket(const struct deberta *deberta, double difference);
double deberta_bucket_ns(const struct deberta *deberta);

/* What c2p, p2c and bias need: the shapes of their tensors. */
enum pe_status deberta_terms_check(const struct pe_args *args, const struct deberta *deberta,
                                   struct pe_errors *errors);
/* (heads, q, k) */
size_t deberta_terms_shape(const struct deberta *deberta, size_t output, uint64_t dims[]);
/* Fills those that are wanted. False when out of memory. */
bool deberta_terms_fill(struct pe_build *build, const struct deberta *deberta);

#endif
