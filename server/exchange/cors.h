/* SPDX-License-Identifier: Apache-2.0
 * cors.h - lets pages of other origins read answers (Fetch standard, "HTTP CORS protocol"): no
 * page, pages of the origins that the operator names, or all. Never with cookies, of which we
 * have none; never to administer; never through --admin-listen. */
#pragma once

#include <stdbool.h>

struct config;
struct exchange;
struct header_block;

enum cors { CORS_NOBODY, CORS_LISTED, CORS_ANYBODY };

enum cors cors_of(const struct config *config);

/* True: the answer must name its request's origin, so no prepared response can be sent. */
bool cors_is_private(const struct exchange *ex);
/* Writes the headers that let every page read the answer. */
void cors_write_anybody(struct header_block *block);
/* Writes the headers that the response to this request still lacks: the origin, if it is
 * listed, and Vary. A Vary that is there already must name Origin. */
void cors_write(const struct exchange *ex, struct header_block *block);
/* Writes the methods and fields that an allowed page may send, of the response to OPTIONS. */
void cors_write_preflight(const struct exchange *ex, struct header_block *block);
