/* SPDX-License-Identifier: Apache-2.0
 * pool_job.c - see pool_job.h. */
#include "server/exchange/pool_job.h"

#include "server/net/peers.h"

static void on_run(struct thread_pool_task *task)
{
    struct pool_job *job = (struct pool_job *)(void *)task;

    job->kind->run(job);
}

static const char too_late[] = "no answer was ready in time; try again";

/* Adds the task of another run. False: there is none, and the job is settled, or the step of a
 * problem is next. */
static bool begin_again(struct exchange *ex, struct pool_job *job)
{
    const double operations = job->again;

    job->again = 0;
    if (operations > 0 && !job->stopped && pool_job_try(ex, job, job->kind, operations))
        return true;
    if (operations > 0 && job->stopped)
        exchange_fail(ex, PROBLEM_OVERLOADED, too_late);
    else if (operations > 0)
        exchange_refuse_work(ex);
    else
        job->kind->settle(job, ex);
    return false;
}

static void on_done(struct thread_pool_task *task)
{
    struct pool_job *job = (struct pool_job *)(void *)task;
    struct exchange *ex = job->ex;

    if (ex) {
        ex->work.pool_job = NULL;
        if (begin_again(ex, job))
            return;
    }
    job->kind->free(job);
    if (ex)
        connection_resume(ex->connection); /* runs the exchange's next step */
}

/* The step of an exchange that is resumed before its job is done, as a service that ends does
 * with all that are suspended. */
static enum next step_resumed_early(struct exchange *ex)
{
    pool_job_cancel(ex);
    ex->parts.running = false; /* the job has the batch */
    return exchange_fail(ex, PROBLEM_OVERLOADED, too_late);
}

bool pool_job_try(struct exchange *ex, struct pool_job *job, const struct pool_job_kind *kind,
                  double operations)
{
    job->task.run = on_run;
    job->task.done = on_done;
    job->task.operations = operations;
    job->task.peer = exchange_peer(ex)->number;
    job->kind = kind;
    job->ex = ex;
    if (!thread_pool_add(ex->state->pool, &job->task)) {
        ex->work.refused = job->task.result;
        return false;
    }
    ex->work.pool_job = job;
    ex->step = step_resumed_early;
    return true;
}

enum next pool_job_start(struct exchange *ex, struct pool_job *job,
                         const struct pool_job_kind *kind, double operations)
{
    if (pool_job_try(ex, job, kind, operations))
        return WAIT;
    kind->free(job);
    return exchange_refuse_work(ex);
}

void pool_job_cancel(struct exchange *ex)
{
    struct pool_job *job = ex->work.pool_job;

    if (!job)
        return;
    job->ex = NULL;
    ex->work.pool_job = NULL;
    if (!job->kind->stop)
        return;
    job->kind->stop(job);
    (void)thread_pool_cancel(&job->task); /* the job may be freed then */
}

bool pool_job_cancel_if_queued(struct exchange *ex)
{
    const struct pool_job *job = ex->work.pool_job;

    if (!job || !job->kind->stop || thread_pool_begun(&job->task))
        return false;
    pool_job_cancel(ex);
    return true;
}

bool pool_job_stop(struct exchange *ex)
{
    struct pool_job *job = ex->work.pool_job;

    if (!job || !job->kind->stop || job->stopped || !thread_pool_begun(&job->task))
        return false;
    job->stopped = true;
    job->kind->stop(job);
    return true;
}
