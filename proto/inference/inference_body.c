/* SPDX-License-Identifier: Apache-2.0
 * inference_body.c - see inference_body.h. The JSON tells which tensors follow, so their
 * memory is allocated when its last byte is there, and counted as their bytes fill it. */
#include "proto/inference/inference_body.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/tensors/tensor.h"
#include "proto/tensors/tensor_fill.h"

enum { RESERVE = 64 << 10 }; /* bytes reserved ahead of those that are filled */

struct inference_body {
    struct inference_source source;
    enum inference_state state;
    struct json_body *json;
    uint64_t taken; /* bytes of the body so far */
    bool in_data;   /* the JSON is complete */
    struct inference_message message;
    size_t input;            /* index of the input that is being filled */
    struct tensor_fill fill; /* of this input */
    uint64_t memory;         /* bytes of the inputs' memory */
    uint64_t touched;        /* bytes of it that the body has filled */
    uint64_t reserved;       /* bytes reserved for it */
    uint64_t json_reserved;  /* and for the JSON */
    char *model, *preset;
    char why[WHY_SIZE];
};

bool inference_body_read_length(const char *text, uint64_t *length)
{
    *length = 0;
    for (const char *at = text; *at; at++)
        if (*at < '0' || *at > '9' || __builtin_mul_overflow(*length, 10, length) ||
            __builtin_add_overflow(*length, (uint64_t)(*at - '0'), length))
            return false;
    return *length > 0;
}

struct inference_body *inference_body_new(const struct inference_source *source)
{
    struct inference_body *body = calloc(1, sizeof *body);

    if (!body)
        return NULL;
    body->source = *source;
    body->json = json_body_new_truths(source->max_bytes);
    if (body->json)
        return body;
    free(body);
    return NULL;
}

static void free_data(struct inference_body *body)
{
    for (size_t i = 0; i < body->message.input_count; i++) {
        free(body->message.inputs[i].data);
        body->message.inputs[i].data = NULL;
    }
}

void inference_body_free(struct inference_body *body)
{
    if (!body)
        return;
    free_data(body);
    json_body_free(body->json);
    free(body->model);
    free(body->preset);
    free(body);
}

static char *copy(const char *text, size_t len)
{
    char *made = malloc(len + 1);

    if (made) {
        memcpy(made, text, len);
        made[len] = '\0';
    }
    return made;
}

bool inference_body_set_model(struct inference_body *body, const char *name, size_t name_len,
                              const char *preset)
{
    body->model = copy(name, name_len);
    body->preset = preset ? copy(preset, strlen(preset)) : NULL;
    return body->model && (!preset || body->preset);
}

const char *inference_body_model(const struct inference_body *body)
{
    return body->model;
}

const char *inference_body_preset(const struct inference_body *body)
{
    return body->preset;
}

static enum inference_state fail(struct inference_body *body, enum inference_state state,
                                 const char *format, ...) __attribute__((format(printf, 3, 4)));

static enum inference_state fail(struct inference_body *body, enum inference_state state,
                                 const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(body->why, sizeof body->why, format, args);
    va_end(args);
    free_data(body);
    body->state = state;
    return state;
}

/* ---- memory ----------------------------------------------------------------------------- */

static bool reserve(struct inference_body *body, uint64_t bytes)
{
    if (body->source.reserve(body->source.context, bytes))
        return true;
    fail(body, INFERENCE_OVER_BUDGET, "too many bodies in memory; try again");
    return false;
}

static bool reserve_json(struct inference_body *body)
{
    uint64_t held = json_body_held(body->json), before = body->json_reserved;

    if (held <= before)
        return true;
    body->json_reserved = held;
    return reserve(body, held - before);
}

static bool reserve_filled(struct inference_body *body, uint64_t bytes)
{
    uint64_t left = body->memory - body->reserved, more;

    body->touched += bytes;
    if (body->touched <= body->reserved || left == 0)
        return true;
    more = bytes > RESERVE ? bytes : RESERVE;
    more = more < left ? more : left;
    body->reserved += more;
    return reserve(body, more);
}

/* ---- the JSON --------------------------------------------------------------------------- */

static enum inference_state settle_json(struct inference_body *body, enum json_body_state state)
{
    switch (state) {
    case JSON_BODY_MALFORMED:
        return fail(body, INFERENCE_MALFORMED, "%s", json_body_error(body->json));
    case JSON_BODY_TOO_LARGE:
        return fail(body, INFERENCE_TOO_LARGE, "%s", json_body_error(body->json));
    case JSON_BODY_NO_MEMORY:
        return fail(body, INFERENCE_NO_MEMORY, "out of memory");
    case JSON_BODY_OK:
        break;
    }
    return INFERENCE_OK;
}

/* Goes on to the next input with bytes of its own. */
static void begin_input(struct inference_body *body)
{
    struct inference_message *message = &body->message;

    for (; body->input < message->input_count; body->input++) {
        struct inference_input *input = &message->inputs[body->input];

        if (!input->binary || input->bytes == 0)
            continue;
        tensor_fill_begin(&body->fill, &input->layout, input->data);
        return;
    }
}

/* Checks that the body has as many bytes as its inputs, and allocates their memory. */
static enum inference_state begin_data(struct inference_body *body)
{
    struct inference_message *message = &body->message;
    const struct inference_source *source = &body->source;
    uint64_t bytes = 0, end;

