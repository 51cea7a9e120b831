/* SPDX-License-Identifier: Apache-2.0
 * json.c - the default format: first the encoding, its revision, the parameters used, facts and
 * warnings, then every tensor with its numbers nested, flat or as base64. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/output/annotations.h"
#include "proto/output/text_rows.h"
#include "proto/request/canonical.h"
#include "proto/text/base64.h"
#include "proto/text/elements.h"
#include "proto/text/json_write.h"

enum stage { STAGE_HEAD, STAGE_OPEN, STAGE_DATA, STAGE_CLOSE, STAGE_END };

/* base64 encodes blocks of whole elements that are a multiple of three bytes. */
enum {
    GROUP = 24,
    CHUNK_MAX = ENCODER_BLOCK_BYTES / GROUP * GROUP,
    NOTE_MAX = 1024,
    HEAD_SIZE = 1000
};

struct json {
    enum stage stage;
    size_t tensor;  /* index of the tensor being written */
    size_t levels;  /* nested: axes around a row */
    bool bracketed; /* rows have brackets: only a nested scalar has none */
    bool pretty;
    struct text_rows cells; /* for nested and flat numbers */
    uint64_t encoded;       /* base64: bytes of the tensor so far */
    unsigned char *chunk;   /* base64: bytes before they are text */
};

/* ---- brackets of nested arrays ---------------------------------------------------------- */

/* Counts the nested arrays that begin at row number `row`; as many end before it. */
static size_t turning(const struct json *json, const struct pe_tensor_info *tensor,
                      uint64_t row)
{
    size_t count = 0;
    uint64_t product = 1;

    while (count < json->levels) {
        product *= tensor->dims[json->levels - 1 - count];
        if (row % product != 0)
            break;
        count++;
    }
    return count;
}

static char *indent(const struct json *json, char *out, size_t depth)
{
    if (json->pretty)
        out += snprintf(out, 32, "\n%*s", (int)(6 + 2 * depth), "");
    return out;
}

static char *open_row(const struct text_rows *cells, char *out)
{
    const struct encoder *encoder = cells->context;
    const struct json *json = encoder->state;
    size_t begins = turning(json, pe_plan_tensor(encoder->plan, cells->tensor), cells->row);

    if (cells->row > 0)
        *out++ = ',';
    for (size_t depth = json->levels - begins; json->bracketed && depth <= json->levels;
         depth++) {
        out = depth > 0 ? indent(json, out, depth) : out;
        *out++ = '[';
    }
    return out;
}

static char *close_row(const struct text_rows *cells, char *out)
{
    const struct encoder *encoder = cells->context;
    const struct json *json = encoder->state;
    size_t ends = turning(json, pe_plan_tensor(encoder->plan, cells->tensor), cells->row + 1);

    if (json->bracketed)
        *out++ = ']';
    for (size_t i = 0; i < ends; i++) {
        out = indent(json, out, json->levels - 1 - i);
        *out++ = ']';
    }
    return out;
}

/* Divides a tensor's numbers into rows. An axis of length 0 ends the nesting: shape (2, 0, 5)
 * is [[],[]]. */
static void lay_out(struct json *json, struct encoder *encoder)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(encoder->plan, json->tensor);
    uint64_t elements = encoder_elements(tensor), rows = 1;
    bool nested = encoder->options.data == REQUEST_NESTED;

    json->levels = 0;
    while (nested && json->levels + 1 < tensor->rank && tensor->dims[json->levels] > 0)
        rows *= tensor->dims[json->levels++];
    json->bracketed = !nested || tensor->rank > 0;
    json->encoded = 0;
    json->cells = (struct text_rows){.tensor = json->tensor,
                                     .rows = rows,
                                     .cols = elements == 0 ? 0 : elements / rows,
                                     .quoted = true,
                                     .open = open_row,
                                     .close = close_row,
                                     .context = encoder};
}

/* ---- text around the numbers ------------------------------------------------------------- */

static enum pe_status begin(struct encoder *encoder)
{
    const struct pe_args *args = pe_plan_args(encoder->plan);
    const struct pe_encoding *enc = pe_args_encoding(args);
    struct buffer *head = &encoder->head;
    const size_t indent = encoder->options.pretty ? 2 : 0;
    struct json *json = calloc(1, sizeof *json);

    if (!json)
        return PE_NO_MEMORY;
    encoder->state = json;
    json->pretty = encoder->options.pretty;
    if (encoder->options.data == REQUEST_BASE64) {
        json->chunk = malloc(CHUNK_MAX);
        if (!json->chunk)
            return PE_NO_MEMORY;
    }
    buffer_reserve(head, HEAD_SIZE);
    json_write(head, "{");
    json_write_line(head, "encoding", indent);
    json_write_text(head, NULL, pe_name(enc));
    json_write_line(head, "rev", indent);
    json_write_integer(head, NULL, pe_revision(enc));
    json_write_line(head, "params", indent);
    canonical_write_json(head, args, &encoder->options.values, 2 * indent);
    json_write_line(head, "facts", indent);
    annotations_write_facts(head, encoder->plan, 2 * indent);
    if (pe_plan_warning_count(encoder->plan) > 0) {
        json_write_line(head, "warnings", indent);
        annotations_write_warnings(head, encoder->plan, 2 * indent);
    }
    json_write_line(head, "tensors", indent);
    buffer_add(head, "[", 1);
    json_write_line(head, NULL, 2 * indent);
    return PE_OK;
}

