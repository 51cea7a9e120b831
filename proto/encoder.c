/* SPDX-License-Identifier: Apache-2.0
 * encoder.c - what all formats share: the life of an encoder, blocks of numbers out of the
 * plan, and the headers of an answer. */
#include "proto/encoder.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "binary formats are little-endian: numbers are sent as they lie in memory");

enum { ALIGNMENT = 64 };

uint64_t encoder_elements(const struct pe_tensor_info *tensor)
{
    return tensor->rows * tensor->cols;
}

uint64_t encoder_bytes(const struct pe_tensor_info *tensor)
{
    return encoder_elements(tensor) * pe_dtype_size(tensor->dtype);
}

size_t encoder_block_elements(const struct pe_tensor_info *tensor)
{
    uint64_t most = ENCODER_BLOCK_BYTES / pe_dtype_size(tensor->dtype);
    uint64_t elements = encoder_elements(tensor);
    most = most < ENCODER_BLOCK_ELEMENTS ? most : ENCODER_BLOCK_ELEMENTS;
    return (size_t)(elements == 0 ? 1 : elements < most ? elements : most);
}

static void *allocate(size_t size)
{
    return aligned_alloc(ALIGNMENT, (size / ALIGNMENT + 1) * ALIGNMENT);
}

/* Block and scratch, as large as the largest tensor wants them. */
static bool allocate_blocks(struct encoder *encoder)
{
    size_t bytes = 0, elements = 0;
    for (size_t i = 0; i < pe_plan_tensor_count(encoder->plan); i++) {
        const struct pe_tensor_info *tensor = pe_plan_tensor(encoder->plan, i);
        size_t count = encoder_block_elements(tensor);
        size_t size = count * pe_dtype_size(tensor->dtype);
        elements = count > elements ? count : elements;
        bytes = size > bytes ? size : bytes;
    }
    encoder->block = allocate(bytes);
    encoder->scratch = allocate(pe_plan_scratch(encoder->plan, elements));
    return encoder->block != NULL && encoder->scratch != NULL;
}

struct encoder *encoder_new(const struct request *request, struct pe_plan *plan)
{
    struct encoder *encoder = calloc(1, sizeof *encoder);
    if (encoder == NULL) {
        return NULL;
    }
    encoder->options = *request_options(request);
    encoder->format = encoder->options.format;
    encoder->plan = pe_plan_ref(plan);
    request_inputs(request, encoder->input);
    for (size_t i = 0; i < PE_MAX_OUTPUTS; i++) {
        encoder->order[i] = i;
    }
    assert(!encoder->format->single || pe_plan_tensor_count(plan) == 1);
    if (!allocate_blocks(encoder) ||
        (encoder->format->begin != NULL && encoder->format->begin(encoder) != PE_OK) ||
        encoder->head.failed) {
        encoder_free(encoder);
        return NULL;
    }
    return encoder;
}

void encoder_free(struct encoder *encoder)
{
    if (encoder == NULL) {
        return;
    }
    if (encoder->format->end != NULL) {
        encoder->format->end(encoder);
    }
    buffer_fini(&encoder->head);
    free(encoder->block);
    free(encoder->scratch);
    pe_plan_free(encoder->plan);
    free(encoder);
}

uint64_t encoder_size(const struct encoder *encoder)
{
    return encoder->format->size(encoder);
}

size_t encoder_read(struct encoder *encoder, char *out, size_t room)
{
    assert(room >= FORMAT_MIN_ROOM);
    return encoder->format->read(encoder, out, room);
}

void encoder_seek(struct encoder *encoder, uint64_t at)
{
    assert(at <= encoder_size(encoder));
    encoder->format->seek(encoder, at);
}

size_t encoder_read_head(struct encoder *encoder, char *out, size_t room)
{
    size_t left = (size_t)(encoder->head.len - encoder->at);
    size_t len = left < room ? left : room;
    if (len > 0) {
        memcpy(out, encoder->head.bytes + encoder->at, len);
    }
    encoder->at += len;
    return len;
}

/* ---- numbers out of the plan ---------------------------------------------------------- */

