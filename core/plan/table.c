/* SPDX-License-Identifier: Apache-2.0
 * table.c - a shared table: a reference-counted holder of the bytes that an encoding's
 * table_build made. The caller decides which tables are kept and for how long. */
#include "core/plan/table.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "core/math/number/mpfr_memory.h"

struct pe_table {
    atomic_uint owners;
    atomic_size_t bytes;
    void *content;
    void (*content_free)(void *content);
};

struct pe_table *pe_table_build(const struct pe_args *args)
{
    const struct pe_encoding *enc = pe_args_encoding(args);
    struct pe_table *table;
    size_t bytes = 0;

    assert(pe_args_table_key(args)); /* arguments without a key want no table */
    table = mpfr_memory_available() ? calloc(1, sizeof *table) : NULL;
    if (!table)
        return NULL;
    atomic_init(&table->owners, 1);
    table->content_free = enc->table_free;
    table->content = enc->table_build(args, pe_args_struct(args), &bytes);
    if (!table->content) {
        free(table);
        return NULL;
    }
    atomic_init(&table->bytes, bytes + sizeof *table);
    return table;
}

static bool grow(struct pe_table *table, const struct pe_args *args, enum pe_growth growth)
{
    const struct pe_encoding *enc = pe_args_encoding(args);
    size_t bytes;

    if (!enc->table_grow)
        return true;
    bytes = enc->table_grow(table->content, args, pe_args_struct(args), growth);
    if (bytes != SIZE_MAX)
        atomic_fetch_add_explicit(&table->bytes, bytes, memory_order_relaxed);
    return bytes != SIZE_MAX;
}

bool table_complete(struct pe_table *table, const struct pe_args *args)
{
    return grow(table, args, PE_GROWTH_NEEDED);
}

bool pe_table_grow(struct pe_table *table, const struct pe_args *args)
{
    return grow(table, args, PE_GROWTH_WORTH);
}

size_t pe_table_growth(struct pe_table *table, const struct pe_args *args)
{
    const struct pe_encoding *enc = pe_args_encoding(args);

    return enc->table_grow
               ? enc->table_grow(table->content, args, pe_args_struct(args), PE_GROWTH_TOLD)
               : 0;
}

const void *table_content(const struct pe_table *table)
{
    return table->content;
}

size_t pe_table_bytes(const struct pe_table *table)
{
    return atomic_load_explicit(&table->bytes, memory_order_relaxed);
}

struct pe_table *pe_table_ref(struct pe_table *table)
{
    atomic_fetch_add_explicit(&table->owners, 1, memory_order_relaxed);
    return table;
}

void pe_table_free(struct pe_table *table)
{
    if (!table || atomic_fetch_sub_explicit(&table->owners, 1, memory_order_acq_rel) > 1)
        return;
    table->content_free(table->content);
    free(table);
}
