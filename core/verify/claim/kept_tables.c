/* SPDX-License-Identifier: Apache-2.0
 * kept_tables.c - a ring of tables by their keys, bounded in number and bytes. */
#include "core/verify/claim/kept_tables.h"

#include <stdlib.h>
#include <string.h>

static void drop(struct kept_tables *tables, size_t i)
{
    free(tables->at[i].key);
    pe_table_free(tables->at[i].table);
    tables->bytes -= tables->at[i].bytes;
    tables->at[i].key = NULL;
    tables->at[i].table = NULL;
    tables->at[i].bytes = 0;
}

/* Keeps a table, which the ring then owns, in the place of the oldest ones. */
static void keep(struct kept_tables *tables, char *key, struct pe_table *table, size_t bytes)
{
    const size_t place = tables->next;

    drop(tables, place);
    for (size_t i = 1; i < TABLES_MOST && tables->bytes + bytes > tables->bytes_most; i++)
        drop(tables, (place + i) % TABLES_MOST);
    tables->at[place].key = key;
    tables->at[place].table = table;
    tables->at[place].bytes = bytes;
    tables->bytes += bytes;
    tables->next = (place + 1) % TABLES_MOST;
}

/* Returns a table after it grew by what these arguments are worth. */
static struct pe_table *grown(struct kept_tables *tables, size_t i, const struct pe_args *args)
{
    size_t bytes;

    if (!pe_table_grow(tables->at[i].table, args))
        return NULL;
    bytes = pe_table_bytes(tables->at[i].table);
    tables->bytes += bytes - tables->at[i].bytes;
    tables->at[i].bytes = bytes;
    return tables->at[i].table;
}

struct pe_table *kept_tables_find(struct kept_tables *tables, const struct pe_args *args)
{
    const char *key = pe_args_table_key(args);

    for (size_t i = 0; key && i < TABLES_MOST; i++)
        if (tables->at[i].key && strcmp(tables->at[i].key, key) == 0)
            return grown(tables, i, args);
    struct pe_table *table = key ? pe_table_build(args) : NULL;
    if (table && !pe_table_grow(table, args)) {
        pe_table_free(table);
        return NULL;
    }
    const size_t bytes = table ? pe_table_bytes(table) : 0;
    char *copy = table && bytes <= tables->bytes_most ? strdup(key) : NULL;
    if (!copy) {
        pe_table_free(table);
        return NULL;
    }
    keep(tables, copy, table, bytes);
    return table;
}

void kept_tables_fini(struct kept_tables *tables)
{
    for (size_t i = 0; i < TABLES_MOST; i++)
        drop(tables, i);
}
