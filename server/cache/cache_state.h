/* SPDX-License-Identifier: Apache-2.0
 * cache_state.h - the cache as cache.c and cache_file.c share it. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "server/cache/body_file.h"
#include "server/cache/long_share.h"
#include "server/cache/shard.h"
#include "server/sys/siphash.h"

enum { SHARDS_MAX = 16 };

struct cache {
    struct shard shards[SHARDS_MAX];
    struct long_share long_share;
    size_t shard_count, entry_max;
    struct siphash_key hash_key;
    uint64_t hash_mask;
    atomic_bool admit;
    struct body_file_budget files;
    _Atomic uint64_t lent; /* bytes of entries that are not kept, but still held */
};
