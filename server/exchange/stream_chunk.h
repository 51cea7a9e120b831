/* SPDX-License-Identifier: Apache-2.0
 * stream_chunk.h - the next bytes of a long answer whose numbers are expensive: the pool makes
 * them while the connection is suspended, so that other connections of its loop do not wait.
 * Every function is called on the loop's thread. */
#pragma once

#include "server/exchange/internal.h"

struct stream_chunk;

/* Bytes that a chunk takes of the in-flight budget. */
enum { STREAM_CHUNK_BYTES = 64 << 10 };

/* True if one block of this answer holds a loop for too long. */
bool stream_chunk_needed(const struct pe_plan *plan);
/* Takes ex->request, whose tensors the encoder reads; borrows encoder and plan until
 * stream_chunk_free. NULL: out of memory, nothing is taken. */
struct stream_chunk *stream_chunk_new(struct exchange *ex, struct encoder *encoder,
                                      struct pe_plan *plan);

/* Copies ready bytes, at most `capacity`; 0: none are ready. */
size_t stream_chunk_take(struct stream_chunk *chunk, char *out, size_t capacity);
/* Suspends the connection until the pool has made more bytes, or, if the pool is full, makes
 * some on this thread. False: there are no more, or (stream_chunk_busy) the pool makes some. */
bool stream_chunk_more(struct stream_chunk *chunk, struct exchange *ex);
bool stream_chunk_busy(const struct stream_chunk *chunk);
uint64_t stream_chunk_ns(const struct stream_chunk *chunk); /* spent so far */

/* Frees the chunk, encoder and plan, once the pool is done with them. */
void stream_chunk_free(struct stream_chunk *chunk);
