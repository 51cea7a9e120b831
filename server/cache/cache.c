/* SPDX-License-Identifier: Apache-2.0
 * cache.c - distributes keys over shards and coalesces requests. An entry is listed from its
 * first request on; waiters are linked to it until it is done; then it never changes and needs
 * no lock. */
#include "server/cache/cache.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "server/cache/cache_state.h"

enum {
    SHARD_BYTES = 16 << 20, /* least budget of each shard, where there are several */
    ENTRY_PART = 16,        /* an entry has at most this part of the cache's budget */
    LONG_PART = 4,          /* long answers have at most this part of it, all together */
    LONG_MARGIN = 64,       /* this part of theirs is for what an entry has besides bytes */
};

/* ---- making and freeing -------------------------------------------------------------- */

static void shards_fini(struct cache *cache)
{
    while (cache->shard_count > 0)
        shard_fini(&cache->shards[--cache->shard_count]);
}

struct cache *cache_new(size_t max_bytes)
{
    struct cache *cache = calloc(1, sizeof *cache);
    size_t shards = 1;

    if (!cache)
        return NULL;
    while (shards < SHARDS_MAX && max_bytes / (shards * 2) >= SHARD_BYTES)
        shards *= 2;
    cache->entry_max = max_bytes / ENTRY_PART;
    cache->hash_mask = UINT64_MAX;
    atomic_init(&cache->admit, true);
    cache->hash_key = siphash_key_draw();
    for (; cache->shard_count < shards; cache->shard_count++)
        if (!shard_init(&cache->shards[cache->shard_count], max_bytes / shards, &cache->lent))
            goto fail;
    if (!long_share_init(&cache->long_share, max_bytes / LONG_PART, max_bytes, cache->shards,
                         shards))
        goto fail;
    return cache;
fail:
    shards_fini(cache);
    free(cache);
    return NULL;
}

void cache_free(struct cache *cache)
{
    if (!cache)
        return;
    shards_fini(cache);
    long_share_fini(&cache->long_share);
    free(cache);
}

void cache_mask_hash(struct cache *cache, uint64_t mask)
{
    cache->hash_mask = mask;
}

void cache_admit(struct cache *cache, bool admit)
{
    if (atomic_load_explicit(&cache->admit, memory_order_relaxed) != admit)
        atomic_store_explicit(&cache->admit, admit, memory_order_relaxed);
}

uint64_t cache_shrink(struct cache *cache, uint64_t parts)
{
    uint64_t freed = long_share_shrink(&cache->long_share, parts);

    for (size_t i = 0; i < cache->shard_count; i++) {
        struct shard *shard = &cache->shards[i];
        struct cache_entry *evicted;
        uint64_t listed;

        pthread_mutex_lock(&shard->lock);
        listed = s3fifo_bytes(&shard->fifo);
        evicted = shard_shrink(shard, listed - listed / parts);
        freed += listed - s3fifo_bytes(&shard->fifo);
        pthread_mutex_unlock(&shard->lock);
        shard_chain_drop(evicted);
    }
    return freed;
}

/* ---- looking up, under the shard's lock ---------------------------------------------- */

struct cache_key cache_key(const struct cache *cache, const char *bytes, size_t len)
{
    return (struct cache_key){bytes, len,
                              siphash(&cache->hash_key, bytes, len) & cache->hash_mask};
}

/* The upper bits choose the shard, the lower ones the bucket. */
static struct shard *shard_of(struct cache *cache, uint64_t hash)
{
    return &cache->shards[(hash >> 48) & (cache->shard_count - 1)];
}

struct cache_entry *cache_find(struct cache *cache, struct cache_key key)
{
    struct shard *shard = shard_of(cache, key.hash);
    struct cache_entry *entry;

    pthread_mutex_lock(&shard->lock);
    entry = shard_find(shard, key.hash, key.bytes, key.len);
    if (entry && atomic_load_explicit(&entry->state, memory_order_relaxed) == ENTRY_READY) {
        atomic_fetch_add(&entry->refs, 1);
        s3fifo_touch(&entry->node);
    } else {
        entry = NULL;
    }
    pthread_mutex_unlock(&shard->lock);
    return entry;
}

