/* SPDX-License-Identifier: Apache-2.0
 * chunked_body.h - reads a chunked body from the socket itself, past libmicrohttpd, whose
 * reader of chunks is lenient: it lets a line feed alone end a line, even amid an extension,
 * and runs the next bytes as a request. The transport has the connection suspended meanwhile;
 * it takes the answer for an early one, so it reads no further request and closes. */
#pragma once

#include "server/exchange/internal.h"

struct chunked_body;

/* Called in the first handler call, if the body is wanted. WAIT: the connection is suspended,
 * and resumed when the body is complete or refused. MORE: it is so already, or a problem is
 * next. */
enum next chunked_body_begin(struct exchange *ex);
/* Resumes the connection, because the exchange was refused and wants no more of its body. */
void chunked_body_stop(struct exchange *ex);
/* Returns true if the body broke off, so that no client waits for an answer. NULL: false. */
bool chunked_body_is_cut(const struct chunked_body *body);
void chunked_body_free(struct chunked_body *body); /* NULL: nothing */
