/* SPDX-License-Identifier: Apache-2.0
 * table_cache.h - keeps shared tables by key: each is built once (concurrent callers wait for
 * the builder), counted, evicted by bytes; plans keep an evicted table that they hold. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"

struct table_cache;

struct table_cache *table_cache_new(size_t max_bytes);
void table_cache_free(struct table_cache *cache); /* no table_cache_get may be running */
/* Gets the table that checked args need, with a reference; *table is NULL if they need none.
 * The only error is PE_NO_MEMORY. Thread-safe. */
enum pe_status table_cache_get(struct table_cache *cache, struct pe_table **table,
                               struct pe_args *args);
/* Grows a table of the cache by what is worth it for these args, of its key (pe_table_grow),
 * and counts it. Returns false if memory ran out. */
bool table_cache_grow(struct table_cache *cache, struct pe_table *table, struct pe_args *args);
/* Evicts least recently used tables, one part in `parts` of the bytes. Returns their bytes. */
uint64_t table_cache_shrink(struct table_cache *cache, uint64_t parts);
struct table_cache_stats {
    uint64_t tables, bytes, builds;
};
struct table_cache_stats table_cache_stats(struct table_cache *cache);
