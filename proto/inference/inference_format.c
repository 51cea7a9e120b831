/* SPDX-License-Identifier: Apache-2.0
 * inference_format.c - see inference_format.h. Without outputs in binary the JSON is written
 * as it is read, and its length is not known beforehand; else all of the JSON is made when
 * the response begins, and the bytes of the binary outputs follow. */
#include "proto/inference/inference_format.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/inference/inference_answer.h"
#include "proto/output/annotations.h"
#include "proto/output/encoder.h"
#include "proto/tensors/element_type.h"
#include "proto/text/elements.h"
#include "proto/text/json_write.h"

enum { EDGE_MAX = 1024 }; /* bytes of the text around the numbers of one output */

/* An output of the response, in the order of the response. */
struct part {
    size_t tensor; /* index in the plan */
    bool binary;
};

struct answer {
    struct part parts[PE_MAX_OUTPUTS];
    size_t count;
    bool binary; /* the response has bytes behind the JSON */
    /* The state of reading: */
    size_t part;
    bool opened;       /* the text before the numbers of the part was read */
    uint64_t element;  /* the next one of the part, or its next byte in binary */
    uint64_t head_len; /* bytes of JSON, if it was made at once */
};

/* ---- text ------------------------------------------------------------------------------- */

static const struct pe_tensor_info *tensor_of(const struct encoder *encoder,
                                              const struct answer *answer, size_t part)
{
    return pe_plan_tensor(encoder->plan, answer->parts[part].tensor);
}

/* Writes {"name":"cos","datatype":"FP32","shape":[2,64],"data":[ up to the numbers, or all
 * of an output whose bytes follow. */
static void open_part(struct buffer *out, const struct encoder *encoder,
                      const struct answer *answer, size_t part)
{
    const struct pe_tensor_info *tensor = tensor_of(encoder, answer, part);

    if (part > 0)
        buffer_add_text(out, ","); /* the part before may have been read from another buffer */
    json_write(out, "{'name':'%s','datatype':'%s'", tensor->output->name,
               element_type_of(tensor->dtype)->inference);
    json_write_integers(out, "shape", tensor->dims, tensor->rank);
    if (answer->parts[part].binary)
        json_write(out, "'parameters':{'binary_data_size':%" PRIu64 "}}",
                   encoder_bytes(tensor));
    else
        json_write(out, "'data':[");
}

static void begin_json(struct buffer *out, const struct encoder *encoder)
{
    const struct inference_answer *answer = encoder->context;

    json_write(out, "{'model_name':'%s','model_version':'%u'", answer->name, answer->version);
    json_write_text(out, "id", answer->id);
    if (pe_plan_fact_count(encoder->plan) > 0) {
        json_write_key(out, "parameters");
        annotations_write_facts(out, encoder->plan, 0);
    }
    json_write(out, "'outputs':[");
}

static char *print_truths(char *out, const unsigned char *truths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *word = truths[i] ? "true" : "false";
        size_t len = strlen(word);

        if (i > 0)
            *out++ = ',';
        memcpy(out, word, len);
        out += len;
    }
    return out;
}

/* Writes the next numbers of a part, at most `capacity` bytes; returns the bytes. */
static size_t read_numbers(struct encoder *encoder, struct answer *answer, char *out,
                           size_t capacity)
{
    const struct pe_tensor_info *tensor = tensor_of(encoder, answer, answer->part);
    const size_t most = encoder_block_elements(encoder->plan, tensor);
    uint64_t left = encoder_elements(tensor) - answer->element;
    size_t count = capacity / ELEMENTS_TEXT_MAX;
    bool nonfinite = false;
    char *at = out;

    count = count < most ? count : most;
    count = count < left ? count : (size_t)left;
    if (count == 0)
        return 0;
    count = encoder_fill(encoder, answer->parts[answer->part].tensor, answer->element, count,
                         encoder->block);
    if (answer->element > 0)
        *at++ = ',';
    at = tensor->dtype == PE_BOOL8
             ? print_truths(at, encoder->block, count)
             : elements_print(at, tensor->dtype, encoder->block, count, true, &nonfinite);
    answer->element += count;
    return (size_t)(at - out);
}

/* ---- the beginning ---------------------------------------------------------------------- */

/* Lists the outputs in the order of the response. */
static void list_parts(struct encoder *encoder, struct answer *state)
{
    const struct inference_answer *answer = encoder->context;

    state->count = pe_plan_tensor_count(encoder->plan);
    for (size_t i = 0; i < state->count; i++) {
        struct part *part = &state->parts[i];

        *part = (struct part){.tensor = i, .binary = answer->binary};
        if (answer->count == 0)
            continue;
        part->tensor = 0;
        while (strcmp(pe_plan_tensor(encoder->plan, part->tensor)->output->name,
                      answer->at[i].name) != 0)
            part->tensor++;
        part->binary = answer->at[i].binary;
    }
}

