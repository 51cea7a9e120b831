/* SPDX-License-Identifier: Apache-2.0
 * body.c - checks the kind and length of a body and feeds it to its reader; see body.h. */
#include "server/exchange/body.h"

#include <string.h>
#include <strings.h>

#include "proto/http/inflate.h"
#include "proto/models/hf/hf_body.h"
#include "proto/tensors/tensor_reader.h"
#include "proto/text/json_body.h"
#include "server/exchange/body_memory.h"
#include "server/exchange/chunked_body.h"
#include "server/exchange/raw_error_response.h"
#include "server/exchange/response.h"
#include "server/exchange/table_change.h"

/* ---- the head ------------------------------------------------------------------------ */

/* "application/json", perhaps with parameters. */
static bool is_json(const char *type)
{
    static const char json[] = "application/json";
    size_t len = strcspn(type, "; \t");

    return len == sizeof json - 1 && strncasecmp(type, json, len) == 0;
}

/* The encoding of the path, if it takes tensors. */
static const struct pe_encoding *encoding_of_tensors(const struct exchange *ex)
{
    const struct pe_encoding *enc = ex->segment ? pe_find(ex->segment, ex->segment_len) : NULL;

    return enc && tensor_param(enc, NULL) ? enc : NULL;
}

/* The body is a file, kept as it comes. */
static bool is_file(const struct exchange *ex)
{
    return ex->endpoint && ex->endpoint->id == ENDPOINT_TABLE;
}

static bool is_packed(const struct exchange *ex)
{
    const char *coding = exchange_head(ex)->content_encoding;

    return coding && strcasecmp(coding, "identity") != 0;
}

/* The length of what the body holds is known beforehand. */
static bool has_length(const struct exchange *ex)
{
    return !exchange_head(ex)->chunked && !is_packed(ex);
}

void body_media_types(const struct exchange *ex, struct buffer *out)
{
    buffer_add_text(out, is_file(ex) ? table_change_media_type() : "application/json");
    for (size_t i = 0; encoding_of_tensors(ex) && i < tensor_format_count(); i++)
        buffer_add_format(out, ", %s", tensor_format_media_type(tensor_format_at(i)));
}

/* One of the media types of the format that files have. */
static bool is_safetensors(const char *type)
{
    const struct tensor_format *format = tensor_format_find(type);

    return format && strcmp(tensor_format_media_type(format), table_change_media_type()) == 0;
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

    if (is_file(ex) && !table_change_admits(ex))
        return;
    if (head->content_type && encoding_of_tensors(ex))
        ex->format = tensor_format_find(head->content_type);
    if (is_packed(ex) && !inflate_takes(head->content_encoding))
        exchange_fail(ex, PROBLEM_UNSUPPORTED_MEDIA_TYPE,
                      "a body comes as it is, or with one Content-Encoding of " INFLATE_CODINGS
                      "; got %.60s",
                      head->content_encoding);
    else if (!head->content_type || (is_file(ex) ? !is_safetensors(head->content_type)
                                                 : !ex->format && !is_json(head->content_type)))
        refuse_type(ex, head->content_type);
    else if (!head->chunked && head->content_length > max)
        exchange_fail(ex, PROBLEM_BODY_TOO_LARGE, "a body has at most %llu bytes; got %llu",
                      (unsigned long long)max, (unsigned long long)head->content_length);
}

/* ---- readers ------------------------------------------------------------------------- */

enum { FILE_RESERVE = 64 << 10 }; /* bytes that are reserved at once besides those that came */

static bool reserve(void *context, uint64_t bytes)
{
    return body_memory_take(context, bytes);
}

/* A body that does not say what it holds, with a query that does not say it either, has no
 * reader: it is dropped, and the request says what is missing. */
static bool start_tensors(struct exchange *ex)
{
    const struct head *head = exchange_head(ex);
    struct tensor_source source = {.enc = encoding_of_tensors(ex),
                                   .length = has_length(ex) ? head->content_length
                                                            : TENSOR_LENGTH_UNKNOWN,
                                   .max_bytes = exchange_service(ex)->config.max_body,
                                   .reserve = reserve,
                                   .context = ex};

    if (tensor_format_is_told(ex->format) && ex->query)
        source.told = request_told(source.enc, ex->query, ex->query_len);
    if (tensor_format_is_told(ex->format) && source.told.rank == 0)
        return true;
    ex->tensors = tensor_reader_new(ex->format, &source);
    return ex->tensors != NULL;
}

/* Place for all of it at once, where the head says how much that is. */
static void start_file(struct exchange *ex)
{
    if (has_length(ex)) /* .failed is looked at later */
        (void)buffer_reserve(&ex->raw, exchange_head(ex)->content_length);
}

static inflate_sink take_unpacked;

