/* SPDX-License-Identifier: Apache-2.0
 * body.c - checks the kind and length of a body and feeds it to its reader; see body.h. */
#include "server/exchange/body.h"

#include <string.h>
#include <strings.h>
#include <uv.h>

#include "proto/http/inflate.h"
#include "proto/http/sentences.h"
#include "proto/inference/inference_body.h"
#include "proto/tensors/tensor_reader.h"
#include "proto/text/json_body.h"
#include "server/exchange/auth.h"
#include "server/exchange/body_reader.h"
#include "server/exchange/exchange_memory.h"
#include "server/exchange/inference_reader.h"
#include "server/exchange/response.h"
#include "server/http/request_check.h"

enum { INFLATED_BYTES_A_BYTE = 1000 }; /* at most, of compressed bytes */

/* ---- the head ------------------------------------------------------------------------ */

/* Returns true for a media type of the format that files have. */
static bool is_safetensors(const char *type)
{
    const struct tensor_format *format = tensor_format_find(type);

    return format && strcmp(tensor_format_media_type(format), BODY_FILE_MEDIA_TYPE) == 0;
}

static void refuse_type(struct exchange *ex, const char *type)
{
    struct buffer types = {0};

    body_media_types(ex, &types);
    if (types.failed)
        exchange_fail_status(ex, PE_NO_MEMORY);
    else if (!type)
        exchange_fail(ex, PROBLEM_UNSUPPORTED_MEDIA_TYPE,
                      "the body has no Content-Type; send %s", types.bytes);
    else
        exchange_fail(ex, PROBLEM_UNSUPPORTED_MEDIA_TYPE, "send %s; got %.80s", types.bytes,
                      type);
    buffer_fini(&types);
}

/* Sets the problem of a body that we do not take, or the format of its tensors. */
static void check(struct exchange *ex)
{
    const struct head *head = exchange_head(ex);
    uint64_t max = exchange_service(ex)->config.max_body;

    if (body_is_file(ex) && !auth_admits_table_change(ex))
        return;
    if (head->content_type)
        ex->body.format = body_tensor_format(ex, head->content_type);
    if (body_is_compressed(ex) && !inflate_takes(head->content_encoding))
        exchange_fail(ex, PROBLEM_UNSUPPORTED_MEDIA_TYPE,
                      "a body comes as it is, or with one Content-Encoding of " INFLATE_CODINGS
                      "; got %.60s",
                      head->content_encoding);
    else if (!body_has_any_type(ex) &&
             (!head->content_type ||
              (body_is_file(ex)
                   ? !is_safetensors(head->content_type)
                   : !ex->body.format && !format_is_type(&format_json, head->content_type))))
        refuse_type(ex, head->content_type);
    else if (!head->chunked && head->content_length > max)
        exchange_fail(ex, PROBLEM_BODY_TOO_LARGE, HEAD_BODY_TOO_LONG, max);
}

/* ---- the start ----------------------------------------------------------------------- */

static inflate_sink take_inflated;

static void start_inflater(struct exchange *ex)
{
    if (!exchange_reserve_body_or_fail(ex, INFLATE_MEMORY))
        return;
    ex->body.inflater = inflate_new(exchange_head(ex)->content_encoding,
                                    exchange_service(ex)->config.max_body, take_inflated, ex);
    if (!ex->body.inflater)
        exchange_fail_status(ex, PE_NO_MEMORY);
}

static void start(struct exchange *ex)
{
    if (body_is_compressed(ex))
        start_inflater(ex);
    if (ex->problem.kind == PROBLEM_COUNT && body_is_inference(ex))
        inference_reader_start(ex);
    else if (ex->problem.kind == PROBLEM_COUNT)
        body_reader_start(ex);
}

enum next body_begin(struct exchange *ex)
{
    const struct head *head = exchange_head(ex);

    if (ex->problem.kind == PROBLEM_COUNT)
        check(ex);
    if (ex->problem.kind == PROBLEM_COUNT)
        start(ex);
    if (ex->problem.kind == PROBLEM_COUNT)
        return MORE;
    access_log_reject(ex, METRICS_REJECT_BODY);
    ex->body.discard = true;
    /* Other clients need the place of a connection beyond --max-connections at once. */
    if (!head->chunked && head->content_length <= BODY_DISCARD_MAX && !head->expects_continue &&
        !listener_kind_is_guest(ex->connection->listener_kind))
        return MORE;
    ex->response.closes = true;
    return response_problem(ex);
}

/* ---- bytes --------------------------------------------------------------------------- */

