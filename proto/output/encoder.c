/* SPDX-License-Identifier: Apache-2.0
 * encoder.c - the code that all formats share: making an encoder, blocks of numbers from the
 * plan, and the headers of a response. */
#include "proto/output/encoder.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text/float_text.h"
#include "proto/http/answer_header.h"
#include "proto/output/annotations.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "binary formats are little-endian: numbers are sent as they lie in memory");

enum {
    ALIGNMENT = 64,
    ANNOTATIONS_MAX =
        464,         /* bytes of warnings, or of warnings and facts, in headers: a head has
                            * little space */
    FACTS_HEAD = 80, /* of them for the names of the headers of facts and mask value */
};

uint64_t encoder_elements(const struct pe_tensor_info *tensor)
{
    return tensor->rows * tensor->cols;
}

uint64_t encoder_bytes(const struct pe_tensor_info *tensor)
{
    return encoder_elements(tensor) * pe_dtype_size(tensor->dtype);
}

size_t encoder_block_elements(const struct pe_plan *plan, const struct pe_tensor_info *tensor)
{
    uint64_t most = ENCODER_BLOCK_BYTES / pe_dtype_size(tensor->dtype);
    uint64_t elements = encoder_elements(tensor);
    double ns = pe_plan_cost_ns(plan, 1);

    most = most < ENCODER_BLOCK_ELEMENTS ? most : ENCODER_BLOCK_ELEMENTS;
    if (ns * (double)most > ENCODER_BLOCK_NS)
        most = ns < ENCODER_BLOCK_NS ? (uint64_t)(ENCODER_BLOCK_NS / ns) : 1;
    return (size_t)(elements == 0 ? 1 : elements < most ? elements : most);
}

static size_t aligned(size_t size)
{
    return (size / ALIGNMENT + 1) * ALIGNMENT;
}

static char *align(char *at)
{
    return at + -(uintptr_t)at % ALIGNMENT;
}

/* Allocates the encoder with its block and scratch, both large enough for every tensor. */
static struct encoder *allocate(const struct pe_plan *plan)
{
    size_t bytes = 0, elements = 0;

    for (size_t i = 0; i < pe_plan_tensor_count(plan); i++) {
        const struct pe_tensor_info *tensor = pe_plan_tensor(plan, i);
        size_t count = encoder_block_elements(plan, tensor);
        size_t size = count * pe_dtype_size(tensor->dtype);

        elements = count > elements ? count : elements;
        bytes = size > bytes ? size : bytes;
    }
    size_t block = aligned(bytes), scratch = aligned(pe_plan_scratch(plan, elements));
    struct encoder *encoder = malloc(sizeof *encoder + ALIGNMENT + block + scratch);
    if (!encoder)
        return NULL;
    char *rest = align((char *)(encoder + 1));
    *encoder = (struct encoder){.block = (unsigned char *)rest, .scratch = rest + block};
    pe_scratch_begin(encoder->scratch);
    return encoder;
}

struct encoder *encoder_new(const struct request *request, struct pe_plan *plan)
{
    struct encoder *encoder = allocate(plan);

    if (!encoder)
        return NULL;
    encoder->options = *request_options(request);
    encoder->format = encoder->options.format;
    encoder->plan = pe_plan_ref(plan);
    encoder->context = request_format_context(request);
    request_inputs(request, encoder->input);
    for (size_t i = 0; i < PE_MAX_OUTPUTS; i++)
        encoder->order[i] = i;
    assert(!encoder->format->single || pe_plan_tensor_count(plan) == 1);
    if ((encoder->format->begin && encoder->format->begin(encoder) != PE_OK) ||
        encoder->head.failed) {
        encoder_free(encoder);
        return NULL;
    }
    return encoder;
}

void encoder_free(struct encoder *encoder)
{
    if (!encoder)
        return;
    if (encoder->format->end)
        encoder->format->end(encoder);
    buffer_fini(&encoder->head);
    pe_plan_free(encoder->plan);
    free(encoder);
}

