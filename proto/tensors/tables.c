/* SPDX-License-Identifier: Apache-2.0
 * tables.c - looks up names of stored tables: an exact name first, then an end of names that
 * only one table has. The search is linear, because there are few tables. */
#include "proto/tensors/tables.h"

#include <assert.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/json_write.h"

enum { SUGGESTIONS_MAX = 1024, ECHO_MAX = 80 };

struct tables {
    atomic_uint owners;
    size_t count;
    struct table_file *files[];
};

/* ---- owners of a set --------------------------------------------------------------------- */

static int by_stem(const void *a, const void *b)
{
    return strcmp(table_file_stem(*(struct table_file *const *)a),
                  table_file_stem(*(struct table_file *const *)b));
}

struct tables *tables_new(struct table_file *const *files, size_t count)
{
    struct tables *tables = calloc(1, sizeof *tables + count * sizeof tables->files[0]);

    for (size_t i = 0; !tables && i < count; i++)
        table_file_drop(files[i]);
    if (!tables)
        return NULL;
    atomic_init(&tables->owners, 1);
    tables->count = count;
    for (size_t i = 0; i < count; i++)
        tables->files[i] = files[i];
    qsort(tables->files, count, sizeof tables->files[0], by_stem);
    return tables;
}

struct tables *tables_ref(struct tables *tables)
{
    atomic_fetch_add(&tables->owners, 1);
    return tables;
}

void tables_drop(struct tables *tables)
{
    if (!tables || atomic_fetch_sub(&tables->owners, 1) != 1)
        return;
    for (size_t i = 0; i < tables->count; i++)
        table_file_drop(tables->files[i]);
    free(tables);
}

size_t tables_file_count(const struct tables *tables)
{
    return tables->count;
}

struct table_file *tables_file(const struct tables *tables, size_t i)
{
    assert(i < tables->count);
    return tables->files[i];
}

struct table_file *tables_find_file(const struct tables *tables, const char *stem, size_t len)
{
    for (size_t i = 0; i < tables->count; i++) {
        const char *name = table_file_stem(tables->files[i]);

        if (strlen(name) == len && memcmp(name, stem, len) == 0)
            return tables->files[i];
    }
    return NULL;
}

/* ---- names ------------------------------------------------------------------------------- */

