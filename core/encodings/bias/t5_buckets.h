/* SPDX-License-Identifier: Apache-2.0
 * t5_buckets.h - T5's buckets of a relative position, for both directions. */
#pragma once

#include "core/encoding.h"
#include "core/math/relative/bucket.h"

struct t5_buckets {
    bool bidirectional;
    struct bucket side; /* buckets of one direction */
};

/* Adds a problem if the numbers do not fit each other. */
void t5_buckets_check(int64_t num_buckets, int64_t max_distance, bool bidirectional,
                      struct pe_errors *errors);
/* Returns NULL when out of memory. */
struct t5_buckets *t5_buckets_new(struct pe_build *build, int64_t num_buckets,
                                  int64_t max_distance, bool bidirectional);
/* Returns the bucket of a difference, query - key position. */
double t5_buckets_of(const void *buckets, double difference);