const struct format *encoder_format(const struct encoder *encoder)
{
    return encoder->format;
}

uint64_t encoder_size(const struct encoder *encoder)
{
    return encoder->format->size ? encoder->format->size(encoder) : FORMAT_UNKNOWN;
}

size_t encoder_read(struct encoder *encoder, char *out, size_t capacity)
{
    assert(capacity >= FORMAT_MIN_CAPACITY);
    return encoder->format->read(encoder, out, capacity);
}

void encoder_set_stop(struct encoder *encoder, const struct pe_stop *stop)
{
    encoder->stop = stop;
}

void encoder_set_clock(struct encoder *encoder, uint64_t (*clock_ns)(void))
{
    encoder->clock_ns = clock_ns;
}

uint64_t encoder_fill_ns(const struct encoder *encoder)
{
    return encoder->fill_ns;
}

bool encoder_is_stopped(const struct encoder *encoder)
{
    return pe_stop_is_set(encoder->stop);
}

bool encoder_failed(const struct encoder *encoder)
{
    return encoder->failed;
}

void encoder_seek(struct encoder *encoder, uint64_t at)
{
    assert(at <= encoder_size(encoder));
    encoder->format->seek(encoder, at);
}

size_t encoder_read_head(struct encoder *encoder, char *out, size_t capacity)
{
    size_t left = (size_t)(encoder->head.len - encoder->at);
    size_t len = left < capacity ? left : capacity;

    if (len > 0)
        memcpy(out, encoder->head.bytes + encoder->at, len);
    encoder->at += len;
    return len;
}

/* ---- numbers from the plan ------------------------------------------------------------ */

size_t encoder_fill(struct encoder *encoder, size_t index, uint64_t at, size_t max, void *out)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(encoder->plan, index);
    uint64_t row = at / tensor->cols, col = at % tensor->cols;
    struct pe_rect rect = {.row = row, .rows = 1, .col = col, .cols = tensor->cols - col};
    void *slots[PE_MAX_OUTPUTS] = {NULL};

    assert(max > 0 && row < tensor->rows);
    if (col > 0 || max < tensor->cols) { /* a part of one row */
        rect.cols = max < rect.cols ? max : rect.cols;
    } else { /* whole rows */
        uint64_t rows = max / tensor->cols;
        rect.rows = rows < tensor->rows - row ? rows : tensor->rows - row;
    }
    slots[tensor->slot] = out;
    if (encoder->clock_ns)
        encoder->fill_ns -= encoder->clock_ns();
    pe_fill_next(encoder->plan, tensor->group, &rect, slots, encoder->input, encoder->scratch);
    if (encoder->clock_ns)
        encoder->fill_ns += encoder->clock_ns();
    return (size_t)(rect.rows * rect.cols);
}

void encoder_fill_bytes(struct encoder *encoder, size_t index, uint64_t at, char *out,
                        size_t len)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(encoder->plan, index);
    size_t size = pe_dtype_size(tensor->dtype),
           most = encoder_block_elements(encoder->plan, tensor);

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

static void add_name(struct buffer *lines, enum answer_header_id id)
{
    buffer_add_text(lines, answer_header_at(id)->name);
    buffer_add(lines, ": ", 2);
}

static void add_line(struct buffer *lines, enum answer_header_id id, const char *value)
{
    add_name(lines, id);
    buffer_add_text(lines, value);
    buffer_add(lines, "\n", 1);
}

static void add_shape(struct buffer *lines, const struct pe_tensor_info *tensor)
{
    add_name(lines, ANSWER_HEADER_SHAPE);
    buffer_add_text(lines, tensor->rank == 0 ? "scalar" : ""); /* empty: no header */
    for (size_t i = 0; i < tensor->rank; i++) {
        buffer_add(lines, ",", i > 0);
        buffer_add_integer(lines, tensor->dims[i]);
    }
    buffer_add(lines, "\n", 1);
}

