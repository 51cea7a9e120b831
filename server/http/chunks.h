/* SPDX-License-Identifier: Apache-2.0
 * chunks.h - the chunked transfer coding of a request's body (RFC 9112, 7.1), read strictly:
 * chunks that a proxy in front might read as another body are malformed. Lines end with CR LF;
 * an extension follows the size at once (chunk_extension.h); fields of the trailer section are
 * checked and dropped. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/http/chunk_extension.h"

enum chunks_state {
    CHUNKS_MORE,    /* the body is not complete yet */
    CHUNKS_WHOLE,   /* the body is complete */
    CHUNKS_STOPPED, /* the sink wants no more bytes */
    CHUNKS_MALFORMED,
    CHUNKS_TOO_LARGE,        /* a chunk is longer than a body may be */
    CHUNKS_TRAILER_TOO_LONG, /* the trailer section exceeds the limits of a head */
};

/* The part of the body that the next byte belongs to. */
enum chunks_place {
    CHUNKS_IN_SIZE,
    CHUNKS_IN_EXTENSION,
    CHUNKS_IN_SIZE_LF,
    CHUNKS_IN_DATA,
    CHUNKS_IN_DATA_CR,
    CHUNKS_IN_DATA_LF,
    CHUNKS_IN_TRAILER_LINE, /* the first byte of a line, or the last CR */
    CHUNKS_IN_TRAILER_NAME,
    CHUNKS_IN_TRAILER_VALUE,
    CHUNKS_IN_TRAILER_LF,
    CHUNKS_IN_LAST_LF,
};

struct chunks {
    enum chunks_state state;
    enum chunks_place at;
    enum chunk_extension in_extension; /* while .at is CHUNKS_IN_EXTENSION */
    unsigned digits;                   /* of the chunk's size, read so far */
    uint64_t left; /* bytes left of the chunk; while its size is read, the size so far */
    uint64_t max;  /* bytes that one chunk may have */
    size_t extension, trailer; /* bytes of extensions and trailer in the body so far */
    size_t lines;              /* of the trailer section */
    const char *error;         /* static sentence; NULL: there is no error */
};

/* Takes the next bytes of the body. False: no more are wanted. */
typedef bool chunks_sink(void *context, const char *bytes, size_t len);

void chunks_begin(struct chunks *chunks, uint64_t max);
/* Reads more bytes. A state other than CHUNKS_MORE is final, and further bytes are ignored. */
enum chunks_state chunks_add(struct chunks *chunks, const char *bytes, size_t len,
                             chunks_sink *sink, void *context);