static void start_unpacker(struct exchange *ex)
{
    if (!body_memory_take_or_fail(ex, INFLATE_MEMORY))
        return;
    ex->unpacker = inflate_new(exchange_head(ex)->content_encoding,
                               exchange_service(ex)->config.max_body, take_unpacked, ex);
    if (!ex->unpacker)
        exchange_fail_status(ex, PE_NO_MEMORY);
}

/* The reader that this body wants. */
static void start(struct exchange *ex)
{
    const bool is_config = ex->endpoint && ex->endpoint->id == ENDPOINT_MODELS_RESOLVE;
    const uint64_t max = exchange_service(ex)->config.max_body;

    if (is_packed(ex))
        start_unpacker(ex);
    if (ex->problem != PROBLEM_COUNT)
        return;
    if (is_file(ex)) {
        start_file(ex);
        return;
    }
    if (!ex->format)
        ex->body = is_config ? hf_body_new(max) : json_body_new(max);
    if (ex->format ? !start_tensors(ex) : !ex->body)
        exchange_fail_status(ex, PE_NO_MEMORY);
}

enum next body_begin(struct exchange *ex)
{
    const struct head *head = exchange_head(ex);

    if (ex->problem == PROBLEM_COUNT)
        check(ex);
    if (ex->problem == PROBLEM_COUNT)
        start(ex);
    if (ex->problem == PROBLEM_COUNT)
        return MORE;
    metrics_reject(loop_metrics(ex->state->loop), METRICS_REJECT_BODY);
    ex->discard_body = true;
    /* The place of a guest is needed by others at once. */
    if (!head->chunked && head->content_length <= BODY_SWALLOW && !head->expects_continue &&
        !listener_kind_is_guest(ex->connection->listener_kind))
        return MORE;
    ex->closing = true;
    return response_problem(ex);
}

/* ---- bytes --------------------------------------------------------------------------- */

/* What a failed reader held is free again; the unpacker before it lives on. */
static void release(struct exchange *ex)
{
    body_memory_release(ex, ex->unpacker ? INFLATE_MEMORY : 0);
}

/* What was read of a refused body is no use to anybody; the unpacker lives on. */
static void drop_readers(struct exchange *ex)
{
    json_body_free(ex->body);
    tensor_reader_free(ex->tensors);
    buffer_fini(&ex->raw);
    ex->body = NULL;
    ex->tensors = NULL;
    release(ex);
}

/* While a body of known length is coming the answer is written past libmicrohttpd, and the
 * connection is closed. It lingers, so that the client reads the answer before it has sent its
 * body. Chunks are not read by libmicrohttpd: amid them it takes an answer. */
enum next body_refuse(struct exchange *ex, enum problem_kind kind, const char *detail)
{
    metrics_reject(loop_metrics(ex->state->loop), METRICS_REJECT_BODY);
    ex->discard_body = true;
    ex->closing |= !ex->arrived;
    if (ex->arrived || ex->chunked)
        exchange_fail(ex, kind, "%s", detail);
    else
        raw_error_response_problem(ex, kind, detail);
    drop_readers(ex);
    return ex->status == 0 ? MORE : CLOSE;
}

void body_give_way(struct exchange *ex)
{
    (void)body_refuse(ex, PROBLEM_OVERLOADED,
                      "other clients want the memory that this body holds; try again");
    if (ex->chunked)
        chunked_body_stop(ex);
}

static enum next add_json(struct exchange *ex, const char *bytes, size_t len)
{
    size_t before = json_body_held(ex->body), held;

    (void)json_body_add(ex->body, bytes, len); /* its state is kept until the end */
    held = json_body_held(ex->body);
    if (held <= before || body_memory_take(ex, held - before))
        return MORE;
    if (body_memory_is_in_vain(ex, held))
        return body_refuse(ex, PROBLEM_BODY_TOO_LARGE, BODY_MEMORY_TOO_LARGE);
    return body_refuse(ex, PROBLEM_OVERLOADED, BODY_MEMORY_TOO_MANY);
}

static enum next add_tensors(struct exchange *ex, const char *bytes, size_t len)
{
    enum tensor_state state = tensor_reader_add(ex->tensors, bytes, len);

    if (state == TENSOR_OK)
        return MORE;
    release(ex);
    if (state == TENSOR_MALFORMED) /* told at the end: the connection lives on */
        return MORE;
    return body_refuse(ex,
                       state == TENSOR_TOO_LARGE ? PROBLEM_BODY_TOO_LARGE : PROBLEM_OVERLOADED,
                       tensor_reader_error(ex->tensors));
}

static enum next add_file(struct exchange *ex, const char *bytes, size_t len)
{
    uint64_t held = ex->raw.len + len + (ex->unpacker ? INFLATE_MEMORY : 0);

