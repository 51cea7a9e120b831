/* SPDX-License-Identifier: Apache-2.0
 * kept_tables.h - the tables that plans of one search share: hypotheses that leave the
 * frequencies as they are have one table. */
#pragma once

#include "core/args/args.h"

enum { TABLES_MOST = 128 };

/* The last tables that were built, at most `bytes_most` bytes of them: set it, the rest starts
 * zeroed. */
struct kept_tables {
    struct {
        char *key;
        struct pe_table *table;
        size_t bytes;
    } at[TABLES_MOST]; /* a ring */
    size_t next, bytes;
    size_t bytes_most;
};

/* Returns the table of the arguments, borrowed until the next call; NULL: sharing does not pay,
 * the table is too large to be kept, or there is no memory, so that the plan builds its own. */
struct pe_table *kept_tables_find(struct kept_tables *tables, const struct pe_args *args);
void kept_tables_fini(struct kept_tables *tables);
