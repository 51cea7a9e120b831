/* SPDX-License-Identifier: Apache-2.0
 * chunked_body.h - reads a chunked body from the socket itself, past libmicrohttpd, whose
 * reader of chunks is lenient: it lets a line feed alone end a line, even amid an extension,
 * and runs what follows as a request. libmicrohttpd has the connection suspended meanwhile; it
 * takes the answer for an early one, so it reads no further request and closes. */
#ifndef SERVER_CHUNKED_BODY_H
#define SERVER_CHUNKED_BODY_H

#include "server/exchange/internal.h"

struct chunked_body;

/* In the first handler call, when the head's body is wanted. WAIT: the connection is suspended,
 * and resumed when the body is whole or refused. MORE: it is already, or a problem is the next
 * step. */
enum next chunked_body_begin(struct exchange *ex);
/* The exchange, refused meanwhile, wants no more of its body: the connection is resumed. */
void chunked_body_stop(struct exchange *ex);
/* It was left before its end: there is nobody to answer. NULL: false. */
bool chunked_body_is_cut(const struct chunked_body *body);
void chunked_body_free(struct chunked_body *body); /* NULL: nothing */

#endif
