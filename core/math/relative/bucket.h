/* SPDX-License-Identifier: Apache-2.0
 * bucket.h - assigns distances to buckets that grow geometrically, in exact integers, also
 * where a distance is the first of its bucket and floating point cannot tell. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { BUCKET_COUNT_MAX = 4096 };

/* steps * ln(n/first) / ln(last/first), such that its floor and its ceiling are right: a whole
 * number exactly where it is one. 1 <= first < last, n >= first, all at most 2^53. */
double bucket_steps(int64_t n, int64_t first, int64_t last, int64_t steps);

/* T5's buckets of one direction: n below count/2 is its own bucket, beyond that
 *     min(first + floor(bucket_steps(n, first, max_distance, count - first)), count - 1),
 * first = count/2. */
struct bucket {
    int64_t count, first; /* first: count/2 */
    double *starts;       /* [count - first]: smallest n of bucket first + i */
};

/* Fills starts, which has space for count - count/2 numbers. 2 <= count <= BUCKET_COUNT_MAX,
 * max_distance above count/2. */
void bucket_init(struct bucket *bucket, double *starts, int64_t count, int64_t max_distance);
/* The bucket of a distance n >= 0. */
double bucket_of(const struct bucket *bucket, double n);