static enum next add(struct exchange *ex, const char *bytes, size_t len)
{
    return ex->body.reader ? ex->body.reader->add(ex, bytes, len) : MORE;
}

static bool take_inflated(void *context, const char *bytes, size_t len)
{
    struct exchange *ex = context;

    (void)add(ex, bytes, len);
    return !ex->body.discard; /* false: the body was refused */
}

static enum next settle_inflated(struct exchange *ex, enum inflate_state state)
{
    if (state == INFLATE_TOO_LARGE)
        return body_refuse(ex, PROBLEM_BODY_TOO_LARGE, inflate_error(ex->body.inflater));
    if (state == INFLATE_NO_MEMORY)
        return body_refuse(ex, PROBLEM_OVERLOADED, SENTENCE_NO_MEMORY);
    return MORE; /* a malformed body is answered at its end: the connection lives on */
}

enum next body_add(struct exchange *ex, const char *bytes, size_t len)
{
    uint64_t max = exchange_service(ex)->config.max_body;

    ex->body.received += len;
    if (ex->body.discard)
        return ex->response.status != 0 ? CLOSE : MORE;
    if (ex->body.received > max) {
        char why[HEAD_BODY_TOO_LONG_SIZE];

        snprintf(why, sizeof why, HEAD_BODY_TOO_LONG, max);
        return body_refuse(ex, PROBLEM_BODY_TOO_LARGE, why);
    }
    return ex->body.inflater ? settle_inflated(ex, inflate_add(ex->body.inflater, bytes, len))
                             : add(ex, bytes, len);
}

double body_inflate_operations(const struct exchange *ex, size_t len)
{
    if (len == 0)
        return 0;
    len += inflate_waiting(ex->body.inflater); /* these may be inflated as well */
    return len < BODY_TURN_NS / INFLATED_BYTES_A_BYTE ? (double)len * INFLATED_BYTES_A_BYTE
                                                      : BODY_TURN_NS;
}

static enum next take_compressed(struct exchange *ex, const char *bytes, size_t len,
                                 size_t *taken)
{
    const uint64_t start = uv_hrtime();
    enum next next = MORE;

    if (!exchange_may_work(ex, body_inflate_operations(ex, len)))
        return YIELD;
    while (next == MORE && *taken < len && uv_hrtime() - start < BODY_TURN_NS) {
        const size_t left = len - *taken,
                     part = left < BODY_COMPRESSED_PART ? left : BODY_COMPRESSED_PART;

        next = body_add(ex, bytes + *taken, part);
        *taken += part;
    }
    return next == MORE && *taken < len ? YIELD : next;
}

enum next body_take(struct exchange *ex, const char *bytes, size_t len, size_t *taken)
{
    if (ex->body.inflater)
        return take_compressed(ex, bytes, len, taken);
    *taken = len;
    return body_add(ex, bytes, len);
}

/* ---- the end ------------------------------------------------------------------------- */

static void end_inflater(struct exchange *ex)
{
    inflate_free(ex->body.inflater);
    ex->body.inflater = NULL;
    exchange_release_body(ex, ex->body.memory.bytes - INFLATE_MEMORY);
}

static void finish_inflated(struct exchange *ex)
{
    enum inflate_state state;

    ex->body.arrived = true;
    state = inflate_finish(ex->body.inflater);
    if (state == INFLATE_MALFORMED)
        exchange_fail(ex, PROBLEM_INVALID_BODY, "%s", inflate_error(ex->body.inflater));
    else
        settle_inflated(ex, state);
    end_inflater(ex);
}

/* The trailer section of chunks that libmicrohttpd has read. */
static void check_trailer(struct exchange *ex)
{
    struct head *head = &ex->connection->head;

    request_check_trailer(head);
    if (head->refused)
        exchange_fail(ex, head->refused == 431 ? PROBLEM_HEAD_TOO_LARGE : PROBLEM_BAD_REQUEST,
                      "%s", head->refused_why);
}

bool body_finish(struct exchange *ex)
{
    if (!ex->body.discard)
        check_trailer(ex);
    if (!ex->body.discard && ex->body.inflater)
        finish_inflated(ex);
    if (!ex->body.discard && ex->problem.kind == PROBLEM_COUNT && ex->body.reader &&
        ex->body.reader->finish)
        (void)ex->body.reader->finish(ex);
    return ex->problem.kind == PROBLEM_COUNT;
}

enum pe_status body_give(struct exchange *ex)
{
    return ex->body.reader && ex->body.reader->give ? ex->body.reader->give(ex) : PE_OK;
}
