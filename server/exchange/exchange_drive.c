/* SPDX-License-Identifier: Apache-2.0
 * exchange_drive.c - begins, feeds, runs and ends an exchange, as libmicrohttpd's callbacks
 * ask for it; the steps are in exchange.c. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "proto/http/inflate.h"
#include "proto/inference/inference_body.h"
#include "proto/tensors/tensor_reader.h"
#include "proto/text/json_body.h"
#include "server/exchange/access_log.h"
#include "server/exchange/body.h"
#include "server/exchange/body_memory.h"
#include "server/exchange/body_parse_job.h"
#include "server/exchange/cache_wait.h"
#include "server/exchange/chunked_body.h"
#include "server/exchange/compress.h"
#include "server/exchange/job.h"
#include "server/exchange/load_shedding.h"
#include "server/exchange/pool_job.h"
#include "server/exchange/raw_error_response.h"
#include "server/exchange/response.h"
#include "server/http/response_head_space.h"

enum { STOP_MS = 1000 }; /* time for a job that was asked to end */

/* ---- problems ------------------------------------------------------------------------ */

enum next exchange_fail(struct exchange *ex, enum problem_kind kind, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(ex->problem.detail, sizeof ex->problem.detail, format, args);
    va_end(args);
    ex->problem.kind = kind;
    exchange_go_problem(ex);
    return MORE;
}

enum next exchange_fail_status(struct exchange *ex, enum pe_status status)
{
    if (status == PE_NO_MEMORY) {
        metrics_reject(loop_metrics(ex->state->loop), METRICS_REJECT_MEMORY);
        return exchange_fail(ex, PROBLEM_OVERLOADED, "out of memory; try again");
    }
    ex->problem.kind = problem_kind_of(ex->problem.errors);
    ex->problem.with_errors = true;
    exchange_go_problem(ex);
    return MORE;
}

enum next exchange_fail_format(struct exchange *ex)
{
    ex->problem.of_format = true;
    return exchange_fail(ex, PROBLEM_NOT_ACCEPTABLE,
                         "no format fits the Accept header; see available");
}

enum next exchange_refuse_work(struct exchange *ex)
{
    metrics_reject(loop_metrics(ex->state->loop), METRICS_REJECT_OVERLOAD);
    return exchange_fail(ex, PROBLEM_OVERLOADED, "too much is being computed; try again");
}

struct cache_key exchange_key(struct exchange *ex, enum content_coding coding)
{
    size_t len;
    const char *bytes = request_key(ex->request, coding, &len);

    if (ex->work.key.bytes != bytes || ex->work.key.len != len)
        ex->work.key = cache_key(exchange_service(ex)->cache, bytes, len);
    return ex->work.key;
}

bool exchange_reserve(struct exchange *ex, uint64_t bytes)
{
    if (inflight_account_reserve(ex->state->account, bytes)) {
        ex->work.reserved += bytes;
        return true;
    }
    load_shedding_beside(ex->connection);
    metrics_reject(loop_metrics(ex->state->loop), METRICS_REJECT_MEMORY);
    exchange_fail(ex, PROBLEM_OVERLOADED, "too much is being answered; try again");
    return false;
}

void exchange_release(struct exchange *ex)
{
    inflight_account_release(ex->state->account, ex->work.reserved);
    ex->work.reserved = ex->work.answer_reserved = 0;
}

/* ---- callbacks ----------------------------------------------------------------------- */

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

static enum MHD_Result result_of(enum next next)
{
    return next == CLOSE ? MHD_NO : MHD_YES;
}

static enum MHD_Result refuse(struct exchange *ex)
{
    const struct head *head = exchange_head(ex);

    if (response_head_space_for_head(ex->connection->mhd) < RESPONSE_HEAD_SPACE_ENOUGH) {
        raw_error_response_problem(
            ex, head->refused ? kind_of_refusal(head->refused) : PROBLEM_HEAD_TOO_LARGE,
            head->refused ? head->refused_why
                          : "the request target and the header lines together are too long");
        return MHD_NO;
    }
    if (head->refused == 405) { /* the target is sound, and Allow depends on it */
        exchange_locate(ex);
        ex->problem.with_errors = false;
    }
    exchange_fail(ex, kind_of_refusal(head->refused), "%s", head->refused_why);
    ex->response.closes = true;
    return result_of(response_problem(ex));
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
    exchange_start(ex);
    return ex;
}

static enum MHD_Result answer_without_exchange(struct connection *connection)
{
    struct exchange_loop *state = loop_exchanges(connection->loop);
    struct MHD_Response *emergency = state->emergency[response_is_inference(connection)];
    char id[REQUEST_ID_SIZE];

    exchange_loop_make_id(state, id);
    request_id_set(emergency, id);
    return MHD_queue_response(connection->mhd, 503, emergency);
}

void exchange_refuse(struct connection *connection)
{
    const struct head *head = &connection->head;
    struct exchange *ex = take_exchange(connection);

    if (ex)
        raw_error_response_problem(ex, kind_of_refusal(head->refused), head->refused_why);
}

enum MHD_Result exchange_begin(struct connection *connection)
{
    const struct head *head = &connection->head;
    struct exchange *ex = take_exchange(connection);
    enum next next;

