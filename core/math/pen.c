/* SPDX-License-Identifier: Apache-2.0
 * pen.c - plain stores, or lines that are composed and then stored without a fetch. The latter
 * by what every x86-64 CPU has, so that there is one path; elsewhere they are plain too. */
#include "core/math/pen.h"

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

    memcpy(quarters, line, PEN_LINE);
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
    memcpy(out, line, PEN_LINE);
}

static void finish_lines(void)
{
}

#endif

/* The line that was composed. */
static void flush(struct pen *pen)
{
    if (pen->begin > 0)
        memcpy(pen->at + pen->begin, pen->line + pen->begin, PEN_LINE - pen->begin);
    else
        store_line(pen->at, pen->line);
    pen->at += PEN_LINE;
    pen->begin = pen->held = 0;
}

void pen_begin(struct pen *pen, void *out, uint64_t bytes)
{
    pen->past = bytes >= PEN_PAST_FROM;
    pen->begin = pen->held = pen->past ? (uintptr_t)out % PEN_LINE : 0;
    pen->at = (char *)out - pen->held;
}

void pen_end(struct pen *pen)
{
    if (!pen->past)
        return;
    memcpy(pen->at + pen->begin, pen->line + pen->begin, pen->held - pen->begin);
    finish_lines();
}

/* ---- copies ------------------------------------------------------------------------------ */

/* What of `bytes` fits in the line. */
static size_t fit(const struct pen *pen, size_t bytes)
{
    return bytes < PEN_LINE - pen->held ? bytes : PEN_LINE - pen->held;
}

static void copy_past(struct pen *pen, const char *from, size_t bytes)
{
    if (pen->held > 0) {
        const size_t part = fit(pen, bytes);

        memcpy(pen->line + pen->held, from, part);
        pen->held += part;
        from += part;
        bytes -= part;
        if (pen->held == PEN_LINE)
            flush(pen);
    }
    for (; bytes >= PEN_LINE; from += PEN_LINE, bytes -= PEN_LINE, pen->at += PEN_LINE)
        store_line(pen->at, from);
    if (bytes > 0) {
        memcpy(pen->line, from, bytes);
        pen->held = bytes;
    }
}

void pen_copy(struct pen *pen, const void *from, size_t bytes)
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
    for (size_t i = 0; i < PEN_LINE; i += sizeof word)
        memcpy(line + i, &word, sizeof word);
}

static void repeat_past(struct pen *pen, uint64_t word, size_t bytes)
{
    char line[PEN_LINE];

    repeat_line(line, word);
    if (pen->held > 0) {
        const size_t part = fit(pen, bytes);

        memcpy(pen->line + pen->held, line, PEN_LINE); /* too much: of a known size */
        pen->held += part;
        bytes -= part;
        if (pen->held == PEN_LINE)
            flush(pen);
    }
    for (; bytes >= PEN_LINE; bytes -= PEN_LINE, pen->at += PEN_LINE)
        store_line(pen->at, line);
    if (bytes > 0) {
        memcpy(pen->line, line, PEN_LINE);
        pen->held = bytes;
    }
}

/* All its bytes are the same. */
static bool even(uint64_t word)
{
    return word == (word & 0xff) * UINT64_C(0x0101010101010101);
}

void pen_repeat(struct pen *pen, uint64_t word, size_t bytes)
{
    char line[PEN_LINE];

    if (pen->past) {
        repeat_past(pen, word, bytes);
    } else if (even(word)) {
        memset(pen->at, (int)(word & 0xff), bytes);
        pen->at += bytes;
    } else {
        repeat_line(line, word);
        for (; bytes >= PEN_LINE; bytes -= PEN_LINE, pen->at += PEN_LINE)
            memcpy(pen->at, line, PEN_LINE); /* of a known size: whole registers */
        memcpy(pen->at, line, bytes);
        pen->at += bytes;
    }
}
