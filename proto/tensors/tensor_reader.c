/* SPDX-License-Identifier: Apache-2.0
 * tensor_reader.c - the filling of tensors with their elements in the body. The tensors are
 * allocated once, when the header has told their sizes and the body may be so long; the budget
 * is charged as elements arrive, before their pages are touched. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/tensors/tensor_format.h"

enum { RESERVE = 64 << 10 }; /* bytes that are reserved at once */

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
    const struct tensor_source *source = &reader->source;
    const struct pe_param *param = source->enc ? tensor_param_unnamed(source->enc) : NULL;

    if (source->enc)
        return param ? param->name : "";
    return source->only_name ? source->only_name : "";
}

/* Returns the name of a tensor for errors. */
static const char *title(const char *name)
{
    return name[0] == '\0' ? "the tensor" : name;
}

static enum tensor_state refuse_name(struct tensor_reader *reader, const char *name)
{
    const struct pe_encoding *enc = reader->source.enc;
    char names[TENSOR_NAMES_SIZE];

    tensor_print_names(enc, names, sizeof names);
    if (name[0] == '\0')
        return tensor_reader_fail(reader, TENSOR_MALFORMED,
                                  "a tensor must have its name, in a format that has names; %s "
                                  "takes %s",
                                  pe_name(enc), names);
    return tensor_reader_fail(reader, TENSOR_MALFORMED, "unknown tensor %.40s; %s takes %s",
                              name, pe_name(enc), names);
}

/* Checks the name of another tensor. The empty name is that of an only tensor. */
static enum tensor_state check_name(struct tensor_reader *reader, const char *name)
{
    const struct pe_encoding *enc = reader->source.enc;
    const bool nameless = name[0] == '\0' && name == tensor_reader_only_name(reader);

    if (enc && (!tensor_param(enc, name) || strlen(name) >= TENSOR_NAME_SIZE))
        return refuse_name(reader, name);
    if (!enc && !tensor_is_name(name) && !nameless)
        return tensor_reader_fail(reader, TENSOR_MALFORMED,
                                  "the name of a tensor has 1 to %d printable characters of "
                                  "ASCII; that of tensor %zu has not",
                                  TENSOR_NAME_SIZE - 1, reader->set.count + 1);
    for (size_t i = 0; i < reader->set.count; i++)
        if (strcmp(reader->set.at[i].name, name) == 0)
            return tensor_reader_fail(reader, TENSOR_MALFORMED, "two tensors have the name %s",
                                      name);
    if (reader->set.count == TENSOR_MAX)
        return tensor_reader_fail(reader, TENSOR_MALFORMED, "at most %d tensors are read",
                                  TENSOR_MAX);
    return TENSOR_OK;
}

/* Describes a tensor in memory, if it has as many axes as the source takes. */
static enum tensor_state describe(struct tensor_reader *reader, const char *name,
                                  const struct tensor_layout *layout, struct pe_tensor *info)
{
    const struct pe_encoding *enc = reader->source.enc;
    char why[TENSOR_LAYOUT_WHY_SIZE];

    if (enc && layout->rank == 0 && tensor_param(enc, name)->type == PE_TENSOR)
        return tensor_reader_fail(reader, TENSOR_MALFORMED,
                                  "%s must have 1 to %d axes, the last one the vectors'; got "
                                  "a scalar",
                                  name, PE_MAX_RANK);
    if (reader->source.enc && layout->rank > PE_MAX_RANK)
        return tensor_reader_fail(reader, TENSOR_MALFORMED,
                                  "shape must have 1 to %d axes; got %zu", PE_MAX_RANK,
                                  layout->rank);
    if (!tensor_layout_info(layout, info, why))
        return tensor_reader_fail(reader, TENSOR_MALFORMED, "%s%s%s", name,
                                  name[0] == '\0' ? "" : ": ", why);
    return TENSOR_OK;
}

/* Counts the tensor's elements and bytes; tensor_layout_bytes has shown that they can be
 * counted. */
