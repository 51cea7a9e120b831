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
 * query, the body and request_finish. When that is done ex->step is next: ex->request is back,
 * ex->body.parse_status is the status of request_finish, or PE_NO_MEMORY from before it, and
 * ex->problem.errors says what is wrong; the body is freed. If the pool or memory is full, the
 * problem's step is next. */
enum next body_parse_job_start(struct exchange *ex);
