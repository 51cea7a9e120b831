/* SPDX-License-Identifier: Apache-2.0
 * accept.h - content negotiation (RFC 9110, 12.5.1). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct format;

/* Chooses the format that the value of an Accept header (may be NULL) prefers: by highest q,
 * then by the more specific range, then `first` (may be NULL), then in the order of
 * formats.def. Unreadable ranges are ignored; an empty value accepts everything. Returns NULL
 * when no format fits: 406. */
const struct format *accept_choose(const char *accept, size_t len, const struct format *first);
/* Chooses among `count` formats alone, of which the first is the default. */
const struct format *accept_choose_among(const struct format *const *formats, size_t count,
                                         const char *accept, size_t len,
                                         const struct format *first);
/* Returns whether the client is a browser that opens a page: the value of its Accept header
 * (may be NULL) names text/html, with a weight that is not below application/json's. A range
 * such as any type does not name it. */
bool accept_html(const char *accept);