static enum tensor_state count(struct tensor_reader *reader, const struct tensor_layout *layout,
                               uint64_t bytes)
{
    const uint64_t max = reader->source.max_elements;

    reader->elements += bytes / layout->type->size;
    if (__builtin_add_overflow(reader->bytes, bytes, &reader->bytes))
        reader->bytes = UINT64_MAX;
    if (max > 0 && reader->elements > max)
        return tensor_reader_fail(reader, TENSOR_TOO_LARGE,
                                  "all tensors together have at most %" PRIu64
                                  " elements; got %" PRIu64,
                                  max, reader->elements);
    return TENSOR_OK;
}

enum tensor_state tensor_reader_expect(struct tensor_reader *reader, const char *name,
                                       const struct tensor_layout *layout)
{
    struct pe_tensor info;
    struct tensor *tensor;
    uint64_t bytes;

    if (check_name(reader, name) != TENSOR_OK ||
        describe(reader, name, layout, &info) != TENSOR_OK)
        return reader->state;
    tensor =
        tensor_layout_bytes(layout, &bytes) ? tensor_set_add(&reader->set, name, &info) : NULL;
    if (!tensor)
        return tensor_reader_fail(reader, TENSOR_TOO_LARGE,
                                  "%s has more elements than can be counted", title(name));
    tensor->type = layout->type->name;
    tensor->complex = layout->type->parts > 1;
    reader->layouts[reader->set.count - 1] = *layout;
    return count(reader, layout, bytes);
}

/* Begins to fill the next tensors, up to one that has elements. */
static void begin_tensor(struct tensor_reader *reader)
{
    for (; reader->tensor < reader->set.count; reader->tensor++) {
        tensor_fill_begin(&reader->fill, &reader->layouts[reader->tensor],
                          reader->set.at[reader->tensor].data);
        if (reader->fill.left > 0)
            return;
    }
}

/* Allocates memory for the tensors, of which the last ends `head` bytes behind their sum. */
static void allocate(struct tensor_reader *reader, uint64_t head)
{
    const struct tensor_source *source = &reader->source;
    uint64_t total;

    if (__builtin_add_overflow(head, reader->bytes, &total) || total > source->max_bytes)
        tensor_reader_fail(reader, TENSOR_TOO_LARGE,
                           "a body has at most %" PRIu64 " bytes; its tensors have %" PRIu64,
                           source->max_bytes, reader->bytes);
    else if (reader->in_data && source->length != TENSOR_LENGTH_UNKNOWN &&
             source->length != total)
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the tensors have %" PRIu64 " bytes, so the body must have %" PRIu64
                           "; it has %" PRIu64,
                           reader->bytes, total, source->length);
    else if (!source->lasting && !tensor_set_allocate(&reader->set))
        tensor_reader_fail(reader, TENSOR_NO_MEMORY, "out of memory");
    else
        begin_tensor(reader);
}

void tensor_reader_begin_data(struct tensor_reader *reader, size_t used)
{
    reader->in_data = true;
    allocate(reader, reader->taken + used);
}

void tensor_reader_begin_tensor(struct tensor_reader *reader)
{
    allocate(reader, 0);
}

/* ---- bytes of tensors ----------------------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

bool tensor_reader_reserve(struct tensor_reader *reader, uint64_t bytes)
{
    if (reader->source.reserve(reader->source.context, bytes))
        return true;
    tensor_reader_fail(reader, TENSOR_OVER_BUDGET, "too many bodies in memory; try again");
    return false;
}

/* Reserves budget for memory that becomes resident; false if the reader has failed. */
static bool reserve(struct tensor_reader *reader, uint64_t count)
{
    uint64_t left = tensor_set_bytes(&reader->set) - reader->reserved;
    uint64_t more;

    reader->touched += count;
    if (reader->touched <= reader->reserved || left == 0)
        return true;
    more = least(count > RESERVE ? count : RESERVE, left);
    reader->reserved += more;
    return tensor_reader_reserve(reader, more);
}