bool tables_is_name(const char *text, size_t len) /* text need not end with a NUL */
{
    static const char marks[] = "0123456789.+-eE";
    bool name =
        len > 0 && (text[0] == '@' || (text[0] >= '0' && text[0] <= '9') ||
                    (text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'));
    size_t of_number = 0;

    for (size_t i = 0; name && i < len; i++) {
        name = text[i] != ',' && text[i] != ';';
        of_number += memchr(marks, text[i], sizeof marks - 1) != NULL;
    }
    return name && of_number < len;
}

enum fit { FIT_NONE, FIT_END, FIT_EXACT };

/* Returns how well the text names the table: by its full name, or by FILE and the last parts of
 * its name. */
static enum fit fit_of(const char *stem, const struct stored_table *table, const char *text,
                       size_t len)
{
    static const char weight[] = ".weight";
    size_t stem_len = strlen(stem), name_len = strlen(table->name);

    if (len == name_len && memcmp(table->name, text, len) == 0)
        return FIT_EXACT;
    if (len < stem_len + 2 || memcmp(stem, text, stem_len) != 0 || text[stem_len] != '.')
        return FIT_NONE;
    const char *end = text + stem_len; /* ".wpe" */
    size_t end_len = len - stem_len;
    for (int less = 0; less < 2; less++) {
        if (name_len >= stem_len + end_len &&
            memcmp(table->name + name_len - end_len, end, end_len) == 0)
            return FIT_END;
        if (name_len < sizeof weight ||
            strcmp(table->name + name_len - (sizeof weight - 1), weight) != 0)
            break;
        name_len -= sizeof weight - 1;
    }
    return FIT_NONE;
}

/* Finds the table that the text fits best, and the number of tables that fit equally well. */
static const struct stored_table *look_up(const struct tables *tables, const char *text,
                                          size_t len, size_t *count, struct table_file **file)
{
    const struct stored_table *best = NULL;
    enum fit best_fit = FIT_NONE;

    *count = 0;
    for (size_t i = 0; tables && i < tables->count; i++) {
        const char *stem = table_file_stem(tables->files[i]);

        for (size_t j = 0; j < table_file_count(tables->files[i]); j++) {
            const struct stored_table *table = table_file_at(tables->files[i], j);
            enum fit fit = fit_of(stem, table, text, len);

            if (fit != FIT_NONE && fit > best_fit) {
                *count = 0;
                best = table;
                best_fit = fit;
                *file = tables->files[i];
            }
            *count += fit != FIT_NONE && fit == best_fit;
        }
    }
    return best;
}

const char *tables_suggest(const struct tables *tables, const char *text, size_t len)
{
    const char *names[SUGGESTIONS_MAX];
    size_t count = 0;

    for (size_t i = 0; tables && i < tables->count; i++)
        for (size_t j = 0; j < table_file_count(tables->files[i]) && count < SUGGESTIONS_MAX;
             j++)
            names[count++] = table_file_at(tables->files[i], j)->alias;
    return pe_suggest(text, len, names, count);
}

/* ---- look-ups --------------------------------------------------------------------------- */

static enum pe_status refuse_unknown(const struct tables *tables, const char *name,
                                     const char *text, size_t len, struct pe_errors *errors)
{
    const char *near = tables_suggest(tables, text, len);

    pe_fail(errors, PE_UNKNOWN_NAME, name, "must be numbers, or one of /v1/tables%s; got %.*s",
            !tables ? ", of which this service has none (--learned-tables-dir)" : "",
            (int)(len < ECHO_MAX ? len : ECHO_MAX), text);
    if (near)
        pe_hint(errors, "did you mean %.60s?", near);
    return PE_UNKNOWN_NAME;
}

enum pe_status tables_find(const struct tables *tables, const char *name, const char *text,
                           size_t len, struct tables_found *found, struct pe_errors *errors)
{
    struct table_file *file = NULL;
    size_t count;

    if (len > 0 && text[0] == '@') {
        text++;
        len--;
    }
    const char *hash = memchr(text, '@', len);
    size_t name_len = !hash ? len : (size_t)(hash - text);
    const struct stored_table *table = look_up(tables, text, name_len, &count, &file);
    if (!table)
        return refuse_unknown(tables, name, text, name_len, errors);
    if (count > 1)
        return pe_fail(errors, PE_BAD_VALUE, name,
                       "must mean one table; %zu are called %.*s, the first is %.120s", count,
                       (int)(name_len < ECHO_MAX ? name_len : ECHO_MAX), text, table->name);
    if (hash && (len - name_len - 1 != strlen(table->hash) ||
                 memcmp(hash + 1, table->hash, strlen(table->hash)) != 0))
        return pe_fail(errors, PE_BAD_VALUE, name,
                       "is pinned to content that is not served any more; %.120s is now @%s",
                       table->alias, table->hash);
    *found = (struct tables_found){table_file_ref(file), table, hash != NULL};
    return PE_OK;
}

/* ---- JSON ------------------------------------------------------------------------------- */

static void write_table(const struct stored_table *table, struct buffer *out)
{
    json_write(out, "{'name':'%s','alias':'%s','dtype':'%s'", table->name, table->alias,
               pe_dtype_name(table->info.dtype));
    json_write_integers(out, "shape", table->info.dims, table->info.rank);
    json_write(out, "'bytes':%" PRIu64 ",'hash':'%s'}", table->bytes, table->hash);
}

static void write_file(const struct table_file *file, struct buffer *out)
{
    for (size_t i = 0; i < table_file_count(file); i++)
        write_table(table_file_at(file, i), out);
}

void tables_write(const struct tables *tables, uint64_t budget, struct buffer *out)
{
    uint64_t bytes = 0;

    json_write(out, "{'tables':[");
    for (size_t i = 0; i < tables->count; i++) {
        write_file(tables->files[i], out);
        bytes += table_file_bytes(tables->files[i]);
    }
    json_write(out, "],'bytes':%" PRIu64 ",'budget':%" PRIu64 "}", bytes, budget);
}

bool tables_has(const struct tables *tables, const char *name, size_t len)
{
    struct table_file *file = tables_find_file(tables, name, len);
    size_t count = 0;

    return file || (look_up(tables, name, len, &count, &file) && count == 1);
}

bool tables_write_one(const struct tables *tables, const char *name, size_t len,
                      struct buffer *out)
{
    struct table_file *file = tables_find_file(tables, name, len);
    size_t count = 0;

    if (file) {
        json_write(out, "{'file':'%s','bytes':%" PRIu64 ",'tables':[", table_file_stem(file),
                   table_file_bytes(file));
        write_file(file, out);
        json_write(out, "]}");
        return true;
    }
    const struct stored_table *table = look_up(tables, name, len, &count, &file);
    if (table && count == 1)
        write_table(table, out);
    return table && count == 1;
}
