/* SPDX-License-Identifier: Apache-2.0
 * recent_tables.c - see recent_tables.h. A table has one place, by the hash of its key. */
#include "server/cache/recent_tables.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "server/cache/table_cache.h"

enum { PLACES = 16, KEY_MAX = 192 }; /* a longer key is asked for in the table cache */

struct place {
    struct pe_table *table; /* NULL: none */
    bool asked;             /* it was asked for since the last tick */
    size_t len;
    char key[KEY_MAX];
};

struct recent_tables {
    struct table_cache *cache;
    unsigned evictions; /* the table cache's when the references were taken */
    struct place at[PLACES];
};

struct recent_tables *recent_tables_new(struct table_cache *cache)
{
    struct recent_tables *recent = calloc(1, sizeof *recent);

    if (recent)
        recent->cache = cache;
    return recent;
}

static void give_back(struct recent_tables *recent)
{
    for (size_t i = 0; i < PLACES; i++) {
        pe_table_free(recent->at[i].table);
        recent->at[i].table = NULL;
    }
}

void recent_tables_free(struct recent_tables *recent)
{
    if (recent)
        give_back(recent);
    free(recent);
}

static void renew(struct recent_tables *recent)
{
    const unsigned evictions = table_cache_evictions(recent->cache);

    if (recent->evictions == evictions)
        return;
    give_back(recent);
    recent->evictions = evictions;
}

void recent_tables_tick(struct recent_tables *recent)
{
    for (struct place *place = recent->at; place < recent->at + PLACES; place++) {
        if (place->table && place->asked)
            table_cache_touch(recent->cache, place->key, place->len);
        place->asked = false;
    }
    renew(recent);
}

enum pe_status recent_tables_get(struct recent_tables *recent, struct pe_table **table,
                                 struct pe_args *args)
{
    const char *key = pe_args_table_key(args);
    const size_t len = key ? strlen(key) : KEY_MAX;
    struct place *place;
    enum pe_status status;

    renew(recent);
    if (len >= KEY_MAX)
        return table_cache_get(recent->cache, table, args);
    place = &recent->at[XXH3_64bits(key, len) % PLACES];
    if (place->table && place->len == len && memcmp(place->key, key, len) == 0) {
        place->asked = true;
        *table = pe_table_ref(place->table);
        return PE_OK;
    }
    status = table_cache_get(recent->cache, table, args);
    pe_table_free(place->table);
    place->table = status == PE_OK ? pe_table_ref(*table) : NULL;
    place->len = len;
    memcpy(place->key, key, len);
    return status;
}
