/* SPDX-License-Identifier: Apache-2.0
 * wait.c - see wait.h. */
#include "server/exchange/wait.h"

#include <stdlib.h>
#include <uv.h>

#include "server/exchange/auth.h"
#include "server/net/peers.h"
#include "server/quota/client_table.h"

static void on_run(struct thread_pool_task *task)
{
    struct wait *wait = (struct wait *)(void *)task;

    const uint64_t start = wait->is_timed ? uv_hrtime() : 0;

    wait->kind->run(wait);
    if (wait->is_timed)
        wait->work_ns = uv_hrtime() - start;
}

/* Takes the work from the limit of the client, also if its request is over, and says in the
 * span what the time was for. */
static void charge(struct wait *wait)
{
    if (wait->ex && wait->kind->step != SPAN_WAIT)
        span_move(&wait->ex->span, wait->ex->span.step, wait->kind->step, wait->work_ns);
    if (!wait->client)
        return;
    client_charge_work(wait->client, wait->work_ns);
    if (wait->ex)
        wait->ex->client.work_ns += wait->work_ns;
    client_table_drop(wait->client);
    wait->client = NULL;
}

static void on_done(struct thread_pool_task *task)
{
    struct wait *wait = (struct wait *)(void *)task;

    if (wait->ex && !task->cancelled)
        metrics_queued(loop_metrics(wait->ex->state->loop), task->expensive, task->waited_ns);
    wait_over(wait);
}

/* Adds the task of another run. False: there is no place or no time for it, and the step of a
 * problem is next. */
static bool begin_again(struct exchange *ex, struct wait *wait)
{
    const double operations = wait->again;

    wait->again = 0;
    if (wait->stopped)
        exchange_fail(ex, PROBLEM_OVERLOADED, "no answer was ready in time; try again");
    else if (wait_try(ex, wait, wait->kind, operations))
        return true;
    else
        exchange_refuse_work(ex);
    return false;
}

void wait_over(struct wait *wait)
{
    struct exchange *ex = wait->ex;
    const bool again = ex && wait->again > 0;

    charge(wait);
    if (ex)
        ex->wait = NULL;
    if (again && begin_again(ex, wait))
        return;
    wait->kind->settle(wait, again ? NULL : ex);
    if (ex)
        connection_resume(ex->connection); /* runs the exchange's next step */
}

void wait_begin(struct exchange *ex, struct wait *wait, const struct wait_kind *kind)
{
    wait->kind = kind;
    wait->ex = ex;
    wait->client = NULL;
    wait->is_timed = false;
    wait->work_ns = 0;
    ex->wait = wait;
}

bool wait_try(struct exchange *ex, struct wait *wait, const struct wait_kind *kind,
              double operations)
{
    wait->task.run = on_run;
    wait->task.done = on_done;
    wait->task.operations = operations;
    wait->task.peer = auth_peer(ex)->number;
    wait_begin(ex, wait, kind);
    wait->client = client_table_share(ex->client.client);
    wait->is_timed = wait->client || ex->span.begun;
    if (thread_pool_add(ex->state->pool, &wait->task))
        return true;
    client_table_drop(wait->client);
    wait->client = NULL;
    ex->wait = NULL;
    ex->work.refused = wait->task.result;
    return false;
}

enum next wait_start(struct exchange *ex, struct wait *wait, const struct wait_kind *kind,
                     double operations)
{
    if (wait_try(ex, wait, kind, operations))
        return WAIT;
    kind->settle(wait, NULL);
    return exchange_refuse_work(ex);
}

/* Returns whether work that has not begun never does. */
static bool give_up(struct wait *wait, struct exchange *ex)
{
    if (wait->kind->cancel)
        return wait->kind->cancel(wait, ex);
    if (wait->kind->stops)
        pe_stop_set(&wait->stop);
    return wait->kind->stops;
}

void wait_cancel(struct exchange *ex)
{
    struct wait *wait = ex->wait;

    if (!wait)
        return;
    ex->wait = NULL;
    wait->ex = NULL;
    if (give_up(wait, ex))
        (void)thread_pool_cancel(&wait->task); /* the wait may be freed then */
}

static bool has_begun(const struct wait *wait)
{
    return wait->kind->run ? thread_pool_begun(&wait->task) : !wait->kind->idle;
}

bool wait_cancel_if_queued(struct exchange *ex)
{
    const struct wait *wait = ex->wait;

    if (!wait || (!wait->kind->cancel && !wait->kind->stops) || has_begun(wait))
        return false;
    wait_cancel(ex);
    return true;
}

bool wait_stop(struct exchange *ex)
{
    struct wait *wait = ex->wait;

    if (!wait || !wait->kind->stops || wait->stopped || !has_begun(wait))
        return false;
    wait->stopped = true;
    (void)give_up(wait, ex);
    return true;
}

void wait_turn(struct exchange *ex)
{
    connection_yield(ex->connection, auth_peer(ex)->number, ex->turn_operations);
}

/* ---- a pause --------------------------------------------------------------------------- */

/* Nobody else has the wait. */
static bool end_hold(struct wait *wait, struct exchange *ex)
{
    (void)ex;
    free(wait);
    return false;
}

enum next wait_hold(struct exchange *ex, uint64_t ms, exchange_step *then)
{
    static const struct wait_kind hold = {.cancel = end_hold, .idle = true};
    struct wait *wait = calloc(1, sizeof *wait);

    if (!wait) {
        ex->step = then;
        return MORE;
    }
    wait_begin(ex, wait, &hold);
    wait->late = then; /* the deadline of the connection ends the wait */
    connection_hold(ex->connection, ms);
    return WAIT;
}
