/* SPDX-License-Identifier: Apache-2.0
 * body.h - the body of a request: refused at its head, or unpacked and read as it arrives,
 * counted against the in-flight budget. An answer cannot begin before the body ends
 * (libmicrohttpd allows none), so what is refused in the middle is answered on the socket
 * itself. */
#ifndef SERVER_BODY_H
#define SERVER_BODY_H

#include "server/exchange/internal.h"

/* A refused body of at most this length is read and dropped: the connection lives on. */
enum { BODY_SWALLOW = 64 << 10 };
/* Packed bytes taken at once, which may stand for a thousand times as many; and how long the
 * body of one client is read before it is another's turn. */
enum { BODY_PACKED_PART = 512, BODY_TURN_NS = 1000000 };

/* The head of a request with a body is known: MORE to take it (or drop it), DONE when it is
 * refused at once. The route is found; a problem there is refused as well. */
enum next body_begin(struct exchange *ex);
/* The next bytes; CLOSE when the connection must end. */
enum next body_add(struct exchange *ex, const char *bytes, size_t len);
/* Its body is still coming, and the memory that it holds is wanted by others: it is told 503,
 * and what still comes is dropped. */
void body_give_way(struct exchange *ex);
/* All bytes came (or there was no body): MORE, or the problem's step is next. */
enum next body_finish(struct exchange *ex);
/* Gives ex->request what the body held; errors are in ex->errors. The problem's step may be
 * next. */
enum pe_status body_give(struct exchange *ex);

/* "application/json, application/x-npy": what the path takes. */
void body_media_types(const struct exchange *ex, struct buffer *out);

#endif
