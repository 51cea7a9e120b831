/* SPDX-License-Identifier: Apache-2.0
 * accept.h - content negotiation (RFC 9110, 12.5.1). */
#ifndef PROTO_ACCEPT_H
#define PROTO_ACCEPT_H

#include <stddef.h>

struct format;

/* The format that the value of an Accept header (may be NULL) likes best: highest q, then
 * the more specific range, then the order of formats.def. Ranges that cannot be read are
 * passed over; an empty value accepts everything. NULL when nothing fits: 406. */
const struct format *accept_choose(const char *accept, size_t len);

#endif
