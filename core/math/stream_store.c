/* SPDX-License-Identifier: Apache-2.0
 * stream_store.c - plain stores, or lines that are composed and then stored without a fetch.
 * The latter by what every x86-64 CPU has, so that there is one path; elsewhere they are plain
 * too. */
#include "core/math/stream_store.h"

#include <string.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

/* ---- lines ------------------------------------------------------------------------------- */

#if defined(__x86_64__)

/* out is at a line's begin. */
static inline void store_line(char *out, const char *line)
{
    __m128i quarters[4];

    memcpy(quarters, line, STREAM_STORE_LINE);
    for (int i = 0; i < 4; i++)
        _mm_stream_si128((__m128i *)(void *)out + i, quarters[i]);
}

/* Other threads see what was stored. */
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

/* The line that was composed. */
static void flush(struct stream_store *pen)
{
    if (pen->begin > 0)
        memcpy(pen->at + pen->begin, pen->line + pen->begin, STREAM_STORE_LINE - pen->begin);
    else
        store_line(pen->at, pen->line);
    pen->at += STREAM_STORE_LINE;
    pen->begin = pen->held = 0;
}

void stream_store_begin(struct stream_store *pen, void *out, uint64_t bytes)
{
    pen->past = bytes >= STREAM_STORE_PAST_FROM;
    pen->begin = pen->held = pen->past ? (uintptr_t)out % STREAM_STORE_LINE : 0;
    pen->at = (char *)out - pen->held;
}

void stream_store_end(struct stream_store *pen)
{
    if (!pen->past)
        return;
    memcpy(pen->at + pen->begin, pen->line + pen->begin, pen->held - pen->begin);
    finish_lines();
}

/* ---- copies ------------------------------------------------------------------------------ */

/* What of `bytes` fits in the line. */
static size_t fit(const struct stream_store *pen, size_t bytes)
{
    return bytes < STREAM_STORE_LINE - pen->held ? bytes : STREAM_STORE_LINE - pen->held;
}

static void copy_past(struct stream_store *pen, const char *from, size_t bytes)
{
    if (pen->held > 0) {
        const size_t part = fit(pen, bytes);

        memcpy(pen->line + pen->held, from, part);
        pen->held += part;
        from += part;
        bytes -= part;
        if (pen->held == STREAM_STORE_LINE)
            flush(pen);
    }
    for (; bytes >= STREAM_STORE_LINE;
         from += STREAM_STORE_LINE, bytes -= STREAM_STORE_LINE, pen->at += STREAM_STORE_LINE)
        store_line(pen->at, from);
    if (bytes > 0) {
        memcpy(pen->line, from, bytes);
        pen->held = bytes;
    }
}

void stream_store_copy(struct stream_store *pen, const void *from, size_t bytes)
{
    if (pen->past) {
        copy_past(pen, from, bytes);
        return;
    }
    memcpy(pen->at, from, bytes);
    pen->at += bytes;
}

/* ---- repetitions ------------------------------------------------------------------------- */

static inline void repeat_line(char *line, uint64_t word)
{
    for (size_t i = 0; i < STREAM_STORE_LINE; i += sizeof word)
        memcpy(line + i, &word, sizeof word);
}

static void repeat_past(struct stream_store *pen, uint64_t word, size_t bytes)
{
    char line[STREAM_STORE_LINE];

    repeat_line(line, word);
    if (pen->held > 0) {
        const size_t part = fit(pen, bytes);

        memcpy(pen->line + pen->held, line, STREAM_STORE_LINE); /* too much: of a known size */
        pen->held += part;
        bytes -= part;
        if (pen->held == STREAM_STORE_LINE)
            flush(pen);
    }
    for (; bytes >= STREAM_STORE_LINE; bytes -= STREAM_STORE_LINE, pen->at += STREAM_STORE_LINE)
        store_line(pen->at, line);
    if (bytes > 0) {
        memcpy(pen->line, line, STREAM_STORE_LINE);
        pen->held = bytes;
    }
}

/* All its bytes are the same. */
static bool even(uint64_t word)
{
    return word == (word & 0xff) * UINT64_C(0x0101010101010101);
}

void stream_store_repeat(struct stream_store *pen, uint64_t word, size_t bytes)
{
    char line[STREAM_STORE_LINE];

    if (pen->past) {
        repeat_past(pen, word, bytes);
    } else if (even(word)) {
        memset(pen->at, (int)(word & 0xff), bytes);
        pen->at += bytes;
    } else {
        repeat_line(line, word);
        for (; bytes >= STREAM_STORE_LINE;
             bytes -= STREAM_STORE_LINE, pen->at += STREAM_STORE_LINE)
            memcpy(pen->at, line, STREAM_STORE_LINE); /* of a known size: whole registers */
        memcpy(pen->at, line, bytes);
        pen->at += bytes;
    }
}