size_t encoder_fill(struct encoder *encoder, size_t index, uint64_t at, size_t max, void *out)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(encoder->plan, index);
    uint64_t row = at / tensor->cols, col = at % tensor->cols;
    struct pe_rect rect = {.row = row, .rows = 1, .col = col, .cols = tensor->cols - col};
    void *slots[PE_MAX_OUTPUTS] = {NULL};
    assert(max > 0 && row < tensor->rows);
    if (col > 0 || max < tensor->cols) { /* a piece of one row */
        rect.cols = max < rect.cols ? max : rect.cols;
    } else { /* whole rows */
        uint64_t rows = max / tensor->cols;
        rect.rows = rows < tensor->rows - row ? rows : tensor->rows - row;
    }
    slots[tensor->slot] = out;
    pe_fill(encoder->plan, tensor->group, &rect, slots, encoder->input, encoder->scratch);
    return (size_t)(rect.rows * rect.cols);
}

void encoder_fill_bytes(struct encoder *encoder, size_t index, uint64_t at, char *out,
                        size_t len)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(encoder->plan, index);
    size_t size = pe_dtype_size(tensor->dtype), most = encoder_block_elements(tensor);
    while (len > 0) {
        size_t into = (size_t)(at % size), done = 0;
        if (into == 0 && len >= size && (uintptr_t)out % size == 0) {
            size_t count = len / size < most ? len / size : most;
            done = encoder_fill(encoder, index, at / size, count, out) * size;
        } else { /* begins or ends inside an element, or out is not aligned */
            size_t count = (into + len - 1) / size + 1;
            count = count < most ? count : most;
            done = encoder_fill(encoder, index, at / size, count, encoder->block) * size - into;
            done = done < len ? done : len;
            memcpy(out, encoder->block + into, done);
        }
        out += done;
        at += done;
        len -= done;
    }
}

/* ---- headers -------------------------------------------------------------------------- */

static struct format_header *add(struct format_header **next, const char *name)
{
    struct format_header *header = (*next)++;
    snprintf(header->name, sizeof header->name, "%s", name);
    header->value[0] = '\0';
    return header;
}

static void print_shape(char *text, size_t size, const struct pe_tensor_info *tensor)
{
    size_t len = 0;
    snprintf(text, size, "scalar"); /* an empty header is no header */
    for (size_t i = 0; i < tensor->rank && len < size; i++) {
        len += (size_t)snprintf(text + len, size - len, "%s%" PRIu64, i == 0 ? "" : ",",
                                tensor->dims[i]);
    }
}

/* "rope-apply.npy": the encoding's id, whose slash is none of a file name. */
static void print_disposition(char *text, size_t size, const struct encoder *encoder)
{
    const char *name = pe_name(pe_args_encoding(pe_plan_args(encoder->plan)));
    snprintf(text, size, "inline; filename=\"%s.%s\"", name, encoder->format->extension);
    char *slash = strchr(name, '/') != NULL ? strchr(text, '/') : NULL;
    if (slash != NULL) {
        *slash = '-';
    }
}

/* All warnings in one line that a header may hold; what is too long is cut. */
static void print_warnings(char *text, size_t size, const struct pe_plan *plan)
{
    size_t len = 0;
    for (size_t i = 0; i < pe_plan_warning_count(plan) && len < size; i++) {
        len += (size_t)snprintf(text + len, size - len, "%s%s", i == 0 ? "" : "; ",
                                pe_plan_warning(plan, i));
    }
    for (char *c = text; *c != '\0'; c++) {
        *c = *c < ' ' || *c > '~' ? ' ' : *c;
    }
}

size_t encoder_headers(const struct encoder *encoder,
                       struct format_header headers[FORMAT_MAX_HEADERS])
{
    const struct format *format = encoder->format;
    const struct pe_plan *plan = encoder->plan;
    struct format_header *next = headers;
    struct format_header *disposition = add(&next, "Content-Disposition");
    print_disposition(disposition->value, sizeof disposition->value, encoder);
    if (format->binary && pe_plan_tensor_count(plan) == 1) {
        const struct pe_tensor_info *tensor = pe_plan_tensor(plan, 0);
        struct format_header *shape = add(&next, "Posenc-Shape");
        print_shape(shape->value, sizeof shape->value, tensor);
        struct format_header *dtype = add(&next, "Posenc-Dtype");
        snprintf(dtype->value, sizeof dtype->value, "%s", pe_dtype_name(tensor->dtype));
    }
    if (format->endian) {
        struct format_header *endian = add(&next, "Posenc-Endian");
        snprintf(endian->value, sizeof endian->value, "little");
    }
    if (!format->annotated && pe_plan_warning_count(plan) > 0) {
        struct format_header *warning = add(&next, "Posenc-Warning");
        print_warnings(warning->value, sizeof warning->value, plan);
    }
    assert(next - headers <= FORMAT_MAX_HEADERS);
    return (size_t)(next - headers);
}