bool cache_wants_long(struct cache *cache, struct cache_key key, uint64_t len)
{
    uint64_t max = cache->long_share.max_bytes;
    struct shard *shard = shard_of(cache, key.hash);
    bool listed;

    if (len > max - max / LONG_MARGIN ||
        !atomic_load_explicit(&cache->admit, memory_order_relaxed))
        return false;
    pthread_mutex_lock(&shard->lock);
    listed = shard_find(shard, key.hash, key.bytes, key.len) != NULL;
    pthread_mutex_unlock(&shard->lock);
    return listed || long_share_asked(&cache->long_share, key.hash);
}

enum cache_result cache_get(struct cache *cache, struct cache_entry **entry,
                            struct cache_key key, struct cache_waiter *waiter)
{
    struct shard *shard = shard_of(cache, key.hash);
    enum cache_result result = CACHE_MAKE;
    struct cache_entry *found;

    pthread_mutex_lock(&shard->lock);
    found = shard_find(shard, key.hash, key.bytes, key.len);
    if (found && atomic_load_explicit(&found->state, memory_order_relaxed) == ENTRY_READY) {
        atomic_fetch_add(&found->refs, 1);
        s3fifo_touch(&found->node);
        result = CACHE_READY;
    } else if (found && waiter) {
        atomic_fetch_add(&found->refs, 1);
        waiter->next = found->waiters;
        waiter->queued = true;
        found->waiters = waiter;
        result = CACHE_WAIT;
    } else {
        bool private = found != NULL;

        found = shard_entry_new(shard, key.hash, key.bytes, key.len);
        if (!found)
            result = CACHE_NO_MEMORY;
        else if (!private)
            shard_list(shard, found);
    }
    pthread_mutex_unlock(&shard->lock);
    if (found)
        *entry = found;
    return result;
}

/* ---- finishing ----------------------------------------------------------------------- */

static void wake_all(struct cache_waiter *waiters)
{
    while (waiters) {
        struct cache_waiter *next = waiters->next; /* the waiter may be freed by wake */

        waiters->wake(waiters);
        waiters = next;
    }
}

static struct cache_waiter *detach(struct cache_entry *entry)
{
    struct cache_waiter *waiters = entry->waiters;

    for (struct cache_waiter *waiter = waiters; waiter; waiter = waiter->next)
        waiter->queued = false;
    entry->waiters = NULL;
    return waiters;
}

void cache_finish(struct cache *cache, struct cache_entry *entry, struct cache_answer *answer)
{
    bool is_long = answer->len > CACHE_SHORT_MAX;
    struct shard *shard = entry->shard;
    size_t headers = answer->headers ? strlen(answer->headers) + 1 : 0;
    size_t body = answer->file ? body_file_memory(answer->len) : answer->len;
    size_t bytes = sizeof *entry + entry->key_len + body + headers;
    bool keep = bytes <= (is_long ? cache->long_share.max_bytes : cache->entry_max) &&
                atomic_load_explicit(&cache->admit, memory_order_relaxed);
    struct cache_entry *evicted = NULL;
    struct cache_waiter *waiters;

    assert(atomic_load(&entry->state) == ENTRY_MAKING && answer->bytes);
    pthread_mutex_lock(&shard->lock);
    entry->answer = *answer;
    entry->node.bytes = bytes;
    entry->node.cheap = answer->cheap;
    atomic_store_explicit(&entry->state, ENTRY_READY, memory_order_release);
    waiters = detach(entry);
    keep = keep && entry->listed;
    if (keep && !is_long)
        evicted = shard_keep(shard, entry, bytes);
    else if (!keep)
        shard_lend(shard, entry);
    if (entry->listed && !keep) {
        shard_unlist(shard, entry);
        evicted = entry;
    }
    pthread_mutex_unlock(&shard->lock);
    *answer = (struct cache_answer){0};
    if (keep && is_long)
        long_share_keep(&cache->long_share, entry);
    wake_all(waiters);
    shard_chain_drop(evicted);
}

