/* SPDX-License-Identifier: Apache-2.0
 * inflate.c - see inflate.h. */
#define ZLIB_CONST /* its input is const */
#include "proto/http/inflate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

enum { PIECE = 16 << 10, INPUT = 512 };

/* zlib's windowBits: of at most 32 KiB, and what is around the stream. */
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
    bool ended;   /* a stream is whole; nothing has come since */
    bool again;   /* it is not the first */
    bool stopped; /* the sink wants no more */
    uint64_t taken, given, max_bytes;
    inflate_sink *sink;
    void *context;
    enum inflate_state state;
    char error[160];
    /* zlib is given the same pieces however the body arrives, so that what it is refused for
     * does not depend on the network. */
    size_t waiting;
    char input[INPUT];
    char piece[PIECE];
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
    struct inflate *unpacker = calloc(1, sizeof *unpacker);

    if (!unpacker)
        return NULL;
    unpacker->framing = framing_of(coding);
    unpacker->max_bytes = max_bytes;
    unpacker->sink = sink;
    unpacker->context = context;
    unpacker->zlib.zalloc = allocate;
    unpacker->zlib.zfree = release;
    if (inflateInit2(&unpacker->zlib, unpacker->framing->window_bits) != Z_OK) {
        free(unpacker);
        return NULL;
    }
    return unpacker;
}

void inflate_free(struct inflate *unpacker)
{
    if (unpacker) {
        inflateEnd(&unpacker->zlib);
        free(unpacker);
    }
}

const char *inflate_error(const struct inflate *unpacker)
{
    return unpacker->error;
}

/* ---- what goes wrong --------------------------------------------------------------------- */

static void malformed(struct inflate *unpacker, const char *what)
{
    unpacker->state = INFLATE_MALFORMED;
    snprintf(unpacker->error, sizeof unpacker->error,
             "the body must be %s, as its Content-Encoding says: %s", unpacker->framing->name,
             what);
}

static void check_size(struct inflate *unpacker)
{
    if (unpacker->given > unpacker->max_bytes) {
        unpacker->state = INFLATE_TOO_LARGE;
        snprintf(unpacker->error, sizeof unpacker->error,
                 "a body unpacks to at most %" PRIu64 " bytes", unpacker->max_bytes);
    } else if (unpacker->given > INFLATE_FREE &&
               unpacker->given / INFLATE_RATIO > unpacker->taken) {
        unpacker->state = INFLATE_TOO_LARGE;
        snprintf(unpacker->error, sizeof unpacker->error,
                 "a body of more than %d bytes unpacks to at most %d times its length; send "
                 "it without Content-Encoding",
                 INFLATE_FREE, INFLATE_RATIO);
    }
}

/* ---- bytes ------------------------------------------------------------------------------- */

/* What zlib says of its input; Z_BUF_ERROR only asks for more. */
static void check_result(struct inflate *unpacker, int result)
{
    const z_stream *zlib = &unpacker->zlib;

    if (result == Z_MEM_ERROR)
        unpacker->state = INFLATE_NO_MEMORY;
    else if (result == Z_NEED_DICT)
        malformed(unpacker, "it wants a dictionary");
    else if (result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR)
        unpacker->ended = result == Z_STREAM_END;
    else if (unpacker->again && zlib->total_out == 0)
        malformed(unpacker, "what follows its end is no other member");
    else
        malformed(unpacker, zlib->msg ? zlib->msg : "this is none");
}

/* One call of zlib: some input becomes at most a piece of output. */
static void step(struct inflate *unpacker)
{
    z_stream *zlib = &unpacker->zlib;
    uInt before = zlib->avail_in;

    zlib->next_out = (Bytef *)unpacker->piece;
    zlib->avail_out = PIECE;
    check_result(unpacker, inflate(zlib, Z_NO_FLUSH));
    size_t got = PIECE - zlib->avail_out;
    unpacker->taken += before - zlib->avail_in;
    unpacker->given += got;
    if (unpacker->state == INFLATE_OK)
        check_size(unpacker);
    if (unpacker->state == INFLATE_OK && got > 0)
        unpacker->stopped = !unpacker->sink(unpacker->context, unpacker->piece, got);
}

/* A stream has ended and there are more bytes. */
static void begin_again(struct inflate *unpacker)
{
    if (!unpacker->framing->members) {
        malformed(unpacker, "bytes follow its end");
        return;
    }
    inflateReset(&unpacker->zlib);
    unpacker->again = true;
    unpacker->ended = false;
}

/* All of the input that waits. */
static void run(struct inflate *unpacker)
{
    z_stream *zlib = &unpacker->zlib;

    zlib->next_in = (const Bytef *)unpacker->input;
    zlib->avail_in = (uInt)unpacker->waiting;
    zlib->avail_out = PIECE;
    unpacker->waiting = 0;
    while (unpacker->state == INFLATE_OK && !unpacker->stopped &&
           (zlib->avail_in > 0 || (!unpacker->ended && zlib->avail_out == 0)))
        if (unpacker->ended)
            begin_again(unpacker);
        else
            step(unpacker);
}

enum inflate_state inflate_add(struct inflate *unpacker, const char *bytes, size_t len)
{
    while (len > 0 && unpacker->state == INFLATE_OK && !unpacker->stopped) {
        size_t room = INPUT - unpacker->waiting, part = len < room ? len : room;

        memcpy(unpacker->input + unpacker->waiting, bytes, part);
        unpacker->waiting += part;
        bytes += part;
        len -= part;
        if (unpacker->waiting == INPUT)
            run(unpacker);
    }
    return unpacker->state;
}

enum inflate_state inflate_finish(struct inflate *unpacker)
{
    if (unpacker->state == INFLATE_OK && !unpacker->stopped && unpacker->waiting > 0)
        run(unpacker);
    if (unpacker->state == INFLATE_OK && !unpacker->stopped && !unpacker->ended)
        malformed(unpacker, "it ends too early");
    return unpacker->state;
}
