/* SPDX-License-Identifier: Apache-2.0
 * piece.h - the next bytes of a long answer whose numbers are dear: made on the pool while its
 * connection is suspended, so that the others of its loop do not wait. On the loop's thread. */
#ifndef SERVER_PIECE_H
#define SERVER_PIECE_H

#include "server/exchange/exchange_parts.h"

struct piece;

/* Bytes that a piece takes of the in-flight budget. */
enum { PIECE_BYTES = 64 << 10 };

/* True if one block of this answer holds a loop for too long. */
bool piece_needed(const struct pe_plan *plan);
/* Takes ex->request, whose tensors the encoder reads; borrows encoder and plan until
 * piece_free. NULL: out of memory, nothing is taken. */
struct piece *piece_new(struct exchange *ex, struct encoder *encoder, struct pe_plan *plan);

/* What is ready, up to `room` bytes; 0: nothing. */
size_t piece_take(struct piece *piece, char *out, size_t room);
/* Nothing is ready: suspends the connection until more is, or, if the pool has too much to do,
 * makes some here. False: there is no more, or (piece_busy) some is being made. */
bool piece_more(struct piece *piece);
bool piece_busy(const struct piece *piece);
uint64_t piece_ns(const struct piece *piece); /* spent so far */

/* Frees encoder and plan too, when the pool is done with them. */
void piece_free(struct piece *piece);

#endif