/* Writes the file name "rope-apply.npy": the encoding's id, with its slash replaced. */
static void add_disposition(struct buffer *lines, const struct encoder *encoder)
{
    const char *name = pe_name(pe_args_encoding(pe_plan_args(encoder->plan)));
    const char *slash = strchr(name, '/');

    buffer_add_text(lines, "Content-Disposition: inline; filename=\"");
    buffer_add(lines, name, slash ? (size_t)(slash - name) : strlen(name));
    if (slash) {
        buffer_add(lines, "-", 1);
        buffer_add_text(lines, slash + 1);
    }
    buffer_add(lines, ".", 1);
    buffer_add_text(lines, encoder->format->extension);
    buffer_add(lines, "\"\n", 2);
}

size_t encoder_write_warnings(const struct encoder *encoder, struct buffer *lines)
{
    const struct pe_plan *plan = encoder->plan;
    char text[ANNOTATIONS_MAX];
    size_t len = 0;

    if (encoder->warning)
        len += (size_t)snprintf(text, sizeof text, "%s", encoder->warning);
    for (size_t i = 0; i < pe_plan_warning_count(plan) && len < sizeof text; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s", len == 0 ? "" : "; ",
                                pe_plan_warning(plan, i));
    for (char *c = text; *c != '\0'; c++)
        *c = *c < ' ' || *c > '~' ? ' ' : *c;
    add_line(lines, ANSWER_HEADER_WARNING, text);
    return strlen(text);
}

/* Writes the facts as one line of JSON of at most `most` bytes. A longer one is left out, since
 * a part of it is no JSON. */
static void add_facts(struct buffer *lines, const struct pe_plan *plan, size_t most)
{
    const size_t before = lines->len;

    add_name(lines, ANSWER_HEADER_FACTS);
    const size_t begin = lines->len;
    annotations_write_facts(lines, plan, 0);
    bool fits = lines->len <= begin + most;
    for (size_t i = begin; i < lines->len; i++)
        fits &= lines->bytes[i] >= ' ' && lines->bytes[i] <= '~';
    if (fits)
        buffer_add(lines, "\n", 1);
    else if (!lines->failed)
        lines->len = before;
}

/* Writes the number that the parameter mask_value stands for: "min" is the lowest number of the
 * tensor's dtype. */
static void add_mask_value(struct buffer *lines, const struct pe_plan *plan)
{
    const struct pe_args *args = pe_plan_args(plan);
    char text[FLOAT_TEXT_F64_MAX + 1];

    for (size_t i = 0; i < pe_args_value_count(args); i++) {
        const struct pe_value *value = pe_args_value(args, i);

        if (strcmp(value->name, "mask_value") != 0)
            continue;
        *float_text_f64(text, pe_dtype_lowest(pe_plan_tensor(plan, 0)->dtype)) = '\0';
        add_line(lines, ANSWER_HEADER_MASK_VALUE,
                 strcmp(value->text, "min") == 0 ? text : value->text);
    }
}

void encoder_write_headers(const struct encoder *encoder, struct buffer *lines)
{
    const struct format *format = encoder->format;
    const struct pe_plan *plan = encoder->plan;

    if (format->headers) {
        format->headers(encoder, lines);
        return;
    }
    add_disposition(lines, encoder);
    if (format->binary && pe_plan_tensor_count(plan) == 1) {
        add_shape(lines, pe_plan_tensor(plan, 0));
        add_line(lines, ANSWER_HEADER_DTYPE, pe_dtype_name(pe_plan_tensor(plan, 0)->dtype));
    }
    if (format->endian)
        add_line(lines, ANSWER_HEADER_ENDIAN, "little");
    if (format->annotated)
        return;
    size_t warned = encoder->warning || pe_plan_warning_count(plan) > 0
                        ? encoder_write_warnings(encoder, lines)
                        : 0;
    if (pe_plan_fact_count(plan) > 0 && warned + FACTS_HEAD < ANNOTATIONS_MAX)
        add_facts(lines, plan, ANNOTATIONS_MAX - FACTS_HEAD - warned);
    if (pe_plan_tensor_count(plan) == 1)
        add_mask_value(lines, plan);
}
