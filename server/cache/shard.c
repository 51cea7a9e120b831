/* SPDX-License-Identifier: Apache-2.0
 * shard.c - finds entries by key; s3fifo.c chooses the entries to evict. See shard.h. */
#include "server/cache/shard.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "server/cache/body_file.h"

enum {
    BYTES_PER_BUCKET = 2048, /* budget for one bucket: chains stay a few entries long */
    BUCKETS_MIN = 64,
};

bool shard_init(struct shard *shard, uint64_t max_bytes, _Atomic uint64_t *lent)
{
    size_t buckets = BUCKETS_MIN;

    while (buckets < max_bytes / BYTES_PER_BUCKET)
        buckets *= 2;
    shard->max_bytes = max_bytes;
    shard->lent = lent;
    shard->bucket_mask = buckets - 1;
    shard->buckets = calloc(buckets, sizeof(struct cache_entry *));
    if (!shard->buckets || !s3fifo_init(&shard->fifo, max_bytes, buckets)) {
        free(shard->buckets);
        return false;
    }
    pthread_mutex_init(&shard->lock, NULL);
    return true;
}

static void entry_free(struct cache_entry *entry)
{
    assert(!entry->waiters && !entry->listed);
    if (entry->charged)
        atomic_fetch_sub(entry->charged, entry->node.bytes);
    if (atomic_load_explicit(&entry->lent, memory_order_relaxed))
        atomic_fetch_sub(entry->shard->lent, entry->node.bytes);
    if (entry->answer.file)
        body_file_free(entry->answer.file);
    else
        free(entry->answer.bytes);
    free(entry->answer.headers);
    free(entry);
}

void shard_fini(struct shard *shard)
{
    for (size_t i = 0; i <= shard->bucket_mask; i++)
        while (shard->buckets[i]) {
            struct cache_entry *entry = shard->buckets[i];

            shard->buckets[i] = entry->chain;
            entry->listed = false;
            assert(atomic_load(&entry->refs) == 1);
            entry_free(entry);
        }
    assert(atomic_load(&shard->bytes) == 0);
    s3fifo_fini(&shard->fifo);
    free(shard->buckets);
    pthread_mutex_destroy(&shard->lock);
}

struct cache_entry *shard_find(const struct shard *shard, uint64_t hash, const char *key,
                               size_t key_len)
{
    struct cache_entry *entry = shard->buckets[hash & shard->bucket_mask];

    while (entry && (entry->node.hash != hash || entry->key_len != key_len ||
                     memcmp(entry->key, key, key_len) != 0))
        entry = entry->chain;
    return entry;
}

struct cache_entry *shard_entry_new(struct shard *shard, uint64_t hash, const char *key,
                                    size_t key_len)
{
    struct cache_entry *entry;
    size_t size;

    if (__builtin_add_overflow(sizeof *entry, key_len, &size))
        return NULL;
    entry = calloc(1, size);
    if (!entry)
        return NULL;
    entry->node.hash = hash;
    entry->shard = shard;
    entry->key_len = key_len;
    memcpy(entry->key, key, key_len);
    atomic_init(&entry->refs, 1);
    return entry;
}

void shard_list(struct shard *shard, struct cache_entry *entry)
{
    struct cache_entry **bucket = &shard->buckets[entry->node.hash & shard->bucket_mask];

    assert(!entry->listed);
    entry->chain = *bucket;
    *bucket = entry;
    entry->listed = true;
    atomic_fetch_add(&entry->refs, 1);
    shard->entries++;
}

void shard_unlist(struct shard *shard, struct cache_entry *entry)
{
    struct cache_entry **at = &shard->buckets[entry->node.hash & shard->bucket_mask];

    assert(entry->listed);
    while (*at != entry)
        at = &(*at)->chain;
    *at = entry->chain;
    entry->chain = NULL;
    entry->listed = false;
    shard->entries--;
    atomic_store_explicit(&entry->evicted, true, memory_order_release);
}

void shard_lend(struct shard *shard, struct cache_entry *entry)
{
    atomic_fetch_add(shard->lent, entry->node.bytes);
    atomic_store_explicit(&entry->lent, true, memory_order_relaxed);
}

/* Takes an entry, whose node is in no queue, out of the table and links it by .chain to those
 * evicted before (`evicted`). */
static struct cache_entry *evict_entry(struct shard *shard, struct cache_entry *entry,
                                       struct cache_entry *evicted)
{
    shard_unlist(shard, entry);
    atomic_fetch_sub(entry->charged, entry->node.bytes);
    entry->charged = NULL;
    if (atomic_load(&entry->refs) > 1) /* it is still held */
        shard_lend(shard, entry);
    entry->chain = evicted;
    return entry;
}

struct cache_entry *shard_evict(struct shard *shard, struct s3fifo_node *node,
                                struct cache_entry *evicted)
{
    shard->evictions++;
    return evict_entry(shard, (struct cache_entry *)(void *)node, evicted);
}

/* Evicts at least `bytes` and links the entries to those evicted before (`evicted`). */
static struct cache_entry *evict(struct shard *shard, uint64_t bytes,
                                 struct cache_entry *evicted)
{
    uint64_t freed = 0;

    while (freed < bytes) {
        struct s3fifo_node *node = s3fifo_victim(&shard->fifo);

        if (!node)
            break;
        freed += node->bytes;
        evicted = shard_evict(shard, node, evicted);
    }
    return evicted;
}

/* Evicts what is beyond the budget. */
static struct cache_entry *evict_excess(struct shard *shard, struct cache_entry *evicted)
{
    uint64_t bytes = atomic_load(&shard->bytes);

    return bytes > shard->max_bytes ? evict(shard, bytes - shard->max_bytes, evicted) : evicted;
}

struct cache_entry *shard_keep(struct shard *shard, struct cache_entry *entry, size_t bytes)
{
    struct cache_entry *evicted = NULL;
    struct s3fifo_node *node;

    entry->charged = &shard->bytes;
    atomic_fetch_add(&shard->bytes, bytes);
    s3fifo_add(&shard->fifo, &entry->node);
    while ((node = s3fifo_overdue(&shard->fifo)))
        evicted = shard_evict(shard, node, evicted);
    return evict_excess(shard, evicted);
}

struct cache_entry *shard_resize(struct shard *shard, uint64_t max_bytes,
                                 struct cache_entry *evicted)
{
    uint64_t bytes = atomic_load(&shard->bytes);

    shard->max_bytes = max_bytes;
    s3fifo_resize(&shard->fifo, max_bytes);
    return bytes > max_bytes ? evict(shard, bytes - max_bytes, evicted) : evicted;
}

struct cache_entry *shard_shrink(struct shard *shard, uint64_t bytes)
{
    uint64_t listed = s3fifo_bytes(&shard->fifo);
    struct cache_entry *evicted = NULL;

    if (listed > bytes) {
        s3fifo_resize(&shard->fifo, bytes);
        evicted = evict(shard, listed - bytes, NULL);
        s3fifo_resize(&shard->fifo, shard->max_bytes);
    }
    return evicted;
}

void shard_entry_drop(struct cache_entry *entry)
{
    if (entry && atomic_fetch_sub(&entry->refs, 1) == 1)
        entry_free(entry);
}

void shard_chain_drop(struct cache_entry *chain)
{
    while (chain) {
        struct cache_entry *next = chain->chain;

        chain->chain = NULL;
        shard_entry_drop(chain);
        chain = next;
    }
}
