/* SPDX-License-Identifier: Apache-2.0
 * request_check.h - a request that does not have exactly one meaning is refused and its
 * connection closed, before any other code sees it. */
#pragma once

#include "server/http/head.h"

/* Clears *head and checks the raw target, before anything is decoded. */
void request_check_target(struct head *head, const char *raw);
/* Checks the whole head, and fills in *head; .refused is set if it has not exactly one meaning.
 * A Content-Length above max_body is refused with 413. */
void request_check_head(struct head *head, const struct head_bytes *bytes, uint64_t max_body);
/* libmicrohttpd itself has refused the head with this status: sets .refused and the reason,
 * which the lines tell if they are asked of libmicrohttpd (struct head_bytes). */
void request_check_refused(struct head *head, struct transport_connection *wire,
                           unsigned status, uint64_t max_body);
/* The body has arrived: .refused is set if libmicrohttpd read it, in chunks, and a line of its
 * trailer section is malformed or the section too long. */
void request_check_trailer(struct head *head);
