/* SPDX-License-Identifier: Apache-2.0
 * long_share.c - a queue of entries of all shards, with a budget of its own; see
 * long_share.h. */
#include "server/cache/long_share.h"

#include <assert.h>

#include "server/cache/shard.h"

enum { REMEMBERED = 1024 }; /* long answers that were asked for once */

bool long_share_init(struct long_share *share, uint64_t max_bytes, uint64_t all_bytes,
                     struct shard *shards, size_t shard_count)
{
    share->max_bytes = max_bytes;
    share->all_bytes = all_bytes;
    share->shards = shards;
    share->shard_count = shard_count;
    if (!s3fifo_init(&share->fifo, max_bytes, REMEMBERED))
        return false;
    pthread_mutex_init(&share->lock, NULL);
    return true;
}

void long_share_fini(struct long_share *share)
{
    assert(atomic_load(&share->bytes) == 0);
    s3fifo_fini(&share->fifo);
    pthread_mutex_destroy(&share->lock);
}

bool long_share_asked(struct long_share *share, uint64_t hash)
{
    bool asked;

    pthread_mutex_lock(&share->lock);
    asked = s3fifo_remembers(&share->fifo, hash);
    if (!asked)
        s3fifo_remember(&share->fifo, hash);
    pthread_mutex_unlock(&share->lock);
    return asked;
}

/* ---- under the lock: evicted entries are linked by .chain ------------------------------ */

/* Evicts long entries until they have at most `bytes`. */
static struct cache_entry *evict(struct long_share *share, uint64_t bytes)
{
    struct cache_entry *evicted = NULL;

    while (s3fifo_bytes(&share->fifo) > bytes) {
        struct s3fifo_node *node = s3fifo_victim(&share->fifo);
        struct shard *shard = ((struct cache_entry *)(void *)node)->shard;

        pthread_mutex_lock(&shard->lock);
        evicted = shard_evict(shard, node, evicted);
        pthread_mutex_unlock(&shard->lock);
    }
    return evicted;
}

/* Gives the shards what long entries leave, when `bytes` more of these have come. */
static struct cache_entry *divide(struct long_share *share, uint64_t bytes,
                                  struct cache_entry *evicted)
{
    uint64_t rest = share->all_bytes - s3fifo_bytes(&share->fifo) - bytes;

    for (size_t i = 0; i < share->shard_count; i++) {
        struct shard *shard = &share->shards[i];

        pthread_mutex_lock(&shard->lock);
        evicted = shard_resize(shard, rest / share->shard_count, evicted);
        pthread_mutex_unlock(&shard->lock);
    }
    return evicted;
}

/* ---- any thread ------------------------------------------------------------------------ */

void long_share_keep(struct long_share *share, struct cache_entry *entry)
{
    uint64_t bytes = entry->node.bytes;
    struct cache_entry *evicted;

    assert(bytes <= share->max_bytes);
    pthread_mutex_lock(&share->lock);
    evicted = evict(share, share->max_bytes - bytes);
    evicted = divide(share, bytes, evicted);
    entry->charged = &share->bytes;
    atomic_fetch_add(&share->bytes, bytes);
    s3fifo_add(&share->fifo, &entry->node);
    pthread_mutex_unlock(&share->lock);
    shard_chain_drop(evicted);
}

uint64_t long_share_shrink(struct long_share *share, uint64_t parts)
{
    struct cache_entry *evicted;
    uint64_t kept, freed;

    pthread_mutex_lock(&share->lock);
    kept = s3fifo_bytes(&share->fifo);
    evicted = evict(share, kept - kept / parts);
    freed = kept - s3fifo_bytes(&share->fifo);
    evicted = divide(share, 0, evicted);
    pthread_mutex_unlock(&share->lock);
    shard_chain_drop(evicted);
    return freed;
}
