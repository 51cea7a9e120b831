/* SPDX-License-Identifier: Apache-2.0
 * tables.h - the learned tables that a service has, by name: FILE.TENSOR, or FILE with the end
 * of the tensor's name, less ".weight", where that means one alone ("gpt2.wpe"); "@" and the
 * content's hash behind it pin what is meant. */
#ifndef PROTO_TABLES_H
#define PROTO_TABLES_H

#include "proto/tensors/table_file.h"
#include "proto/text/buffer.h"

/* A set of tables, sorted by name; immutable, counted, any number of threads may read it. */
struct tables;

/* Takes the files over, also when it fails. NULL: out of memory. */
struct tables *tables_new(struct table_file *const *files, size_t count);
struct tables *tables_ref(struct tables *tables);
void tables_drop(struct tables *tables); /* NULL: nothing */
size_t tables_file_count(const struct tables *tables);
struct table_file *tables_file(const struct tables *tables, size_t i); /* borrowed */
/* The file of that stem, borrowed; NULL: none. */
struct table_file *tables_find_file(const struct tables *tables, const char *stem, size_t len);

/* The text of a tensor parameter is a name, not numbers. A leading "@" is no part of it. */
bool tables_is_name(const char *text, size_t len);

/* The table that a name means. */
struct tables_found {
    struct table_file *file; /* one more owner: table_file_drop */
    const struct stored_table *table;
    bool pinned; /* by its hash: what it means cannot change */
};
/* *found, or the problem of the parameter `name` with what would be right. tables: NULL, the
 * service has none. */
enum pe_status tables_find(const struct tables *tables, const char *name, const char *text,
                           size_t len, struct tables_found *found, struct pe_errors *errors);

/* {"tables":[...]}, or one table or file as an object; false: there is none of that name. */
void tables_write(const struct tables *tables, uint64_t budget, struct buffer *out);
bool tables_write_one(const struct tables *tables, const char *name, size_t len,
                      struct buffer *out);
/* The nearest name to a misspelt one, NULL if nothing is near. */
const char *tables_suggest(const struct tables *tables, const char *text, size_t len);

#endif
