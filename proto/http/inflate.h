/* SPDX-License-Identifier: Apache-2.0
 * inflate.h - undoes the content coding of a request's body as it arrives, piece by piece and
 * within bounds, by zlib: libdeflate wants all of it at once. gzip (RFC 1952, with as many
 * members as there are) and deflate, which in HTTP is zlib's framing (RFC 1950). */
#ifndef PROTO_INFLATE_H
#define PROTO_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Beyond its first INFLATE_FREE bytes a body may be at most this many times as long as what
 * it came in (deflate can do 1,032), so that a few bytes cannot keep us busy for long. */
enum { INFLATE_RATIO = 200, INFLATE_FREE = 1 << 20 };
/* Memory of one, for whoever counts: zlib's window and state, and a piece of output. */
enum { INFLATE_MEMORY = 64 << 10 };

/* The codings taken, as Accept-Encoding lists them. */
#define INFLATE_CODINGS "gzip, deflate"
/* One of them, or its old name "x-gzip", in any case of letters. */
bool inflate_takes(const char *coding);

enum inflate_state { INFLATE_OK, INFLATE_MALFORMED, INFLATE_TOO_LARGE, INFLATE_NO_MEMORY };

/* Takes unpacked bytes; false: it wants no more, and inflate_add returns at once. */
typedef bool inflate_sink(void *context, const char *bytes, size_t len);

struct inflate;
/* For a coding that is taken, and at most that many bytes of output. NULL: out of memory. */
struct inflate *inflate_new(const char *coding, uint64_t max_bytes, inflate_sink *sink,
                            void *context);
void inflate_free(struct inflate *unpacker); /* may be NULL */
/* The next bytes of the body, of which some may wait. Once it is not OK it stays so. */
enum inflate_state inflate_add(struct inflate *unpacker, const char *bytes, size_t len);
/* All of them came: unpacks what waits. OK only after a whole stream, or when the sink wants no
 * more. */
enum inflate_state inflate_finish(struct inflate *unpacker);
/* Of the last state that was not OK: a sentence that says what would be right. */
const char *inflate_error(const struct inflate *unpacker);

#endif
