/* SPDX-License-Identifier: Apache-2.0
 * tensor_reader.c - the table of formats, and the copying of elements from the body into
 * tensors. The tensors are allocated once, when the header has told their sizes and the body
 * may be so long; the budget is charged as elements arrive, before their pages are touched. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/tensors/tensor_format.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "elements are little-endian on the wire: they are stored as they come");

static const struct tensor_format *const formats[] = {
#define TENSOR_FORMAT(NAME) &NAME,
#include "proto/tensors/tensor_formats.def"
#undef TENSOR_FORMAT
};

enum { FORMATS = sizeof formats / sizeof formats[0] };
enum { RESERVE = 64 << 10 }; /* bytes that are reserved at once */

/* ---- the table of formats ------------------------------------------------------------- */

size_t tensor_format_count(void)
{
    return FORMATS;
}

const struct tensor_format *tensor_format_at(size_t i)
{
    return formats[i];
}

const struct tensor_format *tensor_format_find(const char *content_type)
{
    size_t len = strcspn(content_type, "; \t");

    for (size_t i = 0; i < FORMATS; i++) {
        for (const char *const *type = formats[i]->media_types; *type; type++)
            if (strlen(*type) == len && strncasecmp(*type, content_type, len) == 0)
                return formats[i];
    }
    return NULL;
}

const char *tensor_format_media_type(const struct tensor_format *format)
{
    return format->media_types[0];
}

const char *tensor_format_summary(const struct tensor_format *format)
{
    return format->summary;
}

bool tensor_format_is_headerless(const struct tensor_format *format)
{
    return format->headerless;
}

/* ---- creation and end of a reader ----------------------------------------------------- */

static void drop_head(struct tensor_reader *reader)
{
    if (reader->head && reader->format->end)
        reader->format->end(reader);
    free(reader->head);
    reader->head = NULL;
}

static void read_head(struct tensor_reader *reader, const char *bytes, size_t len, size_t *used)
{
    if (reader->state == TENSOR_OK && !reader->in_data) {
        *used = reader->format->head(reader, bytes, len);
        if (reader->in_data)
            drop_head(reader);
    }
}

struct tensor_reader *tensor_reader_new(const struct tensor_format *format,
                                        const struct tensor_source *source)
{
    struct tensor_reader *reader = calloc(1, sizeof *reader);
    size_t used = 0;

    if (!reader)
        return NULL;
    reader->format = format;
    reader->source = *source;
    reader->head = calloc(1, format->state_size + 1);
    if (!reader->head) {
        free(reader);
        return NULL;
    }
    read_head(reader, "", 0, &used);
    return reader;
}

void tensor_reader_free(struct tensor_reader *reader)
{
    if (reader) {
        drop_head(reader);
        tensor_set_fini(&reader->set);
        free(reader);
    }
}

const struct tensor_format *tensor_reader_format(const struct tensor_reader *reader)
{
    return reader->format;
}

const char *tensor_reader_error(const struct tensor_reader *reader)
{
    return reader->error;
}

enum tensor_state tensor_reader_fail(struct tensor_reader *reader, enum tensor_state state,
                                     const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(reader->error, sizeof reader->error, format, args);
    va_end(args);
    reader->state = state;
    return state;
}

/* ---- functions for the formats -------------------------------------------------------- */

const char *tensor_reader_only_name(const struct tensor_reader *reader)
{
    return tensor_param(reader->source.enc, NULL)->name;
}

enum tensor_state tensor_reader_expect(struct tensor_reader *reader, const char *name,
                                       const struct pe_tensor *info)
{
    char names[64];

    if (!tensor_param(reader->source.enc, name) || strlen(name) >= TENSOR_NAME_SIZE ||
        reader->set.count == TENSOR_MAX)
        return tensor_reader_fail(reader, TENSOR_MALFORMED, "unknown tensor %.40s; %s takes %s",
                                  name, pe_name(reader->source.enc),
                                  tensor_print_names(reader->source.enc, names, sizeof names));
    if (info->rank == 0)
        return tensor_reader_fail(reader, TENSOR_MALFORMED,
                                  "%s must have 1 to %d axes, the last one the vectors'; got "
                                  "a scalar",
                                  name, PE_MAX_RANK);
    if (!tensor_set_add(&reader->set, name, info))
        return tensor_reader_fail(reader, TENSOR_TOO_LARGE,
                                  "%s has more elements than can be counted", name);
    return TENSOR_OK;
}

