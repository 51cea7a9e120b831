/* SPDX-License-Identifier: Apache-2.0
 * job.h - the computation of an answer: plan, fill, encode, hand to the cache. It runs on the
 * loop's thread, or on the pool while its exchange is suspended; there it goes on after its
 * exchange has given up, as long as other exchanges wait for the answer. For an answer that is
 * not cached the pool only makes the plan, or of a picture the first bytes. */
#pragma once

#include "server/exchange/internal.h"

/* Makes ex->work.plan and ex->work.encoder on this thread, under the limits of the
 * configuration. brief: see pe_limits. The plan's memory counts in ex->work.reserved; errors
 * are in *ex->problem.errors. PE_STOPPED: it takes too long, and is for the pool. */
enum pe_status job_plan(struct exchange *ex, bool brief);

/* The result of a job. It is also in the entry (if there is one) and in the metrics. */
enum job_result {
    JOB_DONE,     /* ex->work.entry is ready */
    JOB_TOO_LONG, /* not cached: stream ex->work.prefix, then ex->work.encoder */
    JOB_FAILED,   /* ex->step responds with the problem */
    JOB_PLANNED,  /* there was no entry: ex->work.plan and ex->work.encoder are made */
};

/* Runs the job on this thread; ex->work.plan and ex->work.encoder are made. */
enum job_result job_run(struct exchange *ex);
/* Starts the job on the pool, with all bytes that the exchange has reserved; ex->work.plan or
 * ex->work.entry may be NULL. With a plan and no entry it makes the first bytes. When it is
 * done the connection is resumed, and job_take_result returns the result. false: the pool is
 * full, or memory is short. */
bool job_start(struct exchange *ex);
enum job_result job_take_result(struct exchange *ex);
/* The exchange waits no longer. A job that no other exchange waits for is taken out of the
 * queue, or stopped. */
void job_cancel(struct exchange *ex);
/* Cancels the job and returns true unless it has begun: a client that seems to have left may
 * only have ended its side of the connection, and wait. */
bool job_cancel_if_queued(struct exchange *ex);
/* True if the answer is to be streamed: it is too long for the cache, or takes so long that its
 * first bytes should not wait for its last. */
bool job_streams(const struct service *service, const struct request *request,
                 const struct encoder *encoder, const struct pe_plan *plan);
/* True if computing the answer takes so long that its first bytes should not wait for its
 * last. */
bool job_is_slow(const struct service *service, const struct request *request,
                 const struct pe_plan *plan);

/* The reason why an entry failed, for exchanges that waited for it (cache_entry_problem): it is
 * longer than what is computed in one go at first; it is long and could not be computed in one
 * go; its maker gave up; or else a problem's kind + 1. */
enum { JOB_ENTRY_TOO_LONG = -1, JOB_ENTRY_STREAMS = -2, JOB_ENTRY_CANCELLED = -3 };