    for (size_t i = 0; i < message->input_count; i++)
        if (message->inputs[i].binary &&
            __builtin_add_overflow(bytes, message->inputs[i].bytes, &bytes))
            bytes = UINT64_MAX;
    if (bytes > 0 && source->head == 0)
        return fail(
            body, INFERENCE_MALFORMED,
            "Inference-Header-Content-Length must say where the JSON ends, because binary "
            "tensors follow");
    if (__builtin_add_overflow(body->taken, bytes, &end) || end > source->max_bytes)
        return fail(body, INFERENCE_TOO_LARGE,
                    "a body has at most %" PRIu64 " bytes; its binary tensors have %" PRIu64,
                    source->max_bytes, bytes);
    if (source->length != INFERENCE_LENGTH_UNKNOWN && source->length != end)
        return fail(body, INFERENCE_MALFORMED,
                    "the JSON and its binary tensors have %" PRIu64
                    " bytes, so the body must have as many; it has %" PRIu64,
                    end, source->length);
    for (size_t i = 0; i < message->input_count; i++) {
        struct inference_input *input = &message->inputs[i];
        size_t size = (size_t)input->count * pe_dtype_size(input->layout.type->dtype);

        if (!input->binary)
            continue;
        size = (size / TENSOR_ALIGNMENT + 1) * TENSOR_ALIGNMENT;
        input->data = aligned_alloc(TENSOR_ALIGNMENT, size);
        if (!input->data)
            return fail(body, INFERENCE_NO_MEMORY, "out of memory");
        body->memory += size;
    }
    begin_input(body);
    return INFERENCE_OK;
}

static enum inference_state end_json(struct inference_body *body)
{
    static const char nothing[] = "{}";

    if (body->taken == 0)
        (void)json_body_add(body->json, nothing, sizeof nothing - 1);
    if (settle_json(body, json_body_finish(body->json)) != INFERENCE_OK || !reserve_json(body))
        return body->state;
    body->in_data = true;
    if (!inference_message_read(&body->message, body->json, body->why)) {
        body->message.input_count = 0;
        body->state = INFERENCE_MALFORMED;
        return body->state;
    }
    return begin_data(body);
}

/* ---- bytes ------------------------------------------------------------------------------ */

static void add_data(struct inference_body *body, const char *bytes, size_t len)
{
    while (len > 0 && body->input < body->message.input_count) {
        size_t part = len < body->fill.left ? len : (size_t)body->fill.left;

        if (!reserve_filled(body, tensor_fill_touches(&body->fill, part)))
            return;
        if (!tensor_fill_add(&body->fill, bytes, part)) {
            fail(body, INFERENCE_MALFORMED,
                 "inputs %.40s: a number is beyond %" PRId64 ", the largest that is read",
                 body->message.inputs[body->input].name, INT64_MAX);
            return;
        }
        bytes += part;
        len -= part;
        body->taken += part;
        if (body->fill.left == 0) {
            body->input++;
            begin_input(body);
        }
    }
    if (len > 0)
        fail(body, INFERENCE_MALFORMED,
             "the body must end with the last of its binary tensors, after %" PRIu64 " bytes",
             body->taken);
}

enum inference_state inference_body_add(struct inference_body *body, const char *bytes,
                                        size_t len)
{
    if (body->state != INFERENCE_OK)
        return body->state;
    if (!body->in_data) {
        uint64_t left = body->source.head > 0 ? body->source.head - body->taken : UINT64_MAX;
        size_t part = len < left ? len : (size_t)left;

        settle_json(body, json_body_add(body->json, bytes, part));
        body->taken += part;
        if (body->state != INFERENCE_OK || !reserve_json(body))
            return body->state;
        bytes += part;
        len -= part;
        if (body->taken == body->source.head && end_json(body) != INFERENCE_OK)
            return body->state;
    }
    if (len > 0)
        add_data(body, bytes, len);
    return body->state;
}

enum inference_state inference_body_finish(struct inference_body *body)
{
    if (body->state != INFERENCE_OK)
        return body->state;
    if (!body->in_data && body->source.head > 0)
        return fail(body, INFERENCE_MALFORMED,
                    "Inference-Header-Content-Length must be at most the length of the body, "
                    "%" PRIu64 "; got %" PRIu64,
                    body->taken, body->source.head);
    if (!body->in_data && end_json(body) != INFERENCE_OK)
        return body->state;
    if (body->input < body->message.input_count)
        return fail(body, INFERENCE_MALFORMED,
                    "inputs %.40s: the body ends before the last of its bytes",
                    body->message.inputs[body->input].name);
    return INFERENCE_OK;
}

/* ---- results ---------------------------------------------------------------------------- */

const char *inference_body_error(const struct inference_body *body)
{
    return body->why;
}

uint64_t inference_body_held(const struct inference_body *body)
{
    return body->reserved + body->json_reserved;
}

uint64_t inference_body_work(const struct inference_body *body)
{
    uint64_t work = json_body_len(body->json);

    for (size_t i = 0; i < body->message.input_count; i++)
        work += body->message.inputs[i].binary ? body->message.inputs[i].bytes / 8 : 0;
    return work;
}

struct inference_message *inference_body_message(struct inference_body *body)
{
    return &body->message;
}

const struct json_body *inference_body_json(const struct inference_body *body)
{
    return body->json;
}
