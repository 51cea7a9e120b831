/* SPDX-License-Identifier: Apache-2.0
 * safetensors_file.c - see safetensors_file.h. The header is read and checked as that of a body
 * is; the bytes of the tensors before the chosen one are passed over. */
#include "server/cli/tensors/safetensors_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "proto/tensors/safetensors_head.h"
#include "proto/tensors/tensor_fill.h"

enum { TENSORS_MAX = 4096, PIECE = 1 << 16 };

struct reading {
    struct safetensors_file *source;
    struct json_body *json; /* the header */
    struct safetensors_entry *entries;
    const char **names;
    size_t count;
    char *piece;
    char *why;
};

/* Reads exactly len bytes, first those that were read already; false at the file's end. */
static bool read_bytes(struct safetensors_file *source, char *out, size_t len)
{
    const size_t ready = len < source->start_len ? len : source->start_len;

    memcpy(out, source->start, ready);
    source->start += ready;
    source->start_len -= ready;
    return fread(out + ready, 1, len - ready, source->file) == len - ready;
}

static enum safetensors_file_state fail(struct reading *reading, const char *text)
{
    snprintf(reading->why, SAFETENSORS_FILE_WHY_SIZE, "%s", text);
    return SAFETENSORS_FILE_WRONG;
}

static enum safetensors_file_state fail_short(struct reading *reading)
{
    return fail(reading, "ends before the bytes of its tensors");
}

/* Calls `take` with each piece of the next len bytes; false at the file's end. */
static bool read_pieces(struct reading *reading, uint64_t len, struct tensor_fill *fill)
{
    while (len > 0) {
        const size_t some = len < PIECE ? (size_t)len : PIECE;

        if (!read_bytes(reading->source, reading->piece, some) ||
            (fill && !tensor_fill_add(fill, reading->piece, some)))
            return false;
        len -= some;
    }
    return true;
}

/* Passes over bytes: by a seek where the file can seek. */
static bool skip(struct reading *reading, uint64_t len)
{
    struct safetensors_file *source = reading->source;
    const uint64_t ready = len < source->start_len ? len : source->start_len;

    source->start += ready;
    source->start_len -= (size_t)ready;
    len -= ready;
    if (len > PIECE && len < INT64_MAX && fseeko(source->file, (off_t)len, SEEK_CUR) == 0)
        return true;
    return read_pieces(reading, len, NULL);
}

static enum safetensors_file_state read_header(struct reading *reading)
{
    unsigned char prefix[SAFETENSORS_PREFIX];
    uint64_t length;

    if (!read_bytes(reading->source, (char *)prefix, sizeof prefix))
        return fail_short(reading);
    if (!safetensors_head_length(prefix, &length, reading->why))
        return SAFETENSORS_FILE_WRONG;
    char *header = malloc((size_t)length);
    reading->json = header ? json_body_new(length) : NULL;
    enum safetensors_file_state state = SAFETENSORS_FILE_NO_MEMORY;
    if (reading->json && !read_bytes(reading->source, header, (size_t)length)) {
        state = fail_short(reading);
    } else if (reading->json) {
        (void)json_body_add(reading->json, header, (size_t)length);
        enum json_body_state read = json_body_finish(reading->json);

        state = read == JSON_BODY_OK          ? SAFETENSORS_FILE_OK
                : read == JSON_BODY_NO_MEMORY ? SAFETENSORS_FILE_NO_MEMORY
                                              : fail(reading, json_body_error(reading->json));
    }
    free(header);
    return state;
}

static enum safetensors_file_state choose(struct reading *reading, size_t *chosen)
{
    reading->entries = calloc(TENSORS_MAX, sizeof *reading->entries);
    reading->names = calloc(TENSORS_MAX, sizeof *reading->names);
    reading->piece = malloc(PIECE);
    if (!reading->entries || !reading->names || !reading->piece)
        return SAFETENSORS_FILE_NO_MEMORY;
    if (!safetensors_head_read(reading->json, ELEMENT_ANY, NULL, reading->entries, TENSORS_MAX,
                               &reading->count, reading->why))
        return SAFETENSORS_FILE_WRONG;
    for (size_t i = 0; i < reading->count; i++)
        reading->names[i] = reading->entries[i].name;
    *chosen = tensor_choice_find(&reading->source->choice, reading->names, reading->count,
                                 reading->why);
    return *chosen < reading->count ? SAFETENSORS_FILE_OK : SAFETENSORS_FILE_CHOICE;
}

/* Adds the tensor of the entry to the set, with memory for its elements. */
static enum safetensors_file_state add(struct reading *reading, struct tensor_set *set,
                                       const struct safetensors_entry *entry)
{
    const struct safetensors_file *source = reading->source;
    const uint64_t count = (entry->end - entry->begin) / entry->layout.type->size;
    struct pe_tensor info;

    if (!tensor_layout_info(&entry->layout, &info, reading->why))
        return SAFETENSORS_FILE_WRONG;
    if (count > source->max_elements) {
        snprintf(reading->why, SAFETENSORS_FILE_WHY_SIZE,
                 "has %" PRIu64 " elements in this tensor; at most %" PRIu64 " are read", count,
                 source->max_elements);
        return SAFETENSORS_FILE_WRONG;
    }
    struct tensor *tensor = tensor_set_add(set, source->choice.param, &info);
    if (!tensor)
        return SAFETENSORS_FILE_NO_MEMORY;
    tensor->type = entry->layout.type->name;
    tensor->complex = entry->layout.type->parts > 1;
    return tensor_set_allocate(set) ? SAFETENSORS_FILE_OK : SAFETENSORS_FILE_NO_MEMORY;
}

static enum safetensors_file_state read_all(struct reading *reading, struct tensor_set *set)
{
    struct tensor_fill fill;
    size_t chosen;
    enum safetensors_file_state state = read_header(reading);

    if (state == SAFETENSORS_FILE_OK)
        state = choose(reading, &chosen);
    if (state != SAFETENSORS_FILE_OK)
        return state;
    const struct safetensors_entry *entry = &reading->entries[chosen];
    state = add(reading, set, entry);
    if (state != SAFETENSORS_FILE_OK)
        return state;
    tensor_fill_begin(&fill, &entry->layout, set->at[set->count - 1].data);
    if (!skip(reading, entry->begin))
        return fail_short(reading);
    return read_pieces(reading, entry->end - entry->begin, &fill) ? SAFETENSORS_FILE_OK
                                                                  : fail_short(reading);
}

enum safetensors_file_state safetensors_file_read(struct safetensors_file *source,
                                                  struct tensor_set *set,
                                                  char why[SAFETENSORS_FILE_WHY_SIZE])
{
    struct reading reading = {.source = source, .why = why};
    const enum safetensors_file_state state = read_all(&reading, set);

    json_body_free(reading.json);
    free(reading.entries);
    free(reading.names);
    free(reading.piece);
    return state;
}
