/* SPDX-License-Identifier: Apache-2.0
 * pool_job.h - work on the pool that one suspended exchange waits for, and no other: a verdict,
 * a change of a file. (Answers that exchanges share are made by job.h.) A job owns all that it
 * works on, so that it outlives an exchange that gives up. */
#pragma once

#include "server/exchange/internal.h"
#include "server/sys/thread_pool.h"

struct pool_job;

struct pool_job_kind {
    void (*run)(struct pool_job *job); /* on a thread of the pool */
    /* On the loop's thread: hands the result to the exchange, whose next step it sets. */
    void (*settle)(struct pool_job *job, struct exchange *ex);
    void (*free)(struct pool_job *job); /* on the loop's thread, once */
    /* Makes a job that has begun end soon, with a result. NULL: the job is always done to its
     * end, even if no exchange waits. */
    void (*stop)(struct pool_job *job);
};

struct pool_job { /* the first member of a kind's own structure */
    struct thread_pool_task task;
    const struct pool_job_kind *kind;
    struct exchange *ex; /* NULL: the exchange gave up */
    bool stopped;
    /* Set by `run`: operations of another run, a task of its own, before the job is settled; 0:
     * there is none. At the deadline of the request none begins. */
    double again;
};

/* Suspends the exchange until the job, which it takes over, is done. operations: as of a task.
 * If the pool is full, the problem's step is next. */
enum next pool_job_start(struct exchange *ex, struct pool_job *job,
                         const struct pool_job_kind *kind, double operations);
/* Does the same, but returns false if the pool is full, and leaves the job to the caller. */
bool pool_job_try(struct exchange *ex, struct pool_job *job, const struct pool_job_kind *kind,
                  double operations);
/* The exchange waits no longer: the job is stopped, if its kind can be. */
void pool_job_cancel(struct exchange *ex);
/* Cancels a job that has not begun, if its kind can be stopped; else returns false. */
bool pool_job_cancel_if_queued(struct exchange *ex);
/* Asks the job to end soon. False: there is no job to ask, or it was asked before. */
bool pool_job_stop(struct exchange *ex);