/* Makes all of the JSON of a response with outputs in binary. */
static void make_json(struct encoder *encoder, struct answer *answer)
{
    struct buffer *head = &encoder->head;

    for (answer->part = 0; answer->part < answer->count; answer->part++) {
        const struct pe_tensor_info *tensor = tensor_of(encoder, answer, answer->part);

        open_part(head, encoder, answer, answer->part);
        answer->element = 0;
        while (!answer->parts[answer->part].binary &&
               answer->element < encoder_elements(tensor)) {
            char *space = buffer_reserve(head, EDGE_MAX);

            if (!space)
                return;
            buffer_advance(head, read_numbers(encoder, answer, space, EDGE_MAX));
        }
        buffer_add_text(head, answer->parts[answer->part].binary ? "" : "]}");
    }
    buffer_add_text(head, "]}");
    answer->head_len = head->len;
    answer->part = 0;
    answer->element = 0;
}

static enum pe_status begin(struct encoder *encoder)
{
    struct answer *answer = calloc(1, sizeof *answer);
    bool binary = false;

    encoder->state = answer;
    if (!answer)
        return PE_NO_MEMORY;
    list_parts(encoder, answer);
    for (size_t i = 0; i < answer->count; i++) {
        binary |= answer->parts[i].binary;
        answer->binary |=
            answer->parts[i].binary && encoder_bytes(tensor_of(encoder, answer, i)) > 0;
    }
    begin_json(&encoder->head, encoder);
    if (binary)
        make_json(encoder, answer);
    return PE_OK;
}

static void end(struct encoder *encoder)
{
    free(encoder->state);
}

/* ---- reading ---------------------------------------------------------------------------- */

/* Does one step of a response in JSON: writes a part of it. */
static size_t read_step(struct encoder *encoder, struct answer *answer, char *out,
                        size_t capacity)
{
    const struct pe_tensor_info *tensor = tensor_of(encoder, answer, answer->part);
    struct buffer text = buffer_over(out, EDGE_MAX);

    if (!answer->opened) {
        open_part(&text, encoder, answer, answer->part);
        answer->opened = true;
        answer->element = 0;
    } else if (answer->element < encoder_elements(tensor)) {
        return read_numbers(encoder, answer, out, capacity);
    } else {
        answer->opened = false;
        answer->part++;
        buffer_add_text(&text, answer->part < answer->count ? "]}" : "]}]}");
    }
    assert(!text.failed);
    return text.len;
}

static size_t read_json(struct encoder *encoder, char *out, size_t capacity)
{
    struct answer *answer = encoder->state;
    size_t used = encoder_read_head(encoder, out, capacity);

    while (encoder->at == encoder->head.len && answer->part < answer->count &&
           capacity - used >= EDGE_MAX)
        used += read_step(encoder, answer, out + used, capacity - used);
    return used;
}

static size_t read_binary(struct encoder *encoder, char *out, size_t capacity)
{
    struct answer *answer = encoder->state;
    size_t used = encoder_read_head(encoder, out, capacity);

    while (used < capacity && answer->part < answer->count) {
        const struct part *part = &answer->parts[answer->part];
        uint64_t left = part->binary ? encoder_bytes(tensor_of(encoder, answer, answer->part)) -
                                           answer->element
                                     : 0;
        size_t len = left < capacity - used ? (size_t)left : capacity - used;

        encoder_fill_bytes(encoder, part->tensor, answer->element, out + used, len);
        used += len;
        answer->element += len;
        if (len == left) {
            answer->part++;
            answer->element = 0;
        }
    }
    return used;
}

static uint64_t size_binary(const struct encoder *encoder)
{
    const struct answer *answer = encoder->state;
    uint64_t size = encoder->head.len;

    for (size_t i = 0; i < answer->count; i++)
        size += answer->parts[i].binary ? encoder_bytes(tensor_of(encoder, answer, i)) : 0;
    return size;
}

/* ---- the formats ------------------------------------------------------------------------ */

static void write_headers(const struct encoder *encoder, struct buffer *lines)
{
    const struct answer *answer = encoder->state;

    buffer_add_format(lines, "Content-Type: %s\n",
                      answer->binary ? "application/octet-stream" : "application/json");
    if (answer->binary)
        buffer_add_format(lines, "Inference-Header-Content-Length: %" PRIu64 "\n",
                          answer->head_len);
    if (pe_plan_warning_count(encoder->plan) > 0)
        encoder_write_warnings(encoder, lines);
}

static const char *const accepts[] = {NULL};

static const struct format format_inference_json = {
    .name = "inference",
    .media_type = "application/json",
    .accepts = accepts,
    .extension = "json",
    .summary = "a response of the Open Inference Protocol",
    .wire_version = 1,
    .annotated = true,
    .instead = "set binary_data",
    .check = inference_answer_check,
    .read = read_json,
    .headers = write_headers,
    .begin = begin,
    .end = end,
};

static const struct format format_inference_binary = {
    .name = "inference-binary",
    .media_type = "application/octet-stream",
    .accepts = accepts,
    .extension = "bin",
    .summary = "a response of the Open Inference Protocol with tensors in binary",
    .wire_version = 1,
    .binary = true,
    .annotated = true,
    .check = inference_answer_check,
    .size = size_binary,
    .read = read_binary,
    .headers = write_headers,
    .begin = begin,
    .end = end,
};

const struct format *inference_format_of(const struct inference_answer *answer)
{
    bool binary = answer->count == 0 && answer->binary;

    for (size_t i = 0; i < answer->count; i++)
        binary |= answer->at[i].binary;
    return binary ? &format_inference_binary : &format_inference_json;
}
