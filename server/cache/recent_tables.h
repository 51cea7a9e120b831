/* SPDX-License-Identifier: Apache-2.0
 * recent_tables.h - references of one loop to tables that it got from the table cache lately,
 * so that a plan that shares a table takes no lock. When the table cache evicts a table, all
 * references are given back at the next call. The table cache learns of the requests for a
 * table once a tick. Used by one thread. */
#pragma once

#include "core/posenc.h"

struct recent_tables;
struct table_cache;

struct recent_tables *recent_tables_new(struct table_cache *cache); /* NULL: out of memory */
void recent_tables_free(struct recent_tables *recent);
/* Does what table_cache_get does. */
enum pe_status recent_tables_get(struct recent_tables *recent, struct pe_table **table,
                                 struct pe_args *args);
/* Tells the table cache which tables were asked for since the last tick, and gives all
 * references back if it has evicted a table since they were taken. */
void recent_tables_tick(struct recent_tables *recent);
