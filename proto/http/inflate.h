/* SPDX-License-Identifier: Apache-2.0
 * inflate.h - undoes the content coding of a request's body as it arrives, piece by piece and
 * within bounds, by zlib: libdeflate wants all of it at once. gzip (RFC 1952, with as many
 * members as there are) and deflate, which in HTTP is zlib's framing (RFC 1950). */
#ifndef PROTO_INFLATE_H
#define PROTO_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Beyond its first INFLATE_FREE bytes an inflated body may be at most this many times as
 * long as the compressed one (deflate can reach 1,032), so that a few bytes cannot keep a
 * thread busy for long. */
enum { INFLATE_RATIO = 200, INFLATE_FREE = 1 << 20 };
/* The memory of one struct inflate: zlib's window and state, and a block of output. */
enum { INFLATE_MEMORY = 64 << 10 };

/* The codings that are accepted, as Accept-Encoding lists them. */
#define INFLATE_CODINGS "gzip, deflate"
/* The coding is one of INFLATE_CODINGS, or "x-gzip", in any case of letters. */
bool inflate_takes(const char *coding);

enum inflate_state { INFLATE_OK, INFLATE_MALFORMED, INFLATE_TOO_LARGE, INFLATE_NO_MEMORY };

/* Takes inflated bytes; false: it wants no more, and inflate_add returns at once. */
typedef bool inflate_sink(void *context, const char *bytes, size_t len);

struct inflate;
/* Begins a body in an accepted coding, with at most that many bytes of output. NULL: out of
 * memory. */
struct inflate *inflate_new(const char *coding, uint64_t max_bytes, inflate_sink *sink,
                            void *context);
void inflate_free(struct inflate *stream); /* may be NULL */
/* Adds the next bytes of the body, some of which may wait in a buffer. A state other than OK
 * stays. */
enum inflate_state inflate_add(struct inflate *stream, const char *bytes, size_t len);
/* Ends the body: inflates the bytes that wait. OK only after a complete stream, or when the
 * sink wants no more. */
enum inflate_state inflate_finish(struct inflate *stream);
/* The sentence of a state that is not OK; it says what would be right. */
const char *inflate_error(const struct inflate *stream);

#endif
