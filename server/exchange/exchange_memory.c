/* SPDX-License-Identifier: Apache-2.0
 * exchange_memory.c - see exchange_memory.h; functions for work and answers are in
 * internal.h. */
#include "server/exchange/exchange_memory.h"

#include "proto/inference/inference_body.h"
#include "proto/tensors/tensor_reader.h"
#include "proto/text/json_body.h"
#include "server/exchange/auth.h"
#include "server/exchange/load_shedding.h"
#include "server/net/body_budget.h"

/* ---- work and answers -------------------------------------------------------------------- */

static enum answer_share_result take_share(struct exchange *ex, uint64_t bytes)
{
    if (!ex->share.peer)
        ex->share.peer = auth_peer(ex);
    return answer_share_take(exchange_service(ex), &ex->share, bytes);
}

bool exchange_try_share(struct exchange *ex, uint64_t bytes)
{
    return take_share(ex, bytes) == ANSWER_SHARE_TAKEN;
}

bool exchange_share(struct exchange *ex, uint64_t bytes)
{
    const enum answer_share_result result = take_share(ex, bytes);

    if (result == ANSWER_SHARE_TAKEN)
        return true;
    if (result != ANSWER_SHARE_PEER_FULL)
        inflight_want(exchange_service(ex), bytes);
    return exchange_lacks(ex, bytes,
                          result == ANSWER_SHARE_PEER_FULL ? METRICS_REJECT_PEER
                                                           : METRICS_REJECT_MEMORY);
}

void exchange_settle_share(struct exchange *ex)
{
    const bool made = ex->response.entry && ex->share.bytes > 0;
    const uint64_t bytes =
        ex->work.reserved + (made ? cache_entry_answer(ex->response.entry)->len : 0);

    if (bytes == 0 && ex->share.bytes == 0)
        return;
    if (!ex->share.peer)
        ex->share.peer = auth_peer(ex);
    answer_share_set(&ex->share, bytes);
}

bool exchange_reserve(struct exchange *ex, uint64_t bytes)
{
    if (!exchange_share(ex, bytes))
        return false;
    if (inflight_reserve(exchange_service(ex), bytes)) {
        ex->work.reserved += bytes;
        return true;
    }
    answer_share_set(&ex->share, ex->share.bytes - bytes);
    load_shedding_beside(ex->connection);
    return exchange_lacks(ex, bytes, METRICS_REJECT_MEMORY);
}

void exchange_release(struct exchange *ex)
{
    encoder_free(ex->work.encoder);
    pe_plan_free(ex->work.plan);
    ex->work.encoder = NULL;
    ex->work.plan = NULL;
    inflight_release(exchange_service(ex), ex->work.reserved);
    ex->work.reserved = ex->work.answer_reserved = 0;
}

/* ---- the body -------------------------------------------------------------------------- */

bool exchange_reserve_body(struct exchange *ex, uint64_t bytes)
{
    if (ex->body.memory.bytes == 0)
        ex->body.memory.peer = auth_peer(ex);
    return inflight_reserve_body(exchange_service(ex), &ex->body.memory, bytes);
}

bool exchange_reserve_body_or_fail(struct exchange *ex, uint64_t bytes)
{
    if (exchange_reserve_body(ex, bytes))
        return true;
    exchange_fail(ex, PROBLEM_OVERLOADED, EXCHANGE_BODY_TOO_MANY);
    return false;
}

bool exchange_never_fits_body(const struct exchange *ex, uint64_t bytes)
{
    return body_budget_never_fit(exchange_service(ex)->bodies, bytes);
}

void exchange_release_body(struct exchange *ex, uint64_t kept)
{
    inflight_release_body(exchange_service(ex), &ex->body.memory, kept);
}

bool exchange_hand_over_body(struct exchange *ex)
{
    const uint64_t before = ex->body.memory.bytes;

    if (!exchange_reserve_body_or_fail(ex, request_held(ex->request)))
        return false;
    json_body_free(ex->body.json);
    ex->body.json = NULL;
    exchange_release_body(ex, ex->body.memory.bytes - before);
    return true;
}

void exchange_forget_body(struct exchange *ex)
{
    exchange_release_body(ex, 0);
    json_body_free(ex->body.json);
    tensor_reader_free(ex->body.tensors);
    tensor_set_free(ex->body.set);
    inference_body_free(ex->body.inference);
    ex->body.json = NULL;
    ex->body.tensors = NULL;
    ex->body.set = NULL;
    ex->body.inference = NULL;
}

/* ---- the end of the work ---------------------------------------------------------------- */

enum next exchange_forget_request(struct exchange *ex, enum next next)
{
    if (next != DONE)
        return next;
    request_free(ex->request);
    ex->request = NULL;
    exchange_forget_body(ex);
    return next;
}

void exchange_forget_parts(struct exchange *ex)
{
    if (ex->parts.kind)
        ex->parts.kind->free(ex->parts.batch);
    ex->parts.kind = NULL;
    ex->parts.batch = NULL;
    answer_queue_leave(&ex->state->answers, ex->connection);
}

enum next exchange_forget_work(struct exchange *ex, enum next next)
{
    if (next != DONE)
        return next;
    if (ex->document.document)
        ex->document.free(ex->document.document);
    ex->document.document = NULL;
    exchange_forget_errors(ex);
    exchange_forget_parts(ex);
    exchange_release(ex);
    answer_share_set(&ex->share, 0);
    if (ex->share.peer)
        answer_queue_wake(&ex->state->answers);
    return exchange_forget_request(ex, next);
}
