/* SPDX-License-Identifier: Apache-2.0
 * exchange_drive.c - begins, feeds, runs and ends an exchange; its steps are in exchange.c. */
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "proto/http/inflate.h"
#include "server/cache/body_file.h"
#include "server/exchange/access_log.h"
#include "server/exchange/auth.h"
#include "server/exchange/body.h"
#include "server/exchange/body_reader.h"
#include "server/exchange/chunked_body.h"
#include "server/exchange/exchange_memory.h"
#include "server/exchange/load_shedding.h"
#include "server/exchange/response.h"
#include "server/exchange/wait.h"
#include "server/http/transport.h"
#include "server/net/peers.h"
#include "server/quota/client_table.h"

enum { STOP_MS = 1000 }; /* time for a job that was asked to end */

/* The kind of a refusal by the request check: of 400, which several kinds share, it is
 * PROBLEM_BAD_REQUEST; of another status, the first kind that has it. */
static enum problem_kind kind_of_refusal(unsigned status)
{
    enum problem_kind kind = PROBLEM_BAD_REQUEST;

    if (problem_status(kind) != status)
        for (kind = 0; kind < PROBLEM_COUNT && problem_status(kind) != status;)
            kind++;
    return kind < PROBLEM_COUNT ? kind : PROBLEM_BAD_REQUEST;
}

static bool refuse(struct exchange *ex)
{
    const struct head *head = exchange_head(ex);

    if (transport_head_space(&head->bytes) < TRANSPORT_HEAD_SPACE_ENOUGH) {
        exchange_fail_raw(
            ex, head->refused ? kind_of_refusal(head->refused) : PROBLEM_HEAD_TOO_LARGE,
            head->refused ? head->refused_why
                          : "the request target and the header lines together are too long");
        return false;
    }
    if (head->refused == 405) { /* the target is sound, and Allow depends on it */
        exchange_locate(ex);
        ex->problem.with_errors = false;
    }
    exchange_fail(ex, kind_of_refusal(head->refused), "%s", head->refused_why);
    ex->response.closes = true;
    return response_problem(ex) != CLOSE;
}

/* Makes the exchange of a request of which only the head is known. NULL: no memory. */
static struct exchange *take_exchange(struct connection *connection)
{
    struct exchange *ex = exchange_loop_take(loop_exchanges(connection->loop));
    const struct head *head = &connection->head;

    metrics_inflight(loop_metrics(connection->loop), 1);
    connection->exchange = ex;
    if (!ex)
        return NULL;
    ex->connection = connection;
    ex->access.started_ns = uv_hrtime();
    if (head->request_id && request_id_is_valid(head->request_id))
        memcpy(ex->access.request_id, head->request_id, strlen(head->request_id) + 1);
    else
        exchange_loop_make_id(ex->state, ex->access.request_id);
    if (log_wants(ex->state->service->log, LOG_DEBUG))
        span_begin(&ex->span, ex->access.started_ns);
    exchange_start(ex);
    return ex;
}

static bool answer_without_exchange(struct connection *connection)
{
    struct exchange_loop *state = loop_exchanges(connection->loop);
    char id[REQUEST_ID_SIZE];

    exchange_loop_make_id(state, id);
    return emergency_send(&state->emergency, connection->wire,
                          response_is_inference(connection), id);
}

void exchange_refuse(struct connection *connection)
{
    const struct head *head = &connection->head;
    struct exchange *ex = take_exchange(connection);

    if (ex)
        exchange_fail_raw(ex, kind_of_refusal(head->refused), head->refused_why);
}

bool exchange_begin(struct connection *connection)
{
    const struct head *head = &connection->head;
    struct exchange *ex = take_exchange(connection);
    enum next next;

    if (!ex)
        return answer_without_exchange(connection);
    if (head->refused || transport_head_space(&head->bytes) < TRANSPORT_HEAD_SPACE_ENOUGH)
        return refuse(ex);
    if (!head->has_body)
        return true;
    exchange_locate(ex);
    next = body_begin(ex);
    if (next != MORE || !head_reads_chunks(head))
        return next != CLOSE;
    next = chunked_body_begin(ex);
    return next == MORE ? exchange_run(connection) : next != CLOSE;
}

bool exchange_body(struct connection *connection, const char *bytes, size_t *len)
{
    struct exchange *ex = connection->exchange;
    size_t taken = 0;
    enum next next = body_take(ex, bytes, *len, &taken);

    connection_received(connection, taken);
    *len -= taken;
    if (next == YIELD)
        wait_turn(ex);
    return next != CLOSE;
}

