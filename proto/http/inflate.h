/* SPDX-License-Identifier: Apache-2.0
 * inflate.h - decodes the content coding of a request's body as it arrives, in pieces and
 * within bounds, by zlib, because libdeflate needs the whole body at once. The codings are gzip
 * (RFC 1952, any number of members) and deflate, which in HTTP is zlib's framing (RFC 1950). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* After its first INFLATE_FREE bytes, an inflated body may be at most this many times as
 * long as the compressed one (deflate can reach 1,032), so that a few bytes cannot keep a
 * thread busy for long. */
enum { INFLATE_RATIO = 200, INFLATE_FREE = 1 << 20 };
/* The memory of one struct inflate: zlib's window and state, and a block of output. */
enum { INFLATE_MEMORY = 64 << 10 };

/* The accepted codings, as Accept-Encoding lists them. */
#define INFLATE_CODINGS "gzip, deflate"
/* Returns whether the coding is one of INFLATE_CODINGS, or "x-gzip", in any case of letters. */
bool inflate_takes(const char *coding);

enum inflate_state { INFLATE_OK, INFLATE_MALFORMED, INFLATE_TOO_LARGE, INFLATE_NO_MEMORY };

/* Receives inflated bytes; when it returns false, inflate_add returns at once. */
typedef bool inflate_sink(void *context, const char *bytes, size_t len);

struct inflate;
/* Begins a body in an accepted coding, with at most max_bytes of output. NULL when out of
 * memory. */
struct inflate *inflate_new(const char *coding, uint64_t max_bytes, inflate_sink *sink,
                            void *context);
void inflate_free(struct inflate *stream); /* may be NULL */
/* Adds the next bytes of the body, some of which may wait in a buffer. A state other than OK is
 * final. */
enum inflate_state inflate_add(struct inflate *stream, const char *bytes, size_t len);
/* Returns the number of bytes in the buffer, which a later call inflates. */
size_t inflate_waiting(const struct inflate *stream);
/* Ends the body: inflates the bytes in the buffer. OK only after a complete stream, or if the
 * sink needs no more. */
enum inflate_state inflate_finish(struct inflate *stream);
/* Returns the error sentence of a state that is not OK; it says what would be right. */
const char *inflate_error(const struct inflate *stream);
