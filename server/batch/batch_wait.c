/* SPDX-License-Identifier: Apache-2.0
 * batch_wait.c - what a batch waits for: at first the batches of its peer that came before,
 * then the bytes that its answer grows by. So a batch that has begun comes to its end, and
 * those that would take its memory from it have not been read yet. One batch of the process
 * keeps its bytes while it waits for more; any other gives them back and begins again, so that
 * batches never wait for each other's bytes. */
#include "server/batch/batch_state.h"
#include "server/exchange/auth.h"

enum { ALONE_BYTES = 128 << 10 }; /* others that hold less need not be waited for */

static exchange_step step_turn, step_bytes;

/* ---- waiting ----------------------------------------------------------------------------- */

static bool cancel(struct wait *wait, struct exchange *ex)
{
    (void)wait; /* it is the batch's own */
    answer_queue_leave(&ex->state->answers, ex->connection);
    return false;
}

/* The queue resumes the connection, and the step ends the wait. */
static enum next wait_for(struct exchange *ex, enum answer_wait what, exchange_step *step,
                          exchange_step *late)
{
    static const struct wait_kind kind = {.cancel = cancel, .idle = true};
    struct wait *wait = &ex->parts.batch->wait;

    wait->late = late;
    wait_begin(ex, wait, &kind);
    ex->connection->place.wait = what;
    ex->step = step;
    return WAIT;
}

/* ---- the turn ---------------------------------------------------------------------------- */

enum next batch_wait_begin(struct exchange *ex)
{
    if (answer_queue_enter(&ex->state->answers, ex->connection, auth_peer(ex)))
        return step_turn(ex);
    access_log_reject(ex, METRICS_REJECT_PEER);
    return exchange_fail(ex, PROBLEM_OVERLOADED,
                         "too many batches of this client wait for their turn; send fewer at a "
                         "time, and try again");
}

/* A batch waits for its turn for half of its time at most, so that one that begins has the
 * other half: the time of batches that begin too late would be lost for all. */
static enum next wait_for_turn(struct exchange *ex)
{
    struct connection *connection = ex->connection;
    struct batch *batch = ex->parts.batch;
    const uint64_t now = loop_now_ms(ex->state->loop);

    if (batch->later_ms == 0 && connection->work_until_ms > now) {
        batch->later_ms = (connection->work_until_ms - now) / 2;
        connection->work_until_ms -= batch->later_ms;
    }
    return wait_for(ex, ANSWER_WAIT_TURN, step_turn, NULL);
}

static enum next step_turn(struct exchange *ex)
{
    struct batch *batch = ex->parts.batch;

    ex->wait = NULL;
    if (ex->parts.gone)
        return batch_step_next(ex);
    if (!answer_queue_is_ahead(ex->connection))
        return wait_for_turn(ex);
    ex->connection->work_until_ms += batch->later_ms;
    batch->later_ms = 0;
    ex->step = batch_step_body;
    return MORE;
}

/* ---- bytes ------------------------------------------------------------------------------- */

/* Returns whether answers of others hold bytes that they will give back. */
static bool has_company(const struct exchange *ex)
{
    const struct batch *batch = ex->parts.batch;
    uint64_t bodies, sending, computing;

    inflight_shares(batch->service, &bodies, &sending, &computing);
    return sending + computing > ex->share.bytes + batch->reserved_parsed + ALONE_BYTES;
}

bool batch_may_wait_bytes(struct exchange *ex)
{
    struct connection *connection = ex->connection;

    return has_company(ex) &&
           (connection->place.line ||
            answer_queue_return(&ex->state->answers, connection, auth_peer(ex)));
}

static enum next step_late(struct exchange *ex)
{
    const struct exchange_lack *lack = &ex->parts.batch->lack;

    access_log_reject(ex, lack->reason);
    return exchange_fail(ex, PROBLEM_OVERLOADED, "%s", lack->detail);
}

static enum next wait_for_bytes(struct exchange *ex)
{
    return wait_for(ex, ANSWER_WAIT_BYTES, step_bytes, step_late);
}

/* Gives back what the answer has. The batch begins again when all is free that it wanted, and
 * takes that at once. */
static void give_back(struct exchange *ex)
{
    struct batch *batch = ex->parts.batch;

    batch->wanted = batch->reserved + (batch->lack.of_batch ? batch->lack.bytes : 0);
    batch->lack.bytes += batch->reserved;
    answer_share_set(&ex->share, ex->share.bytes - batch->reserved);
    inflight_release(batch->service, batch->reserved);
    batch->reserved = 0;
    batch_answer_fini(&batch->answer);
    batch_answer_init(&batch->answer, batch->format);
    batch->elements = 0;
    batch->next = 0;
    answer_queue_wake(&ex->state->answers);
}

enum next batch_wait_bytes(struct exchange *ex, const struct exchange_lack *lack)
{
    struct batch *batch = ex->parts.batch;

    batch->lack = *lack;
    batch->turn_ns = 0;
    if (!answer_queue_hold(&ex->state->answers, ex->connection) && batch->reserved > 0)
        give_back(ex);
    return wait_for_bytes(ex);
}

static enum next step_bytes(struct exchange *ex)
{
    const struct batch *batch = ex->parts.batch;

    ex->wait = NULL;
    ex->step = batch_step_next;
    if (ex->parts.gone)
        return MORE;
    if (exchange_try_share(ex, batch->lack.bytes)) { /* the part takes them itself */
        answer_share_set(&ex->share, ex->share.bytes - batch->lack.bytes);
        return MORE;
    }
    if (batch->lack.reason == METRICS_REJECT_MEMORY)
        inflight_want(batch->service, batch->lack.bytes);
    return has_company(ex) ? wait_for_bytes(ex) : MORE;
}