    if (!ex)
        return answer_without_exchange(connection);
    if (head->refused ||
        response_head_space_for_head(connection->mhd) < RESPONSE_HEAD_SPACE_ENOUGH)
        return refuse(ex);
    if (!head->has_body)
        return MHD_YES;
    exchange_locate(ex);
    next = body_begin(ex);
    if (next != MORE || !head->chunked)
        return result_of(next);
    next = chunked_body_begin(ex);
    return next == MORE ? exchange_run(connection) : result_of(next);
}

enum MHD_Result exchange_body(struct connection *connection, const char *bytes, size_t *len)
{
    struct exchange *ex = connection->exchange;
    uint64_t start = ex->body.inflater ? uv_hrtime() : 0;
    enum next next = MORE;
    size_t at = 0;

    do {
        size_t left = *len - at, part = ex->body.inflater && left > BODY_COMPRESSED_PART
                                            ? BODY_COMPRESSED_PART
                                            : left;

        next = body_add(ex, bytes + at, part);
        at += part;
    } while (next == MORE && at < *len && uv_hrtime() - start < BODY_TURN_NS);
    connection_received(connection, at);
    *len -= at;
    if (next == MORE && *len > 0)
        connection_yield(connection);
    return result_of(next);
}

enum MHD_Result exchange_run(struct connection *connection)
{
    struct exchange *ex = connection->exchange;
    enum next next = MORE;

    /* The body was refused while it arrived, and the answer is on the socket; or the client
     * left before the end of its body. */
    if (ex->response.status != 0 || (ex->body.chunked && chunked_body_is_cut(ex->body.chunked)))
        return MHD_NO;
    while (next == MORE)
        next = ex->step(ex);
    if (next == YIELD)
        connection_yield(connection);
    if (next == WAIT)
        connection_suspend(connection);
    return result_of(next);
}

/* Frees everything that reads or holds the body. */
static void free_body(struct exchange *ex)
{
    body_parse_job_cancel(ex);
    body_memory_release(ex, 0);
    json_body_free(ex->body.json);
    tensor_reader_free(ex->body.tensors);
    tensor_set_free(ex->body.set);
    inference_body_free(ex->body.inference);
    inflate_free(ex->body.inflater);
    chunked_body_free(ex->body.chunked);
    buffer_fini(&ex->body.file);
}

void exchange_end(struct connection *connection, enum MHD_RequestTerminationCode why)
{
    struct exchange *ex = connection->exchange;

    if (!ex) { /* there was no memory for an exchange */
        metrics_inflight(loop_metrics(connection->loop), -1);
        return;
    }
    cache_wait_cancel(ex);
    job_cancel(ex);
    compress_cancel(ex);
    pool_job_cancel(ex);
    if (ex->parts.kind)
        ex->parts.kind->free(ex->parts.batch);
    inflight_end_send(exchange_service(ex), ex->response.sending);
    inflight_end_leave(exchange_service(ex), ex->response.shed);
    exchange_release(ex);
    if (exchange_head(ex)->has_body || ex->body.reader)
        free_body(ex);
    access_log_record(ex, why);
    encoder_free(ex->work.encoder);
    pe_plan_free(ex->work.plan);
    request_free(ex->request);
    cache_entry_unref(exchange_service(ex)->cache, ex->work.entry);
    cache_entry_unref(exchange_service(ex)->cache, ex->compress.identity);
    cache_entry_unref(exchange_service(ex)->cache, ex->response.kept);
    if (ex->problem.errors != &ex->state->errors)
        free(ex->problem.errors);
    free(ex->problem.entries);
    free(ex->work.prefix);
    free(ex->target.decoded);
    connection->exchange = NULL;
    exchange_loop_give(ex->state, ex);
}

void exchange_expire(struct connection *connection)
{
    struct exchange *ex = connection->exchange;

    if (!ex || (!ex->work.cache_wait && !ex->body.parse_job && !ex->work.job &&
                !ex->compress.job && !ex->work.pool_job))
        return;
    if (pool_job_stop(ex)) {
        connection_extend(connection, STOP_MS);
        return;
    }
    if (compress_expire(ex)) {
        connection_resume(connection);
        return;
    }
    cache_wait_cancel(ex);
    body_parse_job_cancel(ex);
    job_cancel(ex);
    pool_job_cancel(ex);
    ex->parts.running = false; /* the deadline is that of all parts */
    metrics_reject(loop_metrics(connection->loop), METRICS_REJECT_DEADLINE);
    exchange_fail(ex, PROBLEM_OVERLOADED, "no answer was ready in time; try again");
    connection_resume(connection);
}

void exchange_client_gone(struct connection *connection)
{
    struct exchange *ex = connection->exchange;

    if (ex)
        ex->parts.gone = true;
    if (!ex || !(job_cancel_if_queued(ex) || body_parse_job_cancel_if_queued(ex) ||
                 pool_job_cancel_if_queued(ex)))
        return;
    ex->parts.running = false;
    metrics_reject(loop_metrics(connection->loop), METRICS_REJECT_CLIENT_GONE);
    exchange_fail(ex, PROBLEM_OVERLOADED,
                  "the client disconnected before its request was computed");
    ex->response.closes = true;
    connection_resume(connection);
}
