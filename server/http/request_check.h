/* SPDX-License-Identifier: Apache-2.0
 * request_check.h - every request has one meaning, or is refused and its connection closed.
 * Stands before everything else; leans on how libmicrohttpd 0.9.75 leaves a head in its buffer,
 * so mhd_selftest.h proves that at start. */
#ifndef SERVER_REQUEST_CHECK_H
#define SERVER_REQUEST_CHECK_H

#include <microhttpd.h>

#include "server/http/head.h"

/* The raw target, before anything is decoded (MHD_OPTION_URI_LOG_CALLBACK). Forgets the
 * request before and cuts the query off in libmicrohttpd's buffer, which then parses none. */
void request_check_target(struct head *head, const char *raw);
/* The whole head, in the first handler call: fills in *head, with .refused if it has not
 * one meaning. max_body: a longer Content-Length is 413. */
void request_check_head(struct head *head, struct MHD_Connection *mhd, const char *method,
                        const char *version, uint64_t max_body);
/* libmicrohttpd has refused a whole head with this status by itself: says why. */
void request_check_refused(struct head *head, struct MHD_Connection *mhd, unsigned status);
/* What libmicrohttpd has read behind the head, in the first handler call: the first bytes of a
 * body. */
const char *request_check_rest(const struct head *head, struct MHD_Connection *mhd,
                               size_t *len);

#endif
