/* SPDX-License-Identifier: Apache-2.0
 * table_file.c - checks a safetensors file of an operator more strictly than the format's own
 * reader does: it allows few dtypes and axes, and only finite numbers. */
#include "proto/tensors/table_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "proto/tensors/safetensors_head.h"
#include "proto/tensors/tensor.h"

enum { FEW = 256 }; /* numbers checked at once */

const char table_file_no_memory[] = "out of memory";

static const char name_marks[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "0123456789._-";

struct table_file {
    atomic_uint owners;
    struct table_file_source source;
    char stem[TABLE_FILE_STEM_MAX + 1];
    size_t count;
    struct stored_table *at;
};

/* ---- owners and fields ----------------------------------------------------------------- */

struct table_file *table_file_ref(struct table_file *file)
{
    atomic_fetch_add(&file->owners, 1);
    return file;
}

void table_file_drop(struct table_file *file)
{
    if (file && atomic_fetch_sub(&file->owners, 1) == 1) {
        file->source.release(file->source.context);
        free(file->at);
        free(file);
    }
}

const char *table_file_stem(const struct table_file *file)
{
    return file->stem;
}

void *table_file_context(const struct table_file *file)
{
    return file->source.context;
}

uint64_t table_file_bytes(const struct table_file *file)
{
    return file->source.len;
}

size_t table_file_count(const struct table_file *file)
{
    return file->count;
}

const struct stored_table *table_file_at(const struct table_file *file, size_t i)
{
    return &file->at[i];
}

/* ---- names ------------------------------------------------------------------------------- */

bool table_file_is_stem(const char *name, size_t len)
{
    return len > 0 && len <= TABLE_FILE_STEM_MAX && !strchr("._-", name[0]) &&
           strspn(name, name_marks) >= len;
}

/* Sets the name FILE.TENSOR, which must not be readable as numbers, as table=1.5 is. */
static bool set_name(struct stored_table *table, const char *stem, const char *tensor,
                     char *why)
{
    size_t len = strlen(tensor);

    if (len == 0 || len > TABLE_FILE_TENSOR_MAX || tensor[strspn(tensor, name_marks)] != '\0')
        return why_refuse(why, "%.40s: a tensor's name must be 1 to %d letters, digits and ._-",
                          tensor, TABLE_FILE_TENSOR_MAX);
    snprintf(table->name, sizeof table->name, "%s.%s", stem, tensor);
    if (table->name[strspn(table->name, "0123456789.,;+-eE")] == '\0')
        return why_refuse(why, "%.80s would be read as numbers; give the file another name",
                          table->name);
    return true;
}

/* Returns where the last parts of the name begin that no other tensor of the file ends in. */
static size_t unique_end(const struct table_file *file, size_t i, size_t stem_len, size_t end)
{
    const char *name = file->at[i].name;

    for (size_t at = end; at > stem_len; at--) {
        bool unique = name[at - 1] == '.' && at < end;

        for (size_t j = 0; unique && j < file->count; j++) {
            const char *other = file->at[j].name;
            const char *found = j == i ? NULL : strstr(other + stem_len, name + at - 1);

            unique = !found || strcmp(found, name + at - 1) != 0;
        }
        if (unique)
            return at;
    }
    return stem_len + 1;
}

/* Sets the alias FILE.END, without ".weight" unless END would be empty. */
static void set_alias(struct table_file *file, size_t i)
{
    static const char weight[] = ".weight";
    struct stored_table *table = &file->at[i];
    size_t stem_len = strlen(file->stem), len = strlen(table->name);
    size_t end = len;

    if (len > stem_len + sizeof weight &&
        strcmp(table->name + len - (sizeof weight - 1), weight) == 0)
        end = len - (sizeof weight - 1);
    size_t at = unique_end(file, i, stem_len, end);
    snprintf(table->alias, sizeof table->alias, "%s.%.*s", file->stem, (int)(end - at),
             table->name + at);
}

/* ---- tables ----------------------------------------------------------------------------- */

static void set_hash(struct stored_table *table)
{
    uint64_t head[PE_MAX_RANK + 2] = {(uint64_t)table->info.dtype, table->info.rank};

    memcpy(head + 2, table->info.dims, table->info.rank * sizeof *head);
    XXH64_hash_t seed = XXH3_64bits(head, sizeof head);
    XXH128_hash_t hash = XXH3_128bits_withSeed(table->data, (size_t)table->bytes, seed);
    snprintf(table->hash, sizeof table->hash, "%016" PRIx64 "%016" PRIx64,
             (uint64_t)hash.high64, (uint64_t)hash.low64);
}

/* Returns whether all elements, which may be unaligned for their type, are finite. */
static bool all_finite(const struct stored_table *table)
{
    double numbers[FEW];
    size_t size = pe_dtype_size(table->info.dtype), count = (size_t)table->bytes / size;
    bool finite = true;

    for (size_t i = 0; i < count; i += FEW) {
        size_t some = count - i < FEW ? count - i : FEW;

        pe_dtype_to_f64(table->info.dtype, numbers, (const char *)table->data + i * size, some);
        for (size_t j = 0; j < some; j++)
            finite &= isfinite(numbers[j]) != 0;
    }
    return finite;
}

static bool set_table(struct stored_table *table, const struct safetensors_entry *entry,
                      const unsigned char *data, const char *stem, char *why)
{
    char unused[TENSOR_LAYOUT_WHY_SIZE];

    table->data = data + entry->begin;
    table->bytes = entry->end - entry->begin;
    if (entry->layout.rank > TABLE_FILE_RANK_MAX)
        return why_refuse(why, "%.40s: a table has at most %d axes; got %zu", entry->name,
                          TABLE_FILE_RANK_MAX, entry->layout.rank);
    (void)tensor_layout_info(&entry->layout, &table->info, unused); /* so few axes are right */
    if (!all_finite(table))
        return why_refuse(why, "%.40s: holds NaN or an infinity; a table's numbers are finite",
                          entry->name);
    set_hash(table);
    return set_name(table, stem, entry->name, why);
}

static bool set_tables(struct table_file *file, const struct safetensors_entry *entries,
                       size_t count, const unsigned char *data, uint64_t data_len, char *why)
{
    if (entries[count - 1].end != data_len)
        return why_refuse(why,
                          "the tensors have %" PRIu64 " bytes; behind the header are %" PRIu64,
                          entries[count - 1].end, data_len);
    file->at = calloc(count, sizeof *file->at);
    if (!file->at)
        return why_refuse(why, "%s", table_file_no_memory);
    file->count = count;
    for (size_t i = 0; i < count; i++)
        if (!set_table(&file->at[i], &entries[i], data, file->stem, why))
            return false;
    for (size_t i = 0; i < count; i++)
        set_alias(file, i);
    return true;
}

/* ---- the file --------------------------------------------------------------------------- */

static bool read_header(struct json_body *json, const unsigned char *header, uint64_t len,
                        char *why)
{
    if (header[0] != '{')
        return why_refuse(why, "the safetensors header must begin with {");
    (void)json_body_add(json, (const char *)header, (size_t)len);
    enum json_body_state state = json_body_finish(json);
    if (state == JSON_BODY_NO_MEMORY)
        return why_refuse(why, "%s", table_file_no_memory);
    return state == JSON_BODY_OK ||
           why_refuse(why, "the safetensors header is not read: %s", json_body_error(json));
}

static bool read_file(struct table_file *file, char *why)
{
    const struct table_file_source *source = &file->source;
    uint64_t header;

    if (source->len < SAFETENSORS_PREFIX)
        return why_refuse(why, "has %" PRIu64 " bytes, less than the %d of a header's length",
                          source->len, SAFETENSORS_PREFIX);
    if (!safetensors_head_length(source->bytes, &header, why))
        return false;
    const unsigned char *start = source->bytes + SAFETENSORS_PREFIX;
    uint64_t rest = source->len - SAFETENSORS_PREFIX;
    if (header > rest)
        return why_refuse(why, "ends within its header of %" PRIu64 " bytes", header);
    struct json_body *json = json_body_new(header);
    struct safetensors_entry *entries = calloc(TABLE_FILE_TABLES_MAX, sizeof *entries);
    size_t count = 0;
    bool read = (json && entries) || why_refuse(why, "%s", table_file_no_memory);
    read = read && read_header(json, start, header, why) &&
           safetensors_head_read(json, ELEMENT_REALS, NULL, entries, TABLE_FILE_TABLES_MAX,
                                 &count, why) &&
           set_tables(file, entries, count, start + header, rest - header, why);
    free(entries);
    json_body_free(json);
    return read;
}

struct table_file *table_file_new(const struct table_file_source *source,
                                  char why[TABLE_FILE_WHY_SIZE])
{
    struct table_file *file = calloc(1, sizeof *file);

    if (!file) {
        why_refuse(why, "%s", table_file_no_memory);
        source->release(source->context);
        return NULL;
    }
    atomic_init(&file->owners, 1);
    file->source = *source;
    snprintf(file->stem, sizeof file->stem, "%s", source->stem);
    file->source.stem = file->stem;
    if (!read_file(file, why)) {
        table_file_drop(file);
        return NULL;
    }
    return file;
}
