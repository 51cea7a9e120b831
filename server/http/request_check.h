/* SPDX-License-Identifier: Apache-2.0
 * request_check.h - a request that does not have exactly one meaning is refused and its
 * connection closed, before any other code sees it. Depends on how libmicrohttpd 0.9.75 leaves
 * a head in its buffer, which mhd_selftest.h tests at start. */
#pragma once

#include <microhttpd.h>

#include "server/http/head.h"

/* Checks the raw target, before anything is decoded (MHD_OPTION_URI_LOG_CALLBACK). Clears
 * *head, and cuts the query off in libmicrohttpd's buffer, so that libmicrohttpd does not parse
 * it. */
void request_check_target(struct head *head, const char *raw);
/* Checks the whole head, in the first handler call, and fills in *head; .refused is set if it
 * has not exactly one meaning. A Content-Length above max_body is refused with 413. */
void request_check_head(struct head *head, struct MHD_Connection *mhd, const char *method,
                        const char *version, uint64_t max_body);
/* libmicrohttpd itself has refused the head with this status: sets .refused and the reason. */
void request_check_refused(struct head *head, unsigned status, uint64_t max_body);
/* The bytes that libmicrohttpd has read after the head (the start of the body), in the first
 * handler call. */
const char *request_check_rest(const struct head *head, struct MHD_Connection *mhd,
                               size_t *len);