void cache_fail(struct cache_entry *entry, int problem)
{
    struct shard *shard = entry->shard;
    struct cache_waiter *waiters;
    bool listed;

    assert(atomic_load(&entry->state) == ENTRY_MAKING);
    pthread_mutex_lock(&shard->lock);
    entry->problem = problem;
    atomic_store_explicit(&entry->state, ENTRY_FAILED, memory_order_release);
    waiters = detach(entry);
    listed = entry->listed;
    if (listed)
        shard_unlist(shard, entry);
    pthread_mutex_unlock(&shard->lock);
    wake_all(waiters);
    if (listed)
        shard_entry_drop(entry);
}

/* Called under the lock. Stops an unfinished entry that no client waits for, and takes it out
 * of the table. Returns true if the table's reference passes to the caller. */
static bool stop_unwanted(struct cache_entry *entry)
{
    bool listed = entry->listed;

    if (!entry->abandoned || entry->waiters ||
        atomic_load_explicit(&entry->state, memory_order_relaxed) != ENTRY_MAKING)
        return false;
    pe_stop_set(&entry->stop);
    if (listed)
        shard_unlist(entry->shard, entry);
    return listed;
}

bool cache_abandon(struct cache_entry *entry)
{
    struct shard *shard = entry->shard;
    bool drop;

    pthread_mutex_lock(&shard->lock);
    entry->abandoned = true;
    drop = stop_unwanted(entry);
    pthread_mutex_unlock(&shard->lock);
    if (drop)
        shard_entry_drop(entry);
    return pe_stop_is_set(&entry->stop);
}

const struct pe_stop *cache_entry_stop(const struct cache_entry *entry)
{
    return &entry->stop;
}

bool cache_cancel(struct cache_entry *entry, struct cache_waiter *waiter)
{
    struct shard *shard = entry->shard;
    struct cache_waiter **at;
    bool queued, drop;

    pthread_mutex_lock(&shard->lock);
    queued = waiter->queued;
    for (at = &entry->waiters; queued && *at != waiter;)
        at = &(*at)->next;
    if (queued)
        *at = waiter->next;
    waiter->queued = false;
    drop = stop_unwanted(entry);
    pthread_mutex_unlock(&shard->lock);
    if (drop)
        shard_entry_drop(entry);
    return queued;
}

/* ---- entries ------------------------------------------------------------------------- */

const struct cache_answer *cache_entry_answer(const struct cache_entry *entry)
{
    return atomic_load_explicit(&entry->state, memory_order_acquire) == ENTRY_READY
               ? &entry->answer
               : NULL;
}

bool cache_entry_done(const struct cache_entry *entry)
{
    return atomic_load_explicit(&entry->state, memory_order_acquire) != ENTRY_MAKING;
}

int cache_entry_problem(const struct cache_entry *entry)
{
    return entry->problem;
}

bool cache_entry_evicted(const struct cache_entry *entry)
{
    return atomic_load_explicit(&entry->evicted, memory_order_acquire);
}

void cache_entry_touch(struct cache_entry *entry)
{
    s3fifo_touch(&entry->node);
}

struct cache_entry *cache_entry_ref(struct cache_entry *entry)
{
    atomic_fetch_add(&entry->refs, 1);
    return entry;
}

void cache_entry_unref(struct cache_entry *entry)
{
    shard_entry_drop(entry);
}

void cache_entry_drop(void *entry)
{
    shard_entry_drop(entry);
}

struct cache_stats cache_stats(struct cache *cache)
{
    struct cache_stats stats = {0};

    pthread_mutex_lock(&cache->long_share.lock); /* bytes move between it and the shards */
    for (size_t i = 0; i < cache->shard_count; i++) {
        struct shard *shard = &cache->shards[i];

        pthread_mutex_lock(&shard->lock);
        stats.bytes += atomic_load(&shard->bytes);
        stats.entries += shard->entries;
        stats.evictions += shard->evictions;
        pthread_mutex_unlock(&shard->lock);
    }
    stats.bytes += cache->long_share.bytes;
    pthread_mutex_unlock(&cache->long_share.lock);
    stats.lent = cache_lent(cache);
    return stats;
}

uint64_t cache_lent(const struct cache *cache)
{
    return atomic_load_explicit(&cache->lent, memory_order_relaxed);
}

size_t cache_entry_lent(const struct cache_entry *entry)
{
    if (!atomic_load_explicit(&entry->lent, memory_order_relaxed))
        return 0;
    return entry->node.bytes / atomic_load_explicit(&entry->refs, memory_order_relaxed);
}
