/* SPDX-License-Identifier: Apache-2.0
 * long_share.h - the share of the cache's bytes that long answers may have. They are kept when
 * they are asked for a second time, and evict each other, so that a scan of long answers leaves
 * the short ones where they are. Their entries are found in the tables of the shards. Used by
 * this folder only. A lock of a shard may be taken under this lock, not the other way round. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/cache/s3fifo.h"

struct cache_entry;
struct shard;

struct long_share {
    pthread_mutex_t lock;
    struct s3fifo fifo; /* also remembers the answers that were asked for once */
    uint64_t max_bytes; /* of the share */
    uint64_t all_bytes; /* of the cache; the shards have what the share leaves of them */
    struct shard *shards;
    size_t shard_count;
    _Atomic uint64_t bytes; /* of the kept entries: never more than max_bytes */
};

/* False: out of memory. */
bool long_share_init(struct long_share *share, uint64_t max_bytes, uint64_t all_bytes,
                     struct shard *shards, size_t shard_count);
void long_share_fini(struct long_share *share); /* after all shards */

/* True: an answer with this hash was asked for before, not long ago. Else it is remembered. */
bool long_share_asked(struct long_share *share, uint64_t hash);
/* Keeps a finished entry that is listed in its shard and counts nowhere. Evicts long entries
 * beyond the share, and short ones beyond what it leaves. */
void long_share_keep(struct long_share *share, struct cache_entry *entry);
/* Evicts one part in `parts` of the kept bytes, and returns the evicted bytes. */
uint64_t long_share_shrink(struct long_share *share, uint64_t parts);