/* Moves on to the next tensor that is not complete. */
static void skip_complete(struct tensor_reader *reader)
{
    while (reader->tensor < reader->set.count &&
           reader->at == reader->set.at[reader->tensor].bytes) {
        reader->tensor++;
        reader->at = 0;
    }
}

void tensor_reader_begin_data(struct tensor_reader *reader, size_t used)
{
    const struct tensor_source *source = &reader->source;
    uint64_t bytes = tensor_set_bytes(&reader->set), head = reader->taken + used, total;

    reader->in_data = true;
    if (__builtin_add_overflow(head, bytes, &total) || total > source->max_bytes)
        tensor_reader_fail(reader, TENSOR_TOO_LARGE,
                           "a body has at most %" PRIu64 " bytes; its tensors have %" PRIu64,
                           source->max_bytes, bytes);
    else if (source->length != TENSOR_LENGTH_UNKNOWN && source->length != total)
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the tensors have %" PRIu64 " bytes, so the body must have %" PRIu64
                           "; it has %" PRIu64,
                           bytes, total, source->length);
    else if (!tensor_set_allocate(&reader->set))
        tensor_reader_fail(reader, TENSOR_NO_MEMORY, "out of memory");
    else
        skip_complete(reader);
}

/* ---- bytes of tensors ----------------------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Reserves budget for `count` more bytes; false if the reader has failed. */
static bool reserve(struct tensor_reader *reader, size_t count)
{
    const struct tensor_source *source = &reader->source;
    uint64_t left = tensor_set_bytes(&reader->set) - reader->reserved;
    uint64_t more;

    if (reader->stored + count <= reader->reserved)
        return true;
    more = least(count > RESERVE ? count : RESERVE, left);
    if (!source->reserve(source->context, more)) {
        tensor_reader_fail(reader, TENSOR_OVER_BUDGET, "too many bodies in memory; try again");
        return false;
    }
    reader->reserved += more;
    return true;
}

static void read_data(struct tensor_reader *reader, const char *bytes, size_t len)
{
    while (len > 0 && reader->tensor < reader->set.count) {
        struct tensor *tensor = &reader->set.at[reader->tensor];
        size_t count = (size_t)least(len, tensor->bytes - reader->at);

        if (!reserve(reader, count))
            return;
        memcpy((char *)tensor->data + reader->at, bytes, count);
        reader->at += count;
        reader->stored += count;
        bytes += count;
        len -= count;
        skip_complete(reader);
    }
    if (len > 0)
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the body goes on after the %" PRIu64 " bytes of its tensors",
                           tensor_set_bytes(&reader->set));
}

/* Frees the memory of a reader that has failed, as the rest of the body may still come. */
static enum tensor_state settle(struct tensor_reader *reader)
{
    if (reader->state != TENSOR_OK) {
        drop_head(reader);
        tensor_set_fini(&reader->set);
    }
    return reader->state;
}

enum tensor_state tensor_reader_add(struct tensor_reader *reader, const char *bytes, size_t len)
{
    size_t used = 0;

    read_head(reader, bytes, len, &used);
    if (reader->state == TENSOR_OK && reader->in_data)
        read_data(reader, bytes + used, len - used);
    reader->taken += len;
    return settle(reader);
}

enum tensor_state tensor_reader_finish(struct tensor_reader *reader, struct tensor_set *set)
{
    *set = (struct tensor_set){0};
    if (reader->state == TENSOR_OK && !reader->in_data) {
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the body ends after %" PRIu64 " bytes, within its header",
                           reader->taken);
    } else if (reader->state == TENSOR_OK && reader->tensor < reader->set.count) {
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the body ends before the %" PRIu64
                           " bytes of its tensors are there",
                           tensor_set_bytes(&reader->set));
    } else if (reader->state == TENSOR_OK) {
        *set = reader->set;
        reader->set = (struct tensor_set){0};
    }
    return settle(reader);
}
