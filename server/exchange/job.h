/* SPDX-License-Identifier: Apache-2.0
 * job.h - the computation of an answer: plan, fill, encode, hand to the cache. The same work
 * runs inline, or on the pool while its exchange is suspended; there it outlives an exchange
 * that gives up for as long as others wait for the answer. Of what is no entry of the cache the
 * pool makes the plan alone. */
#ifndef SERVER_JOB_H
#define SERVER_JOB_H

#include "server/exchange/internal.h"

/* Makes ex->plan and ex->encoder here and now, under the limits of the configuration. brief: as
 * pe_limits have it. What the plan holds counts as reserved; errors are in *ex->errors. */
enum pe_status job_plan(struct exchange *ex, bool brief);

/* What came of it: in the entry (if there is one), in the exchange and in the metrics. */
enum job_result {
    JOB_DONE,     /* ex->entry is ready */
    JOB_TOO_LONG, /* not for the cache: stream it from ex->encoder, ex->prefix first */
    JOB_FAILED,   /* the exchange's step is its problem's */
    JOB_PLANNED,  /* there was no entry: ex->plan and ex->encoder are there */
};

/* Here and now; ex->plan and ex->encoder are there. */
enum job_result job_run(struct exchange *ex);
/* On the pool, with all that the exchange has reserved; ex->plan may be missing, or ex->entry.
 * When it is done the connection is resumed, and job_result tells. false: the pool is full, or
 * memory is. */
bool job_start(struct exchange *ex);
enum job_result job_take_result(struct exchange *ex);
/* The exchange waits no longer. Work that nobody else waits for is withdrawn from the queue, or
 * stopped. */
void job_cancel(struct exchange *ex);
/* The same, and true, unless it has begun: a client that seems to have left may have sent all
 * that it will and wait. */
bool job_cancel_if_queued(struct exchange *ex);
/* The answer is too long for the cache, or takes so long that its first bytes should not wait
 * for its last: it is streamed. */
bool job_streams(const struct service *service, const struct request *request,
                 const struct encoder *encoder, const struct pe_plan *plan);

/* Why an entry failed, for those who waited (cache_entry_problem): look at the answer's length
 * yourself, make it yourselves, or a problem kind + 1. */
enum { JOB_ENTRY_TOO_LONG = -1, JOB_ENTRY_CANCELLED = -2 };

#endif
