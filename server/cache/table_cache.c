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
    unsigned askers; /* threads that wait for the builder */
    size_t bytes;    /* bytes of table, key and slot */
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
    struct table_cache *store = calloc(1, sizeof *store);

    if (!store)
        return NULL;
    store->max_bytes = max_bytes;
    store->hash_key = siphash_key_draw();
    pthread_mutex_init(&store->lock, NULL);
    pthread_cond_init(&store->built, NULL);
    return store;
}

static void slot_free(struct slot *slot)
{
    pe_table_free(slot->table);
    free(slot);
}

void table_cache_free(struct table_cache *store)
{
    if (!store)
        return;
    while (store->newest) {
        struct slot *slot = store->newest;

        assert(!slot->building);
        store->newest = slot->older;
        slot_free(slot);
    }
    pthread_cond_destroy(&store->built);
    pthread_mutex_destroy(&store->lock);
    free(store);
}

/* ---- under the lock ------------------------------------------------------------------ */

static struct slot **place_of(struct table_cache *store, uint64_t hash, const char *key,
                              size_t len)
{
    struct slot **at = &store->buckets[hash % BUCKETS];

    while (*at &&
           ((*at)->hash != hash || (*at)->key_len != len || memcmp((*at)->key, key, len) != 0))
        at = &(*at)->chain;
    return at;
}

static void unlink_age(struct table_cache *store, struct slot *slot)
{
    *(slot->newer ? &slot->newer->older : &store->newest) = slot->older;
    *(slot->older ? &slot->older->newer : &store->oldest) = slot->newer;
    slot->newer = slot->older = NULL;
}

static void link_newest(struct table_cache *store, struct slot *slot)
{
    slot->older = store->newest;
    *(store->newest ? &store->newest->newer : &store->oldest) = slot;
    store->newest = slot;
}

static struct slot *add(struct table_cache *store, struct slot **place, uint64_t hash,
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
    link_newest(store, slot);
    return slot;
}

static void drop(struct table_cache *store, struct slot *slot)
{
    struct slot **place = place_of(store, slot->hash, slot->key, slot->key_len);

    assert(*place == slot && !slot->building && slot->askers == 0);
    *place = slot->chain;
    unlink_age(store, slot);
    if (slot->table) {
        store->bytes -= slot->bytes;
        store->tables--;
    }
    slot_free(slot);
}

/* Evicts the oldest tables first, but none that is being built or waited for. */
static void evict(struct table_cache *store, uint64_t max_bytes)
{
    struct slot *slot = store->oldest;

    while (slot && store->bytes > max_bytes) {
        struct slot *newer = slot->newer;

        if (!slot->building && slot->askers == 0)
            drop(store, slot);
        slot = newer;
    }
}

static void finish(struct table_cache *store, struct slot *slot, struct pe_table *table)
{
    slot->building = false;
    slot->table = table;
    store->builds++;
    if (table) {
        slot->bytes = pe_table_bytes(table) + sizeof *slot + slot->key_len;
        store->bytes += slot->bytes;
        store->tables++;
    }
    pthread_cond_broadcast(&store->built);
}

/* ---- asking -------------------------------------------------------------------------- */

enum pe_status table_cache_get(struct table_cache *store, struct pe_table **table,
                               struct pe_args *args)
{
    const char *key = pe_args_table_key(args);
    size_t len = key ? strlen(key) : 0;
    uint64_t hash = key ? siphash(&store->hash_key, key, len) : 0;
    struct pe_table *found = NULL;
    struct slot **place, *slot;

    *table = NULL;
    if (!key)
        return PE_OK;
    pthread_mutex_lock(&store->lock);
    place = place_of(store, hash, key, len);
    slot = *place;
    if (slot) {
        slot->askers++;
        while (slot->building)
            pthread_cond_wait(&store->built, &store->lock);
        slot->askers--;
        unlink_age(store, slot);
        link_newest(store, slot);
    } else if ((slot = add(store, place, hash, key, len))) {
        pthread_mutex_unlock(&store->lock);
        found = pe_table_build(args);
        pthread_mutex_lock(&store->lock);
        finish(store, slot, found);
    }
    if (slot)
        found = slot->table ? pe_table_ref(slot->table) : NULL;
    if (slot && !slot->table && slot->askers == 0)
        drop(store, slot); /* the table could not be built; the next caller tries again */
    evict(store, store->max_bytes);
    pthread_mutex_unlock(&store->lock);
    *table = found;
    return found ? PE_OK : PE_NO_MEMORY;
}

uint64_t table_cache_shrink(struct table_cache *store, uint64_t parts)
{
    uint64_t before, left;

    pthread_mutex_lock(&store->lock);
    before = store->bytes;
    evict(store, before - before / parts);
    left = before - store->bytes;
    pthread_mutex_unlock(&store->lock);
    return left;
}

struct table_cache_stats table_cache_stats(struct table_cache *store)
{
    struct table_cache_stats stats;

    pthread_mutex_lock(&store->lock);
    stats = (struct table_cache_stats){.tables = store->tables,
                                       .bytes = store->bytes,
                                       .builds = store->builds};
    pthread_mutex_unlock(&store->lock);
    return stats;
}