static void end(struct encoder *encoder)
{
    struct json *json = encoder->state;

    if (json) {
        free(json->chunk);
        free(json);
    }
}

/* Writes {"name":"cos","dtype":"f32","shape":[2,64],"data": */
static size_t open_tensor(const struct json *json, const struct encoder *encoder, char *out)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(encoder->plan, json->tensor);
    struct buffer text = buffer_over(out, NOTE_MAX);
    const size_t indent = json->pretty ? 6 : 0;

    json_write(&text, "{");
    json_write_line(&text, "name", indent);
    json_write_text(&text, NULL, tensor->output->name);
    json_write_line(&text, "dtype", indent);
    json_write_text(&text, NULL, pe_dtype_name(tensor->dtype));
    json_write_line(&text, "shape", indent);
    json_write_integers(&text, NULL, tensor->dims, tensor->rank);
    json_write_line(&text, "data", indent);
    buffer_add(&text, "\"", json->chunk != NULL);
    assert(!text.failed);
    return text.len;
}

/* Writes ,"nonfinite":true} and the text between or after tensors. */
static size_t close_tensor(const struct json *json, const struct encoder *encoder, char *out)
{
    bool last = json->tensor + 1 == pe_plan_tensor_count(encoder->plan);
    const char *between = json->pretty ? ",\n    " : ",";
    const char *after = json->pretty ? "\n  ]\n}\n" : "]}\n";
    const char *nonfinite =
        json->pretty ? ",\n      \"nonfinite\": true" : ",\"nonfinite\":true";
    struct buffer text = buffer_over(out, NOTE_MAX);

    buffer_add(&text, "\"", json->chunk != NULL);
    buffer_add_text(&text, json->cells.nonfinite ? nonfinite : "");
    buffer_add_text(&text, json->pretty ? "\n    }" : "}");
    buffer_add_text(&text, last ? after : between);
    assert(!text.failed);
    return text.len;
}

/* ---- reading ----------------------------------------------------------------------------- */

static size_t read_base64(struct json *json, struct encoder *encoder, char *out,
                          size_t capacity)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(encoder->plan, json->tensor);
    uint64_t left = encoder_bytes(tensor) - json->encoded;
    size_t size = pe_dtype_size(tensor->dtype);
    size_t len = capacity / 4 * 3 / GROUP * GROUP;

    len = len < CHUNK_MAX ? len : CHUNK_MAX;
    len = len < left ? len : (size_t)left;
    encoder_fill_bytes(encoder, json->tensor, json->encoded, (char *)json->chunk, len);
    json->cells.nonfinite |= elements_have_nonfinite(tensor->dtype, json->chunk, len / size);
    json->encoded += len;
    return (size_t)(base64_print(out, json->chunk, len) - out);
}

static bool data_done(const struct json *json, const struct encoder *encoder)
{
    return json->chunk
               ? json->encoded == encoder_bytes(pe_plan_tensor(encoder->plan, json->tensor))
               : text_rows_done(&json->cells);
}

/* Does one step of the response: writes a part of it, or goes to the next stage. */
static size_t step(struct json *json, struct encoder *encoder, char *out, size_t capacity)
{
    size_t len = 0;

    switch (json->stage) {
    case STAGE_HEAD:
        len = encoder_read_head(encoder, out, capacity);
        json->stage = encoder->at == encoder->head.len ? STAGE_OPEN : STAGE_HEAD;
        break;
    case STAGE_OPEN:
        lay_out(json, encoder);
        len = open_tensor(json, encoder, out);
        json->stage = STAGE_DATA;
        break;
    case STAGE_DATA:
        len = json->chunk ? read_base64(json, encoder, out, capacity)
                          : text_rows_read(&json->cells, encoder, out, capacity);
        json->stage = data_done(json, encoder) ? STAGE_CLOSE : STAGE_DATA;
        break;
    case STAGE_CLOSE:
        len = close_tensor(json, encoder, out);
        json->tensor++;
        json->stage =
            json->tensor == pe_plan_tensor_count(encoder->plan) ? STAGE_END : STAGE_OPEN;
        break;
    case STAGE_END:
        break;
    }
    return len;
}

static size_t read(struct encoder *encoder, char *out, size_t capacity)
{
    struct json *json = encoder->state;
    size_t used = 0;

    while (json->stage != STAGE_END && capacity - used >= NOTE_MAX)
        used += step(json, encoder, out + used, capacity - used);
    return used;
}

static const char *const accepts[] = {"application/json", NULL};

const struct format format_json = {
    .name = "json",
    .media_type = "application/json",
    .accepts = accepts,
    .extension = "json",
    .summary = "parameters, facts and any number of tensors",
    .readable = true,
    .wire_version = 1,
    .annotated = true,
    .read = read,
    .begin = begin,
    .end = end,
};
