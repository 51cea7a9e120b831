/* SPDX-License-Identifier: Apache-2.0
 * inflate.c - see inflate.h. */
#define ZLIB_CONST /* next_in is const */
#include "proto/http/inflate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

enum { CHUNK = 16 << 10, INPUT = 512 };

/* The framings of deflate: windowBits of zlib hold the largest window, 32 KiB, and a
 * framing. */
static const struct framing {
    const char *coding, *name;
    int window_bits;
    bool members; /* one stream may follow another */
} framings[] = {
    {"gzip", "gzip (RFC 1952)", 16 + MAX_WBITS, true},
    {"x-gzip", "gzip (RFC 1952)", 16 + MAX_WBITS, true},
    {"deflate", "zlib's format (RFC 1950)", MAX_WBITS, false},
};

struct inflate {
    const struct framing *framing;
    z_stream zlib;
    bool ended;   /* a stream is complete; no byte has followed yet */
    bool again;   /* the stream is not the first one */
    bool stopped; /* the sink has returned false */
    uint64_t taken, given, max_bytes;
    inflate_sink *sink;
    void *context;
    enum inflate_state state;
    char error[160];
    /* zlib gets blocks of one size however the body arrives, so that the result for a body does
     * not depend on the network. */
    size_t waiting;
    char input[INPUT];
    char chunk[CHUNK];
};

static const struct framing *framing_of(const char *coding)
{
    for (size_t i = 0; i < sizeof framings / sizeof framings[0]; i++)
        if (strcasecmp(framings[i].coding, coding) == 0)
            return &framings[i];
    return NULL;
}

bool inflate_takes(const char *coding)
{
    return framing_of(coding) != NULL;
}

static voidpf allocate(voidpf context, uInt count, uInt size)
{
    return calloc(count, size);
}

static void release(voidpf context, voidpf memory)
{
    free(memory);
}

struct inflate *inflate_new(const char *coding, uint64_t max_bytes, inflate_sink *sink,
                            void *context)
{
    struct inflate *stream = calloc(1, sizeof *stream);

    if (!stream)
        return NULL;
    stream->framing = framing_of(coding);
    stream->max_bytes = max_bytes;
    stream->sink = sink;
    stream->context = context;
    stream->zlib.zalloc = allocate;
    stream->zlib.zfree = release;
    if (inflateInit2(&stream->zlib, stream->framing->window_bits) != Z_OK) {
        free(stream);
        return NULL;
    }
    return stream;
}

void inflate_free(struct inflate *stream)
{
    if (stream) {
        inflateEnd(&stream->zlib);
        free(stream);
    }
}

size_t inflate_waiting(const struct inflate *stream)
{
    return stream->waiting;
}

const char *inflate_error(const struct inflate *stream)
{
    return stream->error;
}

/* ---- errors ------------------------------------------------------------------------------ */

static void malformed(struct inflate *stream, const char *what)
{
    stream->state = INFLATE_MALFORMED;
    snprintf(stream->error, sizeof stream->error,
             "the body must be %s, as its Content-Encoding says: %s", stream->framing->name,
             what);
}

static void check_size(struct inflate *stream)
{
    if (stream->given > stream->max_bytes) {
        stream->state = INFLATE_TOO_LARGE;
        snprintf(stream->error, sizeof stream->error,
                 "a body inflates to at most %" PRIu64 " bytes", stream->max_bytes);
    } else if (stream->given > INFLATE_FREE && stream->given / INFLATE_RATIO > stream->taken) {
        stream->state = INFLATE_TOO_LARGE;
        snprintf(stream->error, sizeof stream->error,
                 "a body of more than %d bytes inflates to at most %d times its length; send "
                 "it without Content-Encoding",
                 INFLATE_FREE, INFLATE_RATIO);
    }
}

/* ---- bytes ------------------------------------------------------------------------------- */

/* Sets the state from zlib's result; Z_BUF_ERROR only means that zlib needs more input. */
static void check_result(struct inflate *stream, int result)
{
    const z_stream *zlib = &stream->zlib;

    if (result == Z_MEM_ERROR)
        stream->state = INFLATE_NO_MEMORY;
    else if (result == Z_NEED_DICT)
        malformed(stream, "it needs a preset dictionary; compress without one");
    else if (result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR)
        stream->ended = result == Z_STREAM_END;
    else if (stream->again && zlib->total_out == 0)
        malformed(stream, "the bytes behind its end are no other member");
    else
        malformed(stream, zlib->msg ? zlib->msg : "its data is corrupt");
}

/* Calls zlib once: some input becomes at most a block of output. */
static void step(struct inflate *stream)
{
    z_stream *zlib = &stream->zlib;
    uInt before = zlib->avail_in;

    zlib->next_out = (Bytef *)stream->chunk;
    zlib->avail_out = CHUNK;
    check_result(stream, inflate(zlib, Z_NO_FLUSH));
    size_t got = CHUNK - zlib->avail_out;
    stream->taken += before - zlib->avail_in;
    stream->given += got;
    if (stream->state == INFLATE_OK)
        check_size(stream);
    if (stream->state == INFLATE_OK && got > 0)
        stream->stopped = !stream->sink(stream->context, stream->chunk, got);
}

/* Begins the next stream, because bytes follow a stream that has ended. */
static void begin_again(struct inflate *stream)
{
    if (!stream->framing->members) {
        malformed(stream, "bytes follow its end");
        return;
    }
    inflateReset(&stream->zlib);
    stream->again = true;
    stream->ended = false;
}

/* Inflates all bytes in the input block. */
static void run(struct inflate *stream)
{
    z_stream *zlib = &stream->zlib;

    zlib->next_in = (const Bytef *)stream->input;
    zlib->avail_in = (uInt)stream->waiting;
    zlib->avail_out = CHUNK;
    stream->waiting = 0;
    while (stream->state == INFLATE_OK && !stream->stopped &&
           (zlib->avail_in > 0 || (!stream->ended && zlib->avail_out == 0)))
        if (stream->ended)
            begin_again(stream);
        else
            step(stream);
}

enum inflate_state inflate_add(struct inflate *stream, const char *bytes, size_t len)
{
    while (len > 0 && stream->state == INFLATE_OK && !stream->stopped) {
        size_t capacity = INPUT - stream->waiting, part = len < capacity ? len : capacity;

        memcpy(stream->input + stream->waiting, bytes, part);
        stream->waiting += part;
        bytes += part;
        len -= part;
        if (stream->waiting == INPUT)
            run(stream);
    }
    return stream->state;
}

enum inflate_state inflate_finish(struct inflate *stream)
{
    if (stream->state == INFLATE_OK && !stream->stopped && stream->waiting > 0)
        run(stream);
    if (stream->state == INFLATE_OK && !stream->stopped && !stream->ended)
        malformed(stream, "it ends too early");
    return stream->state;
}
