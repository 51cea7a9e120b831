/* SPDX-License-Identifier: Apache-2.0
 * chunks.h - the chunked transfer coding of a request's body (RFC 9112, 7.1), read strictly:
 * what a proxy before us might read as another body is malformed. Lines end with CR LF; an
 * extension follows the size at once and has no control characters; fields of the trailer
 * section are checked and dropped. */
#ifndef SERVER_CHUNKS_H
#define SERVER_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum chunks_state {
    CHUNKS_MORE,
    CHUNKS_WHOLE,
    CHUNKS_STOPPED, /* by the sink */
    CHUNKS_MALFORMED,
    CHUNKS_TOO_LARGE,        /* a chunk is longer than a body may be */
    CHUNKS_TRAILER_TOO_LONG, /* as a head that is too long */
};

/* What the next byte is of. */
enum chunks_place {
    CHUNKS_IN_SIZE,
    CHUNKS_IN_EXTENSION,
    CHUNKS_IN_SIZE_LF,
    CHUNKS_IN_DATA,
    CHUNKS_IN_DATA_CR,
    CHUNKS_IN_DATA_LF,
    CHUNKS_IN_TRAILER_LINE, /* its first byte, or the CR of the empty line at the end */
    CHUNKS_IN_TRAILER_NAME,
    CHUNKS_IN_TRAILER_VALUE,
    CHUNKS_IN_TRAILER_LF,
    CHUNKS_IN_LAST_LF,
};

struct chunks {
    enum chunks_state state;
    enum chunks_place at;
    unsigned digits;           /* of the size so far */
    uint64_t left;             /* bytes of the chunk; or, amid its size, the size so far */
    uint64_t max;              /* of one chunk */
    size_t extension, trailer; /* bytes of them, in the whole body */
    size_t lines;              /* of the trailer section */
    const char *error;         /* static sentence, NULL: none */
};

/* The next bytes of the body. False: no more are wanted. */
typedef bool chunks_sink(void *context, const char *bytes, size_t len);

void chunks_begin(struct chunks *chunks, uint64_t max);
/* Once the state is not CHUNKS_MORE it stays, and bytes are ignored. */
enum chunks_state chunks_add(struct chunks *chunks, const char *bytes, size_t len,
                             chunks_sink *sink, void *context);

#endif
