/* SPDX-License-Identifier: Apache-2.0
 * cors.h - which pages from elsewhere may read answers (Fetch standard, "HTTP CORS protocol"):
 * none, those of the origins that the operator names, or all. Never with cookies, of which we
 * have none; never to administer; never through --admin-listen. */
#ifndef SERVER_CORS_H
#define SERVER_CORS_H

#include <microhttpd.h>
#include <stdbool.h>

struct config;
struct exchange;

enum cors { CORS_NOBODY, CORS_LISTED, CORS_ANYBODY };

enum cors cors_of(const struct config *config);

/* This answer must name the page that asks: no ready-made response. */
bool cors_is_private(const struct exchange *ex);
/* What every answer to anybody says. */
bool cors_add_anybody(struct MHD_Response *response);
/* What is still missing in a response for this request: the origin, if it is one of those, and
 * Vary. With a Vary it must name Origin already. */
bool cors_add(const struct exchange *ex, struct MHD_Response *response);
/* To OPTIONS: what such a page may send. */
bool cors_add_preflight(const struct exchange *ex, struct MHD_Response *response);

#endif
