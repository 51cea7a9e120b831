/* SPDX-License-Identifier: Apache-2.0
 * response.c - builds every response but those of streams and pages. See response.h. */
#include "server/exchange/response.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "proto/http/sentences.h"
#include "proto/inference/inference_path.h"
#include "proto/text/buffer.h"
#include "server/exchange/auth.h"
#include "server/exchange/body_reader.h"
#include "server/exchange/cors.h"

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

/* Notes that the response is queued. */
static void note_queued(struct exchange *ex, unsigned status, uint64_t bytes)
{
    span_enter(&ex->span, SPAN_SEND);
    ex->response.status = status;
    ex->access.answered_ns = uv_hrtime();
    ex->response.bytes = exchange_head(ex)->method == METHOD_HEAD ? 0 : bytes;
    exchange_settle_share(ex);
    auth_charge_bytes(ex);
    connection_enter(ex->connection, PHASE_SEND);
    connection_progress(ex->connection, ex->response.bytes);
}

bool response_is_private(const struct exchange *ex)
{
    return ex->response.closes || exchange_head(ex)->range ||
           connection_must_close(ex->connection) || cors_is_private(ex);
}

enum next response_ready(struct exchange *ex, unsigned status,
                         struct transport_response *response, uint64_t bytes)
{
    if (!transport_response_send(exchange_service(ex)->shortcuts, ex->connection->wire, status,
                                 response, ex->access.request_id))
        return response_emergency(ex);
    note_queued(ex, status, bytes);
    return DONE;
}

enum next response_queue(struct exchange *ex, unsigned status, struct transport_body body,
                         struct header_block *head)
{
    const bool counted = body.kind == TRANSPORT_BYTES || body.kind == TRANSPORT_FILE;
    struct transport_response *response;
    enum next next;

    cors_write(ex, head);
    head->closes = ex->response.closes || connection_must_close(ex->connection);
    response = transport_response_new(exchange_service(ex)->shortcuts, &body, head);
    if (!response)
        return response_emergency(ex);
    next = response_ready(ex, status, response, counted ? body.len : 0);
    transport_response_free(response);
    return next;
}

enum next response_queue_fresh(struct exchange *ex, unsigned status, const char *type,
                               enum content_coding coding, struct transport_body body)
{
    struct header_block head;

    header_block_init(&head);
    header_block_add(&head, "Content-Type", type);
    header_block_add(&head, "Cache-Control", NO_STORE);
    header_block_add(&head, "X-Content-Type-Options", "nosniff");
    response_write_coding(&head, coding);
    if (status == 503)
        header_block_add(&head, "Retry-After", "1");
    return response_queue(ex, status, body, &head);
}

enum next response_emergency(struct exchange *ex)
{
    access_log_reject(ex, METRICS_REJECT_MEMORY);
    ex->response.entry = NULL;
    if (strlen(ex->access.request_id) != REQUEST_ID_LEN) /* there is no space for another one */
        exchange_loop_make_id(ex->state, ex->access.request_id);
    if (!emergency_send(&ex->state->emergency, ex->connection->wire,
                        response_is_inference(ex->connection), ex->access.request_id))
        return CLOSE;
    note_queued(ex, 503, 0);
    return DONE;
}

bool response_takes_files(const struct exchange *ex)
{
    return !listener_kind_is_tls(ex->connection->listener_kind);
}

/* Returns a body of the entry for this connection alone: of its file, if it has one, which the
 * exchange then keeps and ends. */
static struct transport_body body_of(struct exchange *ex, struct cache_entry *entry,
                                     const struct range *part)
{
    struct transport_body body;

    if (part || !response_takes_files(ex))
        return response_of_entry(entry, part);
    body = response_of_entry_file(entry);
    if (body.kind == TRANSPORT_FILE) {
        ex->response.kept = cache_entry_ref(entry);
        ex->response.shares = true;
    }
    return body;
}

enum next response_entry(struct exchange *ex, struct cache_entry *entry,
                         const struct response_meta *meta, struct transport_response *ready)
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
        transport_response_lines(ready, &head);
    else
        response_write_entry(&head, entry, meta, ex->work.cache_result, ex->work.compute_ms);
    if (part)
        response_write_range(&head, part);
    return response_queue(ex, part ? 206 : 200, body_of(ex, entry, part), &head);
}

uint64_t response_known_len(struct exchange *ex)
{
    if (ex->compress.coding == CONTENT_CODING_IDENTITY && ex->work.encoder &&
        encoder_size(ex->work.encoder) != FORMAT_UNKNOWN)
        return encoder_size(ex->work.encoder);
    if (!ex->work.entry && !request_is_cached(ex->request))
        return TRANSPORT_LEN_UNKNOWN;
    if (!ex->work.entry)
        ex->work.entry =
            cache_find(exchange_service(ex)->cache, response_key(ex, ex->compress.coding));
    return ex->work.entry ? cache_entry_answer(ex->work.entry)->len : TRANSPORT_LEN_UNKNOWN;
}

enum next response_not_modified(struct exchange *ex, const struct response_meta *meta,
                                uint64_t len)
{
    struct header_block head;

    header_block_init(&head);
    response_write_meta(&head, meta);
    return response_queue(ex, 304, response_of_none(len), &head);
}

enum next response_options(struct exchange *ex)
{
    struct header_block head;
    struct buffer list = {0};

    header_block_init(&head);
    endpoint_allow(ex->target.endpoint, &list);
    response_write_list(&head, "Allow", &list);
    if ((ex->target.endpoint->methods & METHOD_QUERY) != 0) {
        body_media_types(ex, &list);
        response_write_list(&head, "Accept-Query", &list);
    }
    header_block_add(&head, "Cache-Control", NO_STORE);
    cors_write_preflight(ex, &head);
    return response_queue(ex, 204, response_of_program("", 0), &head);
}
