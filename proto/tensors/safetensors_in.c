/* SPDX-License-Identifier: Apache-2.0
 * safetensors_in.c - reads several tensors by name as they arrive: u64 length of a JSON header,
 * the header, the elements. safetensors_head.h checks the header. */
#include <string.h>

#include "proto/tensors/safetensors_head.h"
#include "proto/tensors/tensor_format.h"
#include "proto/text/json_body.h"

struct safetensors {
    unsigned char prefix[SAFETENSORS_PREFIX];
    size_t prefix_len;
    uint64_t len, taken; /* bytes of the header: all; so far */
    struct json_body *json;
};

static void fail(struct tensor_reader *reader, const char *why)
{
    tensor_reader_fail(reader, TENSOR_MALFORMED, "%s", why);
}

/* Fails because the header's JSON is wrong, or there was no memory to read it. */
static void fail_json(struct tensor_reader *reader, const struct safetensors *state,
                      enum json_body_state read)
{
    if (read == JSON_BODY_NO_MEMORY)
        tensor_reader_fail(reader, TENSOR_NO_MEMORY, "out of memory");
    else
        tensor_reader_fail(reader, TENSOR_MALFORMED, "the safetensors header is not read: %s",
                           json_body_error(state->json));
}

/* Keeps a text of the metadata, for readers of tensors of any names. */
static void keep_text(struct tensor_reader *reader, const char *text, char **kept)
{
    if (reader->source.enc || reader->state != TENSOR_OK || !text ||
        !tensor_reader_reserve(reader, strlen(text) + 1))
        return;
    *kept = strdup(text);
    if (!*kept)
        tensor_reader_fail(reader, TENSOR_NO_MEMORY, "out of memory");
}

static void read_header(struct tensor_reader *reader, struct safetensors *state, size_t used)
{
    struct safetensors_entry entries[TENSOR_MAX];
    char why[WHY_SIZE];
    size_t count;
    enum json_body_state read = json_body_finish(state->json);

    if (read != JSON_BODY_OK) {
        fail_json(reader, state, read);
        return;
    }
    if (!safetensors_head_read(state->json, ELEMENT_ANY, reader->source.enc, entries,
                               TENSOR_MAX, &count, why)) {
        fail(reader, why);
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (tensor_reader_expect(reader, entries[i].name, &entries[i].layout) != TENSOR_OK)
            return;
    const char *config = safetensors_head_text(state->json, "config");
    keep_text(reader, config && *config == '{' ? config : NULL, &reader->set.config);
    keep_text(reader, safetensors_head_text(state->json, "claim"), &reader->set.claim);
    if (reader->state == TENSOR_OK)
        tensor_reader_begin_data(reader, used);
}

/* ---- bytes ------------------------------------------------------------------------------- */

static void read_prefix(struct tensor_reader *reader, struct safetensors *state)
{
    char why[WHY_SIZE];

    if (!safetensors_head_length(state->prefix, &state->len, why)) {
        fail(reader, why);
        return;
    }
    state->json = json_body_new(state->len);
    if (!state->json)
        tensor_reader_fail(reader, TENSOR_NO_MEMORY, "out of memory");
}

static void read_json(struct tensor_reader *reader, struct safetensors *state,
                      const char *bytes, size_t len)
{
    if (state->taken == 0 && len > 0 && bytes[0] != '{') {
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the safetensors header must begin with {");
        return;
    }
    state->taken += len;
    enum json_body_state read = json_body_add(state->json, bytes, len);
    if (read != JSON_BODY_OK)
        fail_json(reader, state, read);
}

static size_t head(struct tensor_reader *reader, const char *bytes, size_t len)
{
    struct safetensors *state = reader->head;
    size_t used = 0;

    while (used < len && state->prefix_len < SAFETENSORS_PREFIX) {
        state->prefix[state->prefix_len++] = (unsigned char)bytes[used++];
        if (state->prefix_len == SAFETENSORS_PREFIX)
            read_prefix(reader, state);
    }
    if (!state->json || reader->state != TENSOR_OK)
        return used;
    uint64_t left = state->len - state->taken;
    size_t count = len - used < left ? len - used : (size_t)left;
    read_json(reader, state, bytes + used, count);
    used += count;
    if (reader->state == TENSOR_OK && state->taken == state->len)
        read_header(reader, state, used);
    return used;
}

static void end(struct tensor_reader *reader)
{
    struct safetensors *state = reader->head;

    json_body_free(state->json);
}

/* The length of a header that is read, and the header's first byte. */
static bool sniff(const unsigned char *bytes, size_t len)
{
    char why[WHY_SIZE];
    uint64_t length;

    return len > SAFETENSORS_PREFIX && safetensors_head_length(bytes, &length, why) &&
           bytes[SAFETENSORS_PREFIX] == '{';
}

static const char *const media_types[] = {"application/x-safetensors",
                                          "application/safetensors",
                                          "application/vnd.safetensors", NULL};

const struct tensor_format safetensors_in = {
    .media_types = media_types,
    .summary = "tensors by name, F64, F32, F16 or BF16",
    .sniff = sniff,
    .state_size = sizeof(struct safetensors),
    .head = head,
    .end = end,
};
