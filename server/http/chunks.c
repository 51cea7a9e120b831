/* SPDX-License-Identifier: Apache-2.0
 * chunks.c - see chunks.h. Lines are read byte by byte, data in pieces as long as they
 * arrive. */
#include "server/http/chunks.h"

#include "server/http/head.h"

enum {
    SIZE_DIGITS = 16,
    EXTENSIONS_MAX = 4096, /* bytes in one body; no client is known to send any */
};

static const char bad_size[] = "a chunk must be its length in hexadecimal digits, CR LF, that "
                               "many bytes, and CR LF";
static const char bad_extension[] =
    "a chunk's extensions must be ;NAME or ;NAME=VALUE with a token or quoted text for the "
    "value, without control characters, and end with CR LF";
static const char long_extension[] = "the extensions of all chunks must be at most 4096 bytes";
static const char large[] = "a chunk is longer than a body may be";

void chunks_begin(struct chunks *chunks, uint64_t max)
{
    *chunks = (struct chunks){.max = max, .at = CHUNKS_IN_SIZE};
}

static void fail(struct chunks *chunks, enum chunks_state state, const char *error)
{
    chunks->state = state;
    chunks->error = error;
}

static void read_size(struct chunks *chunks, unsigned char c)
{
    int digit = head_hex_value((char)c);

    if (digit < 0 ? chunks->digits == 0 || (c != '\r' && c != ';')
                  : chunks->digits == SIZE_DIGITS) {
        fail(chunks, CHUNKS_MALFORMED, bad_size);
        return;
    }
    if (digit < 0) {
        chunks->at = c == ';' ? CHUNKS_IN_EXTENSION : CHUNKS_IN_SIZE_LF;
        chunks->in_extension = CHUNK_EXTENSION_BEFORE_NAME;
        return;
    }
    chunks->digits++;
    chunks->left = chunks->left << 4 | (unsigned)digit;
    if (chunks->left > chunks->max)
        fail(chunks, CHUNKS_TOO_LARGE, large);
}

static void read_extension(struct chunks *chunks, unsigned char c)
{
    chunks->in_extension = chunk_extension_next(chunks->in_extension, c);
    if (chunks->in_extension == CHUNK_EXTENSION_ENDED)
        chunks->at = CHUNKS_IN_SIZE_LF;
    else if (chunks->in_extension == CHUNK_EXTENSION_MALFORMED)
        fail(chunks, CHUNKS_MALFORMED, bad_extension);
    else if (++chunks->extension > EXTENSIONS_MAX)
        fail(chunks, CHUNKS_MALFORMED, long_extension);
}

/* The byte must be `wanted`; `next` is the place after it. */
static void read_exact(struct chunks *chunks, unsigned char c, char wanted,
                       enum chunks_place next, const char *error)
{
    if (c != (unsigned char)wanted)
        fail(chunks, CHUNKS_MALFORMED, error);
    chunks->at = next;
}

static void read_trailer(struct chunks *chunks, unsigned char c)
{
    chunks->lines += chunks->at == CHUNKS_IN_TRAILER_LINE && c != '\r';
    if (++chunks->trailer > HEAD_BYTES_MAX || chunks->lines > HEAD_LINES_MAX) {
        fail(chunks, CHUNKS_TRAILER_TOO_LONG, HEAD_TRAILER_LONG);
        return;
    }
    if (chunks->at == CHUNKS_IN_TRAILER_LINE && c == '\r') {
        chunks->at = CHUNKS_IN_LAST_LF;
        return;
    }
    if (chunks->at == CHUNKS_IN_TRAILER_VALUE) {
        if (c == '\r')
            chunks->at = CHUNKS_IN_TRAILER_LF;
        else if (!head_is_value_byte(c))
            fail(chunks, CHUNKS_MALFORMED, HEAD_TRAILER_BAD);
        return;
    }
    if (head_set_has(&head_token_set, c))
        chunks->at = CHUNKS_IN_TRAILER_NAME;
    else if (chunks->at == CHUNKS_IN_TRAILER_NAME && c == ':')
        chunks->at = CHUNKS_IN_TRAILER_VALUE;
    else
        fail(chunks, CHUNKS_MALFORMED, HEAD_TRAILER_BAD);
}

/* Reads a byte that is not data of the body. */
static void read_byte(struct chunks *chunks, unsigned char c)
{
    switch (chunks->at) {
    case CHUNKS_IN_SIZE:
        read_size(chunks, c);
        break;
    case CHUNKS_IN_EXTENSION:
        read_extension(chunks, c);
        break;
    case CHUNKS_IN_SIZE_LF:
        read_exact(chunks, c, '\n', chunks->left > 0 ? CHUNKS_IN_DATA : CHUNKS_IN_TRAILER_LINE,
                   chunks->extension ? bad_extension : bad_size);
        break;
    case CHUNKS_IN_DATA_CR:
        read_exact(chunks, c, '\r', CHUNKS_IN_DATA_LF, bad_size);
        break;
    case CHUNKS_IN_DATA_LF:
        read_exact(chunks, c, '\n', CHUNKS_IN_SIZE, bad_size);
        chunks->digits = 0;
        break;
    case CHUNKS_IN_DATA: /* chunks_add hands data to the sink, so this case does not occur */
        break;
    case CHUNKS_IN_TRAILER_LINE:
    case CHUNKS_IN_TRAILER_NAME:
    case CHUNKS_IN_TRAILER_VALUE:
        read_trailer(chunks, c);
        break;
    case CHUNKS_IN_TRAILER_LF:
        read_exact(chunks, c, '\n', CHUNKS_IN_TRAILER_LINE, HEAD_TRAILER_BAD);
        break;
    case CHUNKS_IN_LAST_LF:
        read_exact(chunks, c, '\n', CHUNKS_IN_LAST_LF, HEAD_TRAILER_BAD);
        if (chunks->state == CHUNKS_MORE)
            chunks->state = CHUNKS_WHOLE;
        break;
    }
}

enum chunks_state chunks_add(struct chunks *chunks, const char *bytes, size_t len,
                             chunks_sink *sink, void *context)
{
    const char *end = bytes + len;

    while (bytes < end && chunks->state == CHUNKS_MORE) {
        size_t some = (size_t)(end - bytes);

        if (chunks->at != CHUNKS_IN_DATA) {
            read_byte(chunks, (unsigned char)*bytes++);
            continue;
        }
        if (some > chunks->left)
            some = (size_t)chunks->left;
        chunks->left -= some;
        if (chunks->left == 0)
            chunks->at = CHUNKS_IN_DATA_CR;
        if (!sink(context, bytes, some))
            chunks->state = CHUNKS_STOPPED;
        bytes += some;
    }
    return chunks->state;
}
