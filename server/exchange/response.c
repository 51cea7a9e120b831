/* SPDX-License-Identifier: Apache-2.0
 * response.c - builds every response but those of streams and pages. See response.h. */
#include "server/exchange/response.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "proto/inference/inference_path.h"
#include "proto/text/buffer.h"
#include "server/exchange/body_reader.h"
#include "server/exchange/cors.h"
#include "server/net/cork.h"

#define NO_STORE "no-store"

enum { LINES_CAPACITY = 400 }; /* bytes; most responses' lines fit without a reallocation */

static void add_line(struct buffer *lines, const char *name, const char *value)
{
    buffer_add_text(lines, name);
    buffer_add_text(lines, ": ");
    buffer_add_text(lines, value);
    buffer_add_text(lines, "\n");
}

char *response_lines(const struct config *config, const struct encoder *encoder, bool in_parts)
{
    const struct format *format = encoder_format(encoder);
    struct buffer lines = {0};
    size_t size;

    buffer_reserve(&lines, LINES_CAPACITY);
    if (!format->headers)
        add_line(&lines, "Content-Type", format->media_type);
    encoder_write_headers(encoder, &lines);
    add_line(&lines, "Accept-Ranges", in_parts ? "bytes" : "none");
    add_line(&lines, "X-Content-Type-Options", "nosniff");
    if (format->policy)
        add_line(&lines, "Content-Security-Policy", format->policy);
    buffer_add_text(&lines, "Link: <");
    buffer_add_text(&lines, response_base(config));
    buffer_add_text(&lines, "/openapi.json>; rel=\"service-desc\"\n");
    return buffer_take(&lines, &size);
}

/* ---- parts --------------------------------------------------------------------------- */

void response_write_entry(struct header_block *head, const struct cache_entry *entry,
                          const struct response_meta *meta, const char *cache_result, double ms)
{
    header_block_add_lines(head, cache_entry_answer(entry)->headers);
    response_write_meta(head, meta);
    if (!meta->untimed)
        response_write_timing(head, cache_result, ms);
}

struct MHD_Response *response_unchanged(const struct response_meta *meta, uint64_t len)
{
    struct MHD_Response *response = response_of_no_body(len);

    return response_if(response && response_add_meta(response, meta), response);
}

struct MHD_Response *response_emergency_new(bool inference)
{
    static const char problem[] =
        "{\"type\":\"/problems/overloaded\",\"title\":\"Overloaded\",\"status\":503,"
        "\"detail\":\"out of memory; try again\"}\n";
    static const char error[] = "{\"error\":\"out of memory; try again\"}";
    const char *text = inference ? error : problem;
    struct MHD_Response *response = response_of_program(text, strlen(text));

    if (response &&
        response_add(response, "Content-Type",
                     inference ? "application/json" : PROBLEM_MEDIA_TYPE) &&
        response_add(response, "Cache-Control", NO_STORE) &&
        response_add(response, "Retry-After", "1") &&
        response_add(response, "Connection", "close") &&
        request_id_set(response, "0123456789abcdef"))
        return response;
    if (response)
        MHD_destroy_response(response);
    return NULL;
}

bool response_is_inference(const struct connection *connection)
{
    const struct exchange *ex = connection->exchange;
    const struct head *head = &connection->head;

    if (ex && ex->target.path)
        return inference_path_is(ex->target.path, ex->target.path_len, NULL);
    return inference_path_is(head->refused_path > 0 ? head->short_target : head->target,
                             head->refused_path > 0 ? head->refused_path : head->path_len,
                             loop_service(connection->loop)->config.path_prefix);
}

/* ---- queueing ------------------------------------------------------------------------ */

static enum next queued(struct exchange *ex, unsigned status, uint64_t bytes,
                        enum MHD_Result result)
{
    if (result != MHD_YES)
        return CLOSE;
    ex->response.status = status;
    ex->access.answered_ns = uv_hrtime();
    ex->response.bytes = exchange_head(ex)->method == METHOD_HEAD ? 0 : bytes;
    exchange_settle_share(ex);
    connection_enter(ex->connection, PHASE_SEND);
    connection_progress(ex->connection, ex->response.bytes);
    return DONE;
}

bool response_is_private(const struct exchange *ex)
{
    return ex->response.closes || exchange_head(ex)->range ||
           connection_must_close(ex->connection) || cors_is_private(ex);
}

enum next response_ready(struct exchange *ex, unsigned status, struct MHD_Response *response,
                         uint64_t bytes)
{
    if (!request_id_set(response, ex->access.request_id))
        return response_emergency(ex);
    return queued(ex, status, bytes, MHD_queue_response(ex->connection->mhd, status, response));
}

