/* SPDX-License-Identifier: Apache-2.0
 * body_parse_job.h - makes a checked request with its tag and key of a long JSON body on the
 * pool: the time for that grows with the body, and other clients need the loop meanwhile. */
#pragma once

#include "server/exchange/internal.h"

/* Returns true if the body is long enough to be read on the pool: above 64 KiB, or above 256
 * KiB while the pool is full. */
bool body_parse_job_is_due(struct exchange *ex);
/* Returns the operations that reading the body takes, on the pool or on the loop's thread. */
double body_parse_job_operations(const struct exchange *ex);
/* Moves ex->request, which is new, and ex->body.json, which is finished, to the pool: the
 * query, the body and request_finish. When that is done the connection is resumed for
 * body_parse_job_take_result. False, and the problem's step is next: the pool or memory is
 * full. */
bool body_parse_job_start(struct exchange *ex);
/* Returns the status of request_finish, or PE_NO_MEMORY from before it. ex->request is back and
 * ex->problem.errors says what is wrong; the body is freed. The problem's step may be next. */
enum pe_status body_parse_job_take_result(struct exchange *ex);
/* The exchange no longer waits: a running job ends by itself, a queued job never runs. */
void body_parse_job_cancel(struct exchange *ex);
/* Cancels a queued job whose client has gone. False: the job has begun, or there is none. */
bool body_parse_job_cancel_if_queued(struct exchange *ex);
