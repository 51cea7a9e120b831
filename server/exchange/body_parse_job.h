/* SPDX-License-Identifier: Apache-2.0
 * body_parse_job.h - a long JSON body becomes a checked request with its tag and key on the
 * pool: what it takes grows with the body, and other clients wait for the loop. */
#ifndef SERVER_BODY_PARSE_JOB_H
#define SERVER_BODY_PARSE_JOB_H

#include "server/exchange/internal.h"

/* The body of the exchange is long enough to be read on the pool: above 64 KiB, or above
 * 256 KiB while the pool is full. */
bool body_parse_job_is_due(const struct exchange *ex);
/* Takes ex->request, which is new, and ex->body, which is finished, to the pool: the query,
 * the body and request_finish. When it is done the connection is resumed, and
 * body_parse_job_take_result tells. False, and the problem's step is next: the pool is full, or
 * memory is. */
bool body_parse_job_start(struct exchange *ex);
/* What request_finish said, or the worst before it. ex->request is back and ex->errors says
 * what is wrong; the body is gone. The problem's step may be next. */
enum pe_status body_parse_job_take_result(struct exchange *ex);
/* The exchange waits no longer: reading that was begun ends by itself, other is withdrawn from
 * the pool's queue. */
void body_parse_job_cancel(struct exchange *ex);
/* Its client has left: what has not begun is never done. False: it has begun, or there is
 * none. */
bool body_parse_job_withdraw(struct exchange *ex);

#endif
