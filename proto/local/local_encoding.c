/* SPDX-License-Identifier: Apache-2.0
 * local_encoding.c - the answer of an encoding: request, plan and encoder, as the service makes
 * them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "proto/http/format.h"
#include "proto/local/local_state.h"

struct request_limits local_limits(void)
{
    return (struct request_limits){.max_elements = LOCAL_MAX_ELEMENTS,
                                   .max_text_elements = 16 << 20,
                                   .max_prepared = PE_DEFAULT_MAX_PREPARED};
}

bool local_encode(struct encoder *encoder, struct buffer *out)
{
    enum { STEP = 256 << 10 };
    const uint64_t size = encoder ? encoder_size(encoder) : 0;
    size_t step = size != FORMAT_UNKNOWN && size < SIZE_MAX / 2 ? (size_t)size : STEP, len = 1;

    if (!encoder)
        buffer_fail(out);
    while (encoder && !out->failed && len > 0) {
        const size_t capacity = step > FORMAT_MIN_CAPACITY ? step : FORMAT_MIN_CAPACITY;
        char *place = buffer_reserve(out, capacity);

        if (!place)
            break;
        len = encoder_read(encoder, place, capacity);
        buffer_advance(out, len);
        step = STEP;
    }
    if (encoder && encoder_failed(encoder))
        buffer_fail(out);
    return !out->failed;
}

/* Gives the request its query and its body; the problems of both are reported together. */
static enum pe_status give(struct local *local, struct request *request)
{
    enum pe_status query = PE_OK, body = PE_OK;

    if (local->asked->query)
        query = request_set_query(request, local->asked->query, local->asked->query_len,
                                  &local->errors);
    if (local->json)
        body = request_set_json(request, local->json, &local->errors);
    else if (local->asked->type)
        body = request_set_tensors(request, local->format, &local->tensors, &local->errors);
    return query == PE_NO_MEMORY || body == PE_NO_MEMORY ? PE_NO_MEMORY : PE_OK;
}

/* Writes the body, which HEAD leaves uncomputed where its length is known beforehand, and the
 * headers. */
static void deliver(struct local *local, const struct request *request, struct encoder *encoder)
{
    struct buffer *headers = &local->answer->headers;
    const uint64_t size = encoder ? encoder_size(encoder) : FORMAT_UNKNOWN;
    const bool told = local->asked->method == METHOD_HEAD && size != FORMAT_UNKNOWN;
    const char *location =
        request_has_tensors(request) ? NULL : request_canonical(request, NULL);

    if (!told && !local_encode(encoder, &local->answer->body))
        return;
    encoder_write_headers(encoder, headers);
    if (told)
        buffer_add_format(headers, "Content-Length: %" PRIu64 "\n", size);
    if (location)
        buffer_add_format(headers, "Content-Location: %s\n", location);
}

static void answer(struct local *local, struct request *request)
{
    const struct request_limits limits = local_limits();
    const char *accept = local->asked->accept;
    struct pe_plan *plan = NULL;
    struct encoder *encoder;
    enum pe_status status = give(local, request);

    if (status == PE_OK)
        status = request_finish(request, accept, accept ? strlen(accept) : 0, &local->errors);
    if (status == PE_OK && !request_options(request)->format) {
        local_fail_format(local, format_all(), format_count());
        return;
    }
    if (status == PE_OK)
        status = request_plan(request, &plan, NULL, &limits, &local->errors);
    if (status != PE_OK) {
        local_fail_status(local, status);
        return;
    }
    encoder = encoder_new(request, plan);
    local->answer->type = request_options(request)->format->media_type;
    deliver(local, request, encoder);
    encoder_free(encoder);
    pe_plan_free(plan);
}

void local_encoding(struct local *local)
{
    const struct pe_encoding *enc = pe_find(local->segment, local->segment_len);
    struct request *request;

    if (local->asked->type && !local_read_body(local, tensor_is_taken(enc), enc))
        return;
    request = request_new(enc);
    if (request)
        answer(local, request);
    else
        local_fail_status(local, PE_NO_MEMORY);
    request_free(request);
}
