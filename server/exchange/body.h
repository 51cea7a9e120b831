/* SPDX-License-Identifier: Apache-2.0
 * body.h - takes the body of a request: refuses it at its head, or decompresses and reads it as
 * it arrives, counted against the in-flight budget. libmicrohttpd allows no answer before the
 * body ends, so a body that is refused midway is answered on the socket itself. */
#pragma once

#include "server/exchange/internal.h"

/* A refused body of at most this length is read and dropped: the connection lives on. */
enum { BODY_DISCARD_MAX = 64 << 10 };
/* Compressed bytes taken at once, which may decompress to a thousand times as many; and the
 * time for which one body is read before other connections are served. */
enum { BODY_COMPRESSED_PART = 512, BODY_TURN_NS = 1000000 };

/* Called when the head of a request with a body is known and its route is found. MORE: the body
 * is read (or dropped). DONE: it is refused at once, as it is for a problem of the route. */
enum next body_begin(struct exchange *ex);
/* Takes the next bytes, of compressed ones as many as inflate in BODY_TURN_NS: *taken of them.
 * YIELD: the others follow when other connections were served. CLOSE: the connection must
 * end. */
enum next body_take(struct exchange *ex, const char *bytes, size_t len, size_t *taken);
/* Returns the operations of body_add of so many bytes that are compressed, and of the end of
 * the body if it follows, of one turn at most: a turn ends after BODY_TURN_NS. */
double body_inflate_operations(const struct exchange *ex, size_t len);
/* Takes all these bytes; CLOSE when the connection must end. */
enum next body_add(struct exchange *ex, const char *bytes, size_t len);
/* All bytes have arrived, or there was no body. False: the problem's step is next. */
bool body_finish(struct exchange *ex);
/* Sets the values of the body in ex->request; errors are in ex->problem.errors. The problem's
 * step may be next. */
enum pe_status body_give(struct exchange *ex);
