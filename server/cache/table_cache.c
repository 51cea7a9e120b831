/* SPDX-License-Identifier: Apache-2.0
 * table_cache.c - keeps tables in one chained hash table, least recently used at the tail. The
 * lock is taken on misses of the cache only, and never held while a table is built. */
#include "server/cache/table_cache.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "server/sys/siphash.h"

enum { BUCKETS = 1024 };

struct slot {
    struct slot *chain;
    struct slot *newer, *older;
    struct pe_table *table; /* NULL while it is built, and when building failed */
    bool building;
    unsigned waiters; /* threads that wait for the builder */
    size_t bytes;     /* bytes of table, key and slot */
    uint64_t hash;
    size_t key_len;
    char key[];
};

struct table_cache {
    pthread_mutex_t lock;
    pthread_cond_t built;
    struct slot *buckets[BUCKETS];
    struct slot *newest, *oldest;
    uint64_t max_bytes, bytes, tables, builds;
    struct siphash_key hash_key;
};

struct table_cache *table_cache_new(size_t max_bytes)
{
    struct table_cache *cache = calloc(1, sizeof *cache);

    if (!cache)
        return NULL;
    cache->max_bytes = max_bytes;
    cache->hash_key = siphash_key_draw();
    pthread_mutex_init(&cache->lock, NULL);
    pthread_cond_init(&cache->built, NULL);
    return cache;
}

static void slot_free(struct slot *slot)
{
    pe_table_free(slot->table);
    free(slot);
}

void table_cache_free(struct table_cache *cache)
{
    if (!cache)
        return;
    while (cache->newest) {
        struct slot *slot = cache->newest;

        assert(!slot->building);
        cache->newest = slot->older;
        slot_free(slot);
    }
    pthread_cond_destroy(&cache->built);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

/* ---- under the lock ------------------------------------------------------------------ */

static struct slot **place_of(struct table_cache *cache, uint64_t hash, const char *key,
                              size_t len)
{
    struct slot **at = &cache->buckets[hash % BUCKETS];

    while (*at &&
           ((*at)->hash != hash || (*at)->key_len != len || memcmp((*at)->key, key, len) != 0))
        at = &(*at)->chain;
    return at;
}

static void unlink_age(struct table_cache *cache, struct slot *slot)
{
    *(slot->newer ? &slot->newer->older : &cache->newest) = slot->older;
    *(slot->older ? &slot->older->newer : &cache->oldest) = slot->newer;
    slot->newer = slot->older = NULL;
}

static void link_newest(struct table_cache *cache, struct slot *slot)
{
    slot->older = cache->newest;
    *(cache->newest ? &cache->newest->newer : &cache->oldest) = slot;
    cache->newest = slot;
}

static struct slot *add(struct table_cache *cache, struct slot **place, uint64_t hash,
                        const char *key, size_t len)
{
    struct slot *slot = calloc(1, sizeof *slot + len);

    if (!slot)
        return NULL;
    slot->building = true;
    slot->hash = hash;
    slot->key_len = len;
    memcpy(slot->key, key, len);
    *place = slot;
    link_newest(cache, slot);
    return slot;
}

static void drop(struct table_cache *cache, struct slot *slot)
{
    struct slot **place = place_of(cache, slot->hash, slot->key, slot->key_len);

    assert(*place == slot && !slot->building && slot->waiters == 0);
    *place = slot->chain;
    unlink_age(cache, slot);
    if (slot->table) {
        cache->bytes -= slot->bytes;
        cache->tables--;
    }
    slot_free(slot);
}

/* Evicts the oldest tables first, but none that is being built or waited for. */
static void evict(struct table_cache *cache, uint64_t max_bytes)
{
    struct slot *slot = cache->oldest;

    while (slot && cache->bytes > max_bytes) {
        struct slot *newer = slot->newer;

        if (!slot->building && slot->waiters == 0)
            drop(cache, slot);
        slot = newer;
    }
}

static void finish(struct table_cache *cache, struct slot *slot, struct pe_table *table)
{
    slot->building = false;
    slot->table = table;
    cache->builds++;
    if (table) {
        slot->bytes = pe_table_bytes(table) + sizeof *slot + slot->key_len;
        cache->bytes += slot->bytes;
        cache->tables++;
    }
    pthread_cond_broadcast(&cache->built);
}

/* Counts what a table has grown by. */
static void recount(struct table_cache *cache, const struct pe_args *args,
                    const struct pe_table *table)
{
    const char *key = pe_args_table_key(args);
    const size_t len = strlen(key);
    const uint64_t hash = siphash(&cache->hash_key, key, len);
    struct slot *slot;

    pthread_mutex_lock(&cache->lock);
    slot = *place_of(cache, hash, key, len);
    if (slot && slot->table == table) {
        cache->bytes -= slot->bytes;
        slot->bytes = pe_table_bytes(table) + sizeof *slot + slot->key_len;
        cache->bytes += slot->bytes;
        evict(cache, cache->max_bytes);
    }
    pthread_mutex_unlock(&cache->lock);
}

/* ---- asking -------------------------------------------------------------------------- */

bool table_cache_grow(struct table_cache *cache, struct pe_table *table, struct pe_args *args)
{
    const size_t before = pe_table_bytes(table);

    if (!pe_table_grow(table, args))
        return false;
    if (pe_table_bytes(table) != before)
        recount(cache, args, table);
    return true;
}

enum pe_status table_cache_get(struct table_cache *cache, struct pe_table **table,
                               struct pe_args *args)
{
    const char *key = pe_args_table_key(args);
    size_t len = key ? strlen(key) : 0;
    uint64_t hash = key ? siphash(&cache->hash_key, key, len) : 0;
    struct pe_table *found = NULL;
    struct slot **place, *slot;

    *table = NULL;
    if (!key)
        return PE_OK;
    pthread_mutex_lock(&cache->lock);
    place = place_of(cache, hash, key, len);
    slot = *place;
    if (slot) {
        slot->waiters++;
        while (slot->building)
            pthread_cond_wait(&cache->built, &cache->lock);
        slot->waiters--;
        unlink_age(cache, slot);
        link_newest(cache, slot);
    } else if ((slot = add(cache, place, hash, key, len))) {
        pthread_mutex_unlock(&cache->lock);
        found = pe_table_build(args);
        pthread_mutex_lock(&cache->lock);
        finish(cache, slot, found);
    }
    if (slot)
        found = slot->table ? pe_table_ref(slot->table) : NULL;
    if (slot && !slot->table && slot->waiters == 0)
        drop(cache, slot); /* the table could not be built; the next caller tries again */
    evict(cache, cache->max_bytes);
    pthread_mutex_unlock(&cache->lock);
    *table = found;
    return found ? PE_OK : PE_NO_MEMORY;
}

uint64_t table_cache_shrink(struct table_cache *cache, uint64_t parts)
{
    uint64_t before, freed;

    pthread_mutex_lock(&cache->lock);
    before = cache->bytes;
    evict(cache, before - before / parts);
    freed = before - cache->bytes;
    pthread_mutex_unlock(&cache->lock);
    return freed;
}

struct table_cache_stats table_cache_stats(struct table_cache *cache)
{
    struct table_cache_stats stats;

    pthread_mutex_lock(&cache->lock);
    stats = (struct table_cache_stats){.tables = cache->tables,
                                       .bytes = cache->bytes,
                                       .builds = cache->builds};
    pthread_mutex_unlock(&cache->lock);
    return stats;
}