bool exchange_run(struct connection *connection)
{
    struct exchange *ex = connection->exchange;
    enum next next = MORE;

    /* The body was refused while it arrived, and the answer is on the socket; or the client
     * left before the end of its body. */
    if (ex->response.status != 0 || (ex->body.chunked && chunked_body_is_cut(ex->body.chunked)))
        return false;
    const uint64_t start = ex->client.client ? uv_hrtime() : ex->access.started_ns;

    span_wake(&ex->span);
    while (next == MORE)
        next = ex->step(ex);
    if (next == YIELD || next == WAIT)
        span_wait(&ex->span);
    if (ex->client.client)
        auth_charge_work(ex, uv_hrtime() - start);
    if (next == YIELD)
        wait_turn(ex);
    if (next == WAIT)
        connection_suspend(connection);
    return next != CLOSE;
}

/* Frees everything that reads or holds the body. */
static void free_body(struct exchange *ex)
{
    exchange_forget_body(ex);
    inflate_free(ex->body.inflater);
    chunked_body_free(ex->body.chunked);
    buffer_fini(&ex->body.file);
}

void exchange_end(struct connection *connection, bool sent)
{
    struct exchange *ex = connection->exchange;

    if (!ex) { /* there was no memory for an exchange */
        metrics_inflight(loop_metrics(connection->loop), -1);
        return;
    }
    wait_cancel(ex);
    exchange_forget_parts(ex);
    inflight_end_send(exchange_service(ex), ex->response.sending);
    inflight_end_leave(exchange_service(ex), ex->response.shed);
    exchange_release(ex);
    if (exchange_head(ex)->has_body || ex->body.reader)
        free_body(ex);
    auth_leave(ex);
    access_log_record(ex, sent);
    request_free(ex->request);
    cache_entry_unref(ex->work.entry);
    cache_entry_unref(ex->compress.identity);
    if (ex->response.shares)
        body_file_end_share(cache_entry_answer(ex->response.kept)->file);
    cache_entry_unref(ex->response.kept);
    exchange_forget_errors(ex);
    free(ex->problem.entries);
    if (ex->document.document)
        ex->document.free(ex->document.document);
    free(ex->work.prefix);
    free(ex->target.decoded);
    answer_share_set(&ex->share, 0);
    if (ex->share.peer)
        answer_queue_wake(&ex->state->answers);
    peers_drop(exchange_service(ex)->peers, ex->key_peer);
    client_table_drop(ex->client.client);
    connection->exchange = NULL;
    exchange_loop_give(ex->state, ex);
}

/* From here on the exchange is that of the whole batch, and not of the part of it that runs. */
static void leave_part(struct exchange *ex)
{
    if (exchange_is_part(ex))
        ex->work.delivery = DELIVERY_SHORT;
}

void exchange_expire(struct connection *connection)
{
    struct exchange *ex = connection->exchange;

    if (!ex || !ex->wait || ex->response.status != 0) /* a stream waits for its next bytes */
        return;
    if (wait_stop(ex)) {
        connection_extend(connection, STOP_MS);
        return;
    }
    leave_part(ex); /* the deadline is that of all parts */
    ex->step = ex->wait->late;
    wait_cancel(ex);
    if (!ex->step) {
        access_log_reject(ex, METRICS_REJECT_DEADLINE);
        exchange_fail(ex, PROBLEM_OVERLOADED, "no answer was ready in time; try again");
    }
    connection_resume(connection);
}

void exchange_shed_body(struct connection *connection)
{
    struct exchange *ex = connection->exchange;

    (void)body_refuse(ex, PROBLEM_OVERLOADED,
                      "other clients want the memory that this body holds; try again");
    if (ex->body.chunked)
        chunked_body_stop(ex);
}

void exchange_cut(struct connection *connection, const char *reason)
{
    const struct exchange *ex = connection->exchange;

    metrics_reject(loop_metrics(connection->loop), METRICS_REJECT_SLOW_READER);
    log_event(loop_service(connection->loop)->log, LOG_WARN, "answer_cut",
              (struct log_field[]){
                  {.name = "reason", .text = reason},
                  {.name = "peer", .number = (int64_t)connection->peer->number},
                  {.name = "request_id", .text = ex ? ex->access.request_id : "none"},
                  {0}});
    connection_reset(connection);
}

void exchange_client_gone(struct connection *connection)
{
    struct exchange *ex = connection->exchange;

    if (ex)
        ex->parts.gone = true;
    if (!ex || !wait_cancel_if_queued(ex))
        return;
    leave_part(ex);
    access_log_reject(ex, METRICS_REJECT_CLIENT_GONE);
    exchange_fail(ex, PROBLEM_OVERLOADED,
                  "the client disconnected before its request was computed");
    ex->response.closes = true;
    connection_resume(connection);
}
