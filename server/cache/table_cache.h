/* SPDX-License-Identifier: Apache-2.0
 * table_cache.h - shared tables by key: each is built once (concurrent askers wait for the
 * builder), counted, evicted by bytes; an evicted table lives on in the plans that hold it. */
#ifndef SERVER_TABLE_CACHE_H
#define SERVER_TABLE_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"

struct table_cache;

struct table_cache *table_cache_new(size_t max_bytes);
void table_cache_free(struct table_cache *store); /* no table_cache_get may be running */
/* The table these checked args want, counted; *table is NULL when they want none.
 * PE_NO_MEMORY only. Thread-safe. */
enum pe_status table_cache_get(struct table_cache *store, struct pe_table **table,
                               struct pe_args *args);
/* Drops what was not asked for longest, one part in `parts` of what is kept; the bytes. */
uint64_t table_cache_shrink(struct table_cache *store, uint64_t parts);
struct table_cache_stats {
    uint64_t tables, bytes, builds;
};
struct table_cache_stats table_cache_stats(struct table_cache *store);

#endif
