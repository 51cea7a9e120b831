/* SPDX-License-Identifier: Apache-2.0
 * response_cache.h - the first-level cache, one a loop. A key is the raw request target, with
 * the raw Accept where format= is absent, and the coding where there is a gzip variant; a value
 * is ready-made responses over a canonical entry's bytes, or a 304 alone where no client wanted
 * more so far. A hit parses nothing and builds nothing. Only for GET and HEAD without a body;
 * used on the loop's thread only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "server/cache/cache.h"
#include "server/exchange/response.h"

enum {
    RESPONSE_CACHE_MAX = 4096,     /* ready-made responses a loop */
    RESPONSE_CACHE_KEY_MAX = 2048, /* bytes of target and Accept: longer ones are not kept */
};

struct response_cache;

/* The part of a request that chooses the response. accept may be NULL. */
struct response_cache_key {
    const char *target, *accept;
    size_t target_len;
    bool gzip; /* the gzip variant is wanted, if there is one */
};

/* The value of a key. Borrowed until the next call of response_cache_*. */
struct response_cache_answer {
    struct cache_entry *entry; /* NULL: not computed yet, or too long to keep */
    uint64_t len;              /* length of the 200 */
    struct response_meta meta;
    struct transport_response *ok;        /* 200; NULL without an entry */
    bool file;                            /* `ok` sends the file of the entry */
    struct transport_response *unchanged; /* 304 */
};

/* `shortcuts`: of the connections to which the responses are sent (transport.h). NULL: out of
 * memory. */
struct response_cache *response_cache_new(unsigned shortcuts);
void response_cache_free(struct response_cache *responses);
/* NULL: the key is unknown, or its value is stale: evicted, or of an older generation. */
const struct response_cache_answer *response_cache_find(struct response_cache *responses,
                                                        const struct response_cache_key *key,
                                                        unsigned generation);
/* Adds the answer, in place of an older one of this key: takes a reference of its own, copies
 * the strings. NULL: it was not added, for want of memory or because the key is too long. */
const struct response_cache_answer *response_cache_add(
    struct response_cache *responses, const struct response_cache_key *key, unsigned generation,
    const struct response_cache_answer *answer);
/* Drops stale answers. */
void response_cache_sweep(struct response_cache *responses, unsigned generation);
size_t response_cache_count(const struct response_cache *responses);
