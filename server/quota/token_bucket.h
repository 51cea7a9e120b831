/* SPDX-License-Identifier: Apache-2.0
 * token_bucket.h - a rate with a burst: a bucket holds tokens, is filled at a rate and never
 * beyond its capacity (ITU-T I.371). What a request costs may be taken after it was admitted:
 * the bucket then owes tokens, and admits nothing until it has some. Not thread-safe. */
#pragma once

#include <stdint.h>

struct token_bucket { /* zeros: it was never filled, and is full at first */
    double tokens;    /* below 0: it owes */
    uint64_t filled_ns;
};

/* Fills the bucket with the tokens of the time since it was filled last. */
void token_bucket_fill(struct token_bucket *bucket, double a_second, double capacity,
                       uint64_t now_ns);
/* Returns the seconds until the bucket has so many tokens, 0 if it has them. */
double token_bucket_wait(const struct token_bucket *bucket, double tokens, double a_second);
