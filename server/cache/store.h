/* SPDX-License-Identifier: Apache-2.0
 * store.h - shared tables by key: each is built once (concurrent askers wait for the
 * builder), counted, evicted by bytes; an evicted table lives on in the plans that hold it. */
#ifndef SERVER_STORE_H
#define SERVER_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"

struct store;

struct store *store_new(size_t max_bytes);
void store_free(struct store *store); /* no store_get may be running */
/* The table these checked args want, counted; *table is NULL when they want none.
 * PE_NO_MEMORY only. Thread-safe. */
enum pe_status store_get(struct store *store, struct pe_table **table, struct pe_args *args);
/* Drops what was not asked for longest, one part in `parts` of what is kept; the bytes. */
uint64_t store_shrink(struct store *store, uint64_t parts);
struct store_stats {
    uint64_t tables, bytes, builds;
};
struct store_stats store_stats(struct store *store);

#endif
