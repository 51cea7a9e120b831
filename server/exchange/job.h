/* SPDX-License-Identifier: Apache-2.0
 * job.h - the computation of an answer: plan, fill, encode, hand to the cache. It runs on the
 * loop's thread, or on the pool while its exchange is suspended; there it goes on after its
 * exchange has given up, as long as other exchanges wait for the answer. For an answer that is
 * not cached the pool only makes the plan, or of a picture the first bytes. */
#pragma once

#include "server/exchange/internal.h"

/* Makes ex->work.plan and ex->work.encoder on this thread, under the limits of the
 * configuration; with DELIVERY_UNCHANGED as brief ones (pe_limits). The plan's memory counts in
 * ex->work.reserved; errors are in *ex->problem.errors. PE_STOPPED: it takes too long, and is
 * for the pool. */
enum pe_status job_plan(struct exchange *ex);

/* Runs the job on this thread; ex->work.plan and ex->work.encoder are made. Then ex->work.entry
 * is ready, or NULL: the answer is not cached, and is streamed as ex->work.prefix and what
 * follows it; or the problem's step is next. Returns MORE. */
enum next job_run(struct exchange *ex);
/* Starts the job on the pool, with all bytes that the exchange has reserved; ex->work.plan or
 * ex->work.entry may be NULL. With a plan and no entry it makes the first bytes, without both
 * the plan. When it is done the connection is resumed, and all is as after job_run. If the
 * exchange gives up, a job that no other exchange waits for is taken out of the queue, or
 * stopped. false: the pool is full, or memory is short. */
bool job_start(struct exchange *ex);
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
