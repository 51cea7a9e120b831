/* SPDX-License-Identifier: Apache-2.0
 * tables.h - the learned tables of a service, by name: FILE.TENSOR, or FILE with the end of the
 * tensor's name, without ".weight", where only one table has that end ("gpt2.wpe"). "@" and the
 * content's hash behind a name pin the content. */
#pragma once

#include "proto/tensors/table_file.h"
#include "proto/text/buffer.h"

/* A set of tables, sorted by name: immutable, reference-counted, readable by any thread. */
struct tables;

/* Makes a set and takes over the files, even if it fails. NULL when out of memory. */
struct tables *tables_new(struct table_file *const *files, size_t count);
struct tables *tables_ref(struct tables *tables);
void tables_drop(struct tables *tables); /* NULL does nothing */
size_t tables_file_count(const struct tables *tables);
struct table_file *tables_file(const struct tables *tables, size_t i); /* borrowed */
/* Finds the file of that stem, borrowed; NULL if there is none. */
struct table_file *tables_find_file(const struct tables *tables, const char *stem, size_t len);

/* Returns whether the text of a tensor parameter is a name, not numbers. A leading "@" is not a
 * part of the name. */
bool tables_is_name(const char *text, size_t len);

/* The table that a name stands for. */
struct tables_found {
    struct table_file *file; /* with a reference that table_file_drop returns */
    const struct stored_table *table;
    bool pinned; /* named by its hash, so that its content cannot change */
};
/* Finds a table, or adds the problem of the parameter `name`, which says what would be right.
 * tables may be NULL: the service has no tables. */
enum pe_status tables_find(const struct tables *tables, const char *name, const char *text,
                           size_t len, struct tables_found *found, struct pe_errors *errors);

/* Returns whether the name is that of a file, or of one table. */
bool tables_has(const struct tables *tables, const char *name, size_t len);
/* Writes {"tables":[...]}, or one table or file, which returns false for an unknown name. */
void tables_write(const struct tables *tables, uint64_t budget, struct buffer *out);
bool tables_write_one(const struct tables *tables, const char *name, size_t len,
                      struct buffer *out);
/* Returns the nearest name to a misspelt one, NULL if none is near. */
const char *tables_suggest(const struct tables *tables, const char *text, size_t len);