/* Returns whether the bytes are among those that are being added, not a format's own. */
static bool is_of_piece(const struct tensor_reader *reader, const char *bytes)
{
    const uintptr_t start = (uintptr_t)reader->piece, at = (uintptr_t)bytes;

    return at >= start && at - start < reader->piece_len;
}

/* Borrows the elements of the tensor that begins, where all of them are among these bytes as
 * they are in memory; returns their number of bytes. */
static size_t borrow(struct tensor_reader *reader, const char *bytes, size_t len)
{
    struct tensor *tensor = &reader->set.at[reader->tensor];
    struct tensor_fill *fill = &reader->fill;

    if (!reader->source.lasting || !is_of_piece(reader, bytes) || tensor->data ||
        !fill->plain || fill->left > len ||
        (uintptr_t)bytes % pe_dtype_size(tensor->info.dtype) != 0)
        return 0;
    tensor->data = (void *)(uintptr_t)bytes; /* it is only read */
    tensor->borrowed = true;
    const size_t used = (size_t)fill->left;
    fill->left = 0;
    return used;
}

/* Allocates the memory of the tensor that begins, where it has none. */
static bool allocate_late(struct tensor_reader *reader)
{
    struct tensor *tensor = &reader->set.at[reader->tensor];

    if (tensor->data)
        return true;
    if (!tensor_allocate(tensor)) {
        tensor_reader_fail(reader, TENSOR_NO_MEMORY, "out of memory");
        return false;
    }
    reader->fill.data = tensor->data;
    return true;
}

size_t tensor_reader_fill(struct tensor_reader *reader, const char *bytes, size_t len)
{
    struct tensor_fill *fill = &reader->fill;
    size_t used = 0;

    while (used < len && reader->tensor < reader->set.count) {
        const size_t taken = borrow(reader, bytes + used, len - used);

        if (taken > 0) {
            used += taken;
            reader->tensor++;
            begin_tensor(reader);
            continue;
        }
        const size_t part = (size_t)least(len - used, fill->left);

        if (!allocate_late(reader))
            return used;
        if (!reserve(reader, tensor_fill_touches(fill, part)))
            return used;
        if (!tensor_fill_add(fill, bytes + used, part)) {
            tensor_reader_fail(reader, TENSOR_MALFORMED,
                               "%s has a number beyond %" PRId64 ", the largest that is read",
                               title(reader->set.at[reader->tensor].name), INT64_MAX);
            return used;
        }
        used += part;
        if (fill->left == 0) {
            reader->tensor++;
            begin_tensor(reader);
        }
    }
    return used;
}

static void read_data(struct tensor_reader *reader, const char *bytes, size_t len)
{
    const size_t used = tensor_reader_fill(reader, bytes, len);

    if (reader->state == TENSOR_OK && used < len)
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the body goes on after the %" PRIu64 " bytes of its tensors",
                           reader->bytes);
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

    reader->piece = bytes;
    reader->piece_len = len;
    read_head(reader, bytes, len, &used);
    if (reader->state == TENSOR_OK && reader->in_data)
        read_data(reader, bytes + used, len - used);
    reader->taken += len;
    reader->piece_len = 0;
    return settle(reader);
}

enum tensor_state tensor_reader_finish(struct tensor_reader *reader, struct tensor_set *set)
{
    *set = (struct tensor_set){0};
    if (reader->state == TENSOR_OK && !reader->in_data && reader->format->finish)
        reader->format->finish(reader);
    if (reader->state == TENSOR_OK && !reader->in_data) {
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the body ends after %" PRIu64 " bytes, within its header",
                           reader->taken);
    } else if (reader->state == TENSOR_OK && reader->tensor < reader->set.count) {
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the body ends before the %" PRIu64
                           " bytes of its tensors are there",
                           reader->bytes);
    } else if (reader->state == TENSOR_OK && !tensor_set_allocate(&reader->set)) {
        tensor_reader_fail(reader, TENSOR_NO_MEMORY, "out of memory"); /* of empty tensors */
    } else if (reader->state == TENSOR_OK) {
        *set = reader->set;
        reader->set = (struct tensor_set){0};
    }
    return settle(reader);
}
