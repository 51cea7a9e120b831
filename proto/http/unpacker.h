/* SPDX-License-Identifier: Apache-2.0
 * unpacker.h - undoes the content coding of a request's body as it arrives, piece by piece and
 * within bounds, by zlib: libdeflate wants all of it at once. gzip (RFC 1952, with as many
 * members as there are) and deflate, which in HTTP is zlib's framing (RFC 1950). */
#ifndef PROTO_UNPACKER_H
#define PROTO_UNPACKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Beyond its first UNPACKER_FREE bytes a body may be at most this many times as long as what
 * it came in (deflate can do 1,032), so that a few bytes cannot keep us busy for long. */
enum { UNPACKER_RATIO = 200, UNPACKER_FREE = 1 << 20 };
/* Memory of one, for whoever counts: zlib's window and state, and a piece of output. */
enum { UNPACKER_MEMORY = 64 << 10 };

/* The codings taken, as Accept-Encoding lists them. */
#define UNPACKER_CODINGS "gzip, deflate"
/* One of them, or its old name "x-gzip", in any case of letters. */
bool unpacker_takes(const char *coding);

enum unpacker_state { UNPACKER_OK, UNPACKER_MALFORMED, UNPACKER_TOO_LARGE, UNPACKER_NO_MEMORY };

/* Takes unpacked bytes; false: it wants no more, and unpacker_add returns at once. */
typedef bool unpacker_sink(void *context, const char *bytes, size_t len);

struct unpacker;
/* For a coding that is taken, and at most that many bytes of output. NULL: out of memory. */
struct unpacker *unpacker_new(const char *coding, uint64_t max_bytes, unpacker_sink *sink,
                              void *context);
void unpacker_free(struct unpacker *unpacker); /* may be NULL */
/* The next bytes of the body, of which some may wait. Once it is not OK it stays so. */
enum unpacker_state unpacker_add(struct unpacker *unpacker, const char *bytes, size_t len);
/* All of them came: unpacks what waits. OK only after a whole stream, or when the sink wants no
 * more. */
enum unpacker_state unpacker_finish(struct unpacker *unpacker);
/* Of the last state that was not OK: a sentence that says what would be right. */
const char *unpacker_error(const struct unpacker *unpacker);

#endif
