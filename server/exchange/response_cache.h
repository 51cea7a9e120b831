/* SPDX-License-Identifier: Apache-2.0
 * response_cache.h - the first-level cache, one a loop: raw request target (where format= is
 * absent, raw Accept too; of kinds that are compressed, whether that is wanted) -> ready-made
 * responses over a canonical entry's bytes, or a 304 alone where only that was wanted so far. A
 * hit parses nothing and builds nothing. Only for GET and HEAD without a body; on the loop's
 * thread only. */
#ifndef SERVER_RESPONSE_CACHE_H
#define SERVER_RESPONSE_CACHE_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>

#include "server/cache/cache.h"
#include "server/exchange/response.h"

enum {
    RESPONSE_CACHE_MAX = 4096, /* ready-made responses a loop */
    RESPONSE_CACHE_KEY_MAX =
        2048, /* bytes of target and Accept: longer ones take the slow road */
};

struct response_cache;

/* How something was asked for. accept may be NULL. */
struct response_cache_key {
    const char *target, *accept;
    size_t target_len;
    bool packed; /* compressed, if it is of a kind that is */
};

/* What is known about a way of asking. Borrowed, until the next call of hot_*. */
struct response_cache_answer {
    struct cache_entry *entry; /* NULL: nobody has computed it, or it is too long to keep */
    uint64_t len;              /* of the 200 */
    struct response_meta terms;
    struct MHD_Response *ok;        /* 200; NULL without an entry */
    struct MHD_Response *unchanged; /* 304 */
};

struct response_cache *response_cache_new(struct cache *cache); /* NULL: out of memory */
void response_cache_free(struct response_cache *hot);
/* NULL when unknown, or stale: evicted, or of an older generation. */
const struct response_cache_answer *response_cache_find(struct response_cache *hot,
                                                        const struct response_cache_key *key,
                                                        unsigned generation);
/* Remembers it, in place of what was known of this key: takes a reference of its own, copies
 * the strings. NULL: it did not, for want of memory or because the key is too long. */
const struct response_cache_answer *response_cache_add(
    struct response_cache *hot, const struct response_cache_key *key, unsigned generation,
    const struct response_cache_answer *answer);
/* Drops what is stale. */
void response_cache_sweep(struct response_cache *hot, unsigned generation);
size_t response_cache_count(const struct response_cache *hot);

#endif
