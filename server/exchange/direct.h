/* SPDX-License-Identifier: Apache-2.0
 * direct.h - a problem written on the socket itself, where libmicrohttpd allows no answer:
 * while a body is coming, or when the head has used up its memory. */
#ifndef SERVER_DIRECT_H
#define SERVER_DIRECT_H

#include "server/exchange/exchange_parts.h"

/* Then nothing more is sent on this connection; the caller takes what still comes or closes. */
void direct_problem(struct exchange *ex, enum problem_kind kind, const char *detail);

#endif
