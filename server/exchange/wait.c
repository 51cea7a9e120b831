/* SPDX-License-Identifier: Apache-2.0
 * wait.c - see wait.h. */
#include "server/exchange/wait.h"

#include "server/exchange/auth.h"
#include "server/net/peers.h"

static void on_run(struct thread_pool_task *task)
{
    struct wait *wait = (struct wait *)(void *)task;

    wait->kind->run(wait);
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
    if (thread_pool_add(ex->state->pool, &wait->task))
        return true;
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