enum next response_ready_file(struct exchange *ex, struct MHD_Response *response,
                              struct cache_entry *entry)
{
    ex->response.kept = cache_entry_ref(entry);
    cork_begin(ex->connection);
    return response_ready(ex, 200, response, cache_entry_answer(entry)->len);
}

/* Queues a wrapper whose fields are complete but for those that libmicrohttpd reads itself. */
static enum next queue_complete(struct exchange *ex, unsigned status,
                                struct MHD_Response *response, uint64_t bytes)
{
    enum next next;

    if (!response)
        return response_emergency(ex);
    if ((ex->response.closes || connection_must_close(ex->connection)) &&
        !response_add(response, "Connection", "close")) {
        MHD_destroy_response(response);
        return response_emergency(ex);
    }
    next = response_ready(ex, status, response, bytes);
    MHD_destroy_response(response);
    return next;
}

enum next response_queue(struct exchange *ex, unsigned status, struct MHD_Response *response,
                         uint64_t bytes)
{
    return queue_complete(ex, status, response_if(response && cors_add(ex, response), response),
                          bytes);
}

enum next response_emergency(struct exchange *ex)
{
    access_log_reject(ex, METRICS_REJECT_MEMORY);
    ex->response.entry = NULL;
    if (strlen(ex->access.request_id) != REQUEST_ID_LEN) /* there is no room for another one */
        exchange_loop_make_id(ex->state, ex->access.request_id);
    return response_ready(ex, 503, ex->state->emergency[response_is_inference(ex->connection)],
                          0);
}

bool response_takes_files(const struct exchange *ex)
{
    return !listener_kind_is_tls(ex->connection->listener_kind);
}

/* Returns a response of the entry for this connection alone: of its file, if it has one, which
 * the exchange then keeps and ends. */
static struct MHD_Response *respond_entry(struct exchange *ex, struct cache_entry *entry,
                                          const struct range *part, struct header_block *head)
{
    struct MHD_Response *response;
    bool file;

    if (part || !response_takes_files(ex))
        return response_of_entry(entry, part, head);
    response = response_shared(entry, head, &file);
    if (file) {
        ex->response.kept = cache_entry_ref(entry);
        ex->response.shares = true;
        cork_begin(ex->connection);
    }
    return response;
}

enum next response_entry(struct exchange *ex, struct cache_entry *entry,
                         const struct response_meta *meta, struct MHD_Response *ready)
{
    struct header_block head;
    struct range range;
    const enum range_kind kind =
        response_range(ex, meta, cache_entry_answer(entry)->len, &range);
    const struct range *part = kind == RANGE_PART ? &range : NULL;

    if (kind == RANGE_OUTSIDE)
        return MORE;
    ex->response.entry = entry;
    header_block_init(&head);
    if (ready)
        header_block_add_given(&head, ready);
    else
        response_write_entry(&head, entry, meta, ex->work.cache_result, ex->work.compute_ms);
    if (part)
        response_write_range(&head, part);
    cors_write(ex, &head);
    return queue_complete(ex, part ? 206 : 200, respond_entry(ex, entry, part, &head),
                          range.len);
}

uint64_t response_known_len(struct exchange *ex)
{
    if (ex->compress.coding == CONTENT_CODING_IDENTITY && ex->work.encoder &&
        encoder_size(ex->work.encoder) != FORMAT_UNKNOWN)
        return encoder_size(ex->work.encoder);
    if (!ex->work.entry && !request_is_cached(ex->request))
        return RESPONSE_LEN_UNKNOWN;
    if (!ex->work.entry)
        ex->work.entry =
            cache_find(exchange_service(ex)->cache, exchange_key(ex, ex->compress.coding));
    return ex->work.entry ? cache_entry_answer(ex->work.entry)->len : RESPONSE_LEN_UNKNOWN;
}

enum next response_not_modified(struct exchange *ex, const struct response_meta *meta,
                                uint64_t len)
{
    return response_queue(ex, 304, response_unchanged(meta, len), 0);
}

enum next response_options(struct exchange *ex)
{
    struct MHD_Response *response = response_empty();
    struct buffer allow = {0}, types = {0};

    endpoint_allow(ex->target.endpoint, &allow);
    body_media_types(ex, &types);
    if (response &&
        (allow.failed || types.failed || !response_add(response, "Allow", allow.bytes) ||
         ((ex->target.endpoint->methods & METHOD_QUERY) != 0 &&
          !response_add(response, "Accept-Query", types.bytes)) ||
         !response_add(response, "Cache-Control", NO_STORE) ||
         !cors_add_preflight(ex, response))) {
        MHD_destroy_response(response);
        response = NULL;
    }
    buffer_fini(&allow);
    buffer_fini(&types);
    return response_queue(ex, 204, response, 0);
}
