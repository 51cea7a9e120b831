/* SPDX-License-Identifier: Apache-2.0
 * stream_store.c - stores bytes plainly, or composes whole cache lines and stores them past the
 * caches. The second way uses only instructions that every x86-64 CPU has, so that there is one
 * path; other CPUs store plainly. */
#include "core/math/stream_store.h"

#include <string.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

/* ---- lines ------------------------------------------------------------------------------- */

#if defined(__x86_64__)

/* Stores a line; out is the first byte of a cache line. */
static inline void store_line(char *out, const char *line)
{
    __m128i quarters[4];

    memcpy(quarters, line, STREAM_STORE_LINE);
    for (int i = 0; i < 4; i++)
        _mm_stream_si128((__m128i *)(void *)out + i, quarters[i]);
}

/* Makes the stores visible to other threads. */
static void finish_lines(void)
{
    _mm_sfence();
}

#else

static inline void store_line(char *out, const char *line)
{
    memcpy(out, line, STREAM_STORE_LINE);
}

static void finish_lines(void)
{
}

#endif

/* Stores the line that was composed. */
static void flush(struct stream_store *stream)
{
    if (stream->begin > 0)
        memcpy(stream->at + stream->begin, stream->line + stream->begin,
               STREAM_STORE_LINE - stream->begin);
    else
        store_line(stream->at, stream->line);
    stream->at += STREAM_STORE_LINE;
    stream->begin = stream->pending = 0;
}

void stream_store_begin(struct stream_store *stream, void *out, uint64_t bytes)
{
    stream->past = bytes >= STREAM_STORE_PAST_FROM;
    stream->begin = stream->pending = stream->past ? (uintptr_t)out % STREAM_STORE_LINE : 0;
    stream->at = (char *)out - stream->pending;
}

void stream_store_end(struct stream_store *stream)
{
    if (!stream->past)
        return;
    memcpy(stream->at + stream->begin, stream->line + stream->begin,
           stream->pending - stream->begin);
    finish_lines();
}

void *stream_store_take(struct stream_store *stream, size_t bytes)
{
    char *at = stream->at;

    if (stream->past)
        return NULL;
    stream->at += bytes;
    return at;
}

/* ---- copies ------------------------------------------------------------------------------ */

/* Returns how many of `bytes` bytes fit in the line. */
static size_t fit(const struct stream_store *stream, size_t bytes)
{
    return bytes < STREAM_STORE_LINE - stream->pending ? bytes
                                                       : STREAM_STORE_LINE - stream->pending;
}

static void copy_past(struct stream_store *stream, const char *from, size_t bytes)
{
    if (stream->pending > 0) {
        const size_t part = fit(stream, bytes);

        memcpy(stream->line + stream->pending, from, part);
        stream->pending += part;
        from += part;
        bytes -= part;
        if (stream->pending == STREAM_STORE_LINE)
            flush(stream);
    }
    for (; bytes >= STREAM_STORE_LINE;
         from += STREAM_STORE_LINE, bytes -= STREAM_STORE_LINE, stream->at += STREAM_STORE_LINE)
        store_line(stream->at, from);
    if (bytes > 0) {
        memcpy(stream->line, from, bytes);
        stream->pending = bytes;
    }
}

void stream_store_copy(struct stream_store *stream, const void *from, size_t bytes)
{
    if (stream->past) {
        copy_past(stream, from, bytes);
        return;
    }
    memcpy(stream->at, from, bytes);
    stream->at += bytes;
}

/* ---- repetitions ------------------------------------------------------------------------- */

static inline void repeat_line(char *line, uint64_t word)
{
    for (size_t i = 0; i < STREAM_STORE_LINE; i += sizeof word)
        memcpy(line + i, &word, sizeof word);
}

static void repeat_past(struct stream_store *stream, uint64_t word, size_t bytes)
{
    char line[STREAM_STORE_LINE];

    repeat_line(line, word);
    if (stream->pending > 0) {
        const size_t part = fit(stream, bytes);

        memcpy(stream->line + stream->pending, line,
               STREAM_STORE_LINE); /* copies more than needed, but a known size */
        stream->pending += part;
        bytes -= part;
        if (stream->pending == STREAM_STORE_LINE)
            flush(stream);
    }
    for (; bytes >= STREAM_STORE_LINE;
         bytes -= STREAM_STORE_LINE, stream->at += STREAM_STORE_LINE)
        store_line(stream->at, line);
    if (bytes > 0) {
        memcpy(stream->line, line, STREAM_STORE_LINE);
        stream->pending = bytes;
    }
}

/* True when all bytes of the word are equal. */
static bool even(uint64_t word)
{
    return word == (word & 0xff) * UINT64_C(0x0101010101010101);
}

void stream_store_repeat(struct stream_store *stream, uint64_t word, size_t bytes)
{
    char line[STREAM_STORE_LINE];

    if (stream->past) {
        repeat_past(stream, word, bytes);
    } else if (even(word)) {
        memset(stream->at, (int)(word & 0xff), bytes);
        stream->at += bytes;
    } else {
        repeat_line(line, word);
        for (; bytes >= STREAM_STORE_LINE;
             bytes -= STREAM_STORE_LINE, stream->at += STREAM_STORE_LINE)
            /* a known size is copied in whole registers */
            memcpy(stream->at, line, STREAM_STORE_LINE);
        memcpy(stream->at, line, bytes);
        stream->at += bytes;
    }
}