    if (held > ex->held.bytes && !body_memory_take(ex, held - ex->held.bytes + FILE_RESERVE))
        return body_refuse(ex, PROBLEM_OVERLOADED, BODY_MEMORY_TOO_MANY);
    buffer_add(&ex->raw, bytes, len);
    return MORE;
}

/* Bytes as the reader wants them. */
static enum next add(struct exchange *ex, const char *bytes, size_t len)
{
    if (is_file(ex))
        return add_file(ex, bytes, len);
    if (ex->body)
        return add_json(ex, bytes, len);
    return ex->tensors ? add_tensors(ex, bytes, len) : MORE;
}

static bool take_unpacked(void *context, const char *bytes, size_t len)
{
    struct exchange *ex = context;

    (void)add(ex, bytes, len);
    return !ex->discard_body; /* refused meanwhile */
}

static enum next settle_packed(struct exchange *ex, enum inflate_state state)
{
    if (state == INFLATE_TOO_LARGE)
        return body_refuse(ex, PROBLEM_BODY_TOO_LARGE, inflate_error(ex->unpacker));
    if (state == INFLATE_NO_MEMORY)
        return body_refuse(ex, PROBLEM_OVERLOADED, "out of memory; try again");
    return MORE; /* what is malformed is told at the end: the connection lives on */
}

enum next body_add(struct exchange *ex, const char *bytes, size_t len)
{
    uint64_t max = exchange_service(ex)->config.max_body;

    ex->body_bytes += len;
    if (ex->discard_body)
        return ex->status != 0 ? CLOSE : MORE;
    if (ex->body_bytes > max)
        return body_refuse(ex, PROBLEM_BODY_TOO_LARGE, "the body is longer than allowed");
    return ex->unpacker ? settle_packed(ex, inflate_add(ex->unpacker, bytes, len))
                        : add(ex, bytes, len);
}

/* ---- the end ------------------------------------------------------------------------- */

static enum next finish_json(struct exchange *ex)
{
    enum json_body_state state = json_body_finish(ex->body);

    if (state == JSON_BODY_MALFORMED)
        return exchange_fail(ex, PROBLEM_MALFORMED_JSON, "%s", json_body_error(ex->body));
    if (state == JSON_BODY_TOO_LARGE)
        return exchange_fail(ex, PROBLEM_BODY_TOO_LARGE, "%s", json_body_error(ex->body));
    if (state == JSON_BODY_NO_MEMORY)
        return exchange_fail_status(ex, PE_NO_MEMORY);
    return MORE;
}

static void end_unpacker(struct exchange *ex)
{
    inflate_free(ex->unpacker);
    ex->unpacker = NULL;
    body_memory_release(ex, ex->held.bytes - INFLATE_MEMORY);
}

static void finish_packed(struct exchange *ex)
{
    enum inflate_state state;

    ex->arrived = true;
    state = inflate_finish(ex->unpacker);
    if (state == INFLATE_MALFORMED)
        exchange_fail(ex, PROBLEM_INVALID_BODY, "%s", inflate_error(ex->unpacker));
    else
        settle_packed(ex, state);
    end_unpacker(ex);
}

enum next body_finish(struct exchange *ex)
{
    if (ex->discard_body)
        return MORE;
    if (ex->unpacker)
        finish_packed(ex);
    if (ex->problem != PROBLEM_COUNT)
        return MORE;
    return ex->body ? finish_json(ex) : MORE;
}

static enum pe_status give_tensors(struct exchange *ex)
{
    struct tensor_set set = {0};
    enum tensor_state state = ex->tensors ? tensor_reader_finish(ex->tensors, &set) : TENSOR_OK;

    if (state == TENSOR_NO_MEMORY)
        return PE_NO_MEMORY;
    if (state != TENSOR_OK) {
        release(ex);
        exchange_fail(ex, PROBLEM_INVALID_BODY, "%s", tensor_reader_error(ex->tensors));
        return PE_BAD_VALUE;
    }
    return request_set_tensors(ex->request, ex->format, &set, ex->errors);
}

/* Numbers that became a tensor are the body's no more. */
static enum pe_status give_json(struct exchange *ex)
{
    enum pe_status status = request_set_json(ex->request, ex->body, ex->errors);
    uint64_t before = ex->held.bytes;

    if (status != PE_OK || !request_has_tensors(ex->request))
        return status;
    if (!body_memory_take_or_fail(ex, request_held(ex->request)))
        return PE_BAD_VALUE;
    json_body_free(ex->body);
    ex->body = NULL;
    body_memory_release(ex, ex->held.bytes - before);
    return PE_OK;
}

enum pe_status body_give(struct exchange *ex)
{
    if (ex->format)
        return give_tensors(ex);
    return ex->body ? give_json(ex) : PE_OK;
}
