/* SPDX-License-Identifier: Apache-2.0
 * token_bucket.c - see token_bucket.h. */
#include "server/quota/token_bucket.h"

void token_bucket_fill(struct token_bucket *bucket, double a_second, double capacity,
                       uint64_t now_ns)
{
    if (bucket->filled_ns == 0)
        bucket->tokens = capacity;
    else if (now_ns > bucket->filled_ns)
        bucket->tokens += (double)(now_ns - bucket->filled_ns) / 1e9 * a_second;
    if (bucket->tokens > capacity)
        bucket->tokens = capacity;
    if (now_ns > bucket->filled_ns)
        bucket->filled_ns = now_ns;
}

double token_bucket_wait(const struct token_bucket *bucket, double tokens, double a_second)
{
    return bucket->tokens >= tokens ? 0 : (tokens - bucket->tokens) / a_second;
}
