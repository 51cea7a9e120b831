/* SPDX-License-Identifier: Apache-2.0
 * stream_store.h - writes memory from its first byte to its last, by copying bytes and by
 * repeating one word. A long output bypasses the caches, whole lines at a time: a plain store
 * fetches the line that it overwrites, and evicts other lines. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* bytes of a cache line; bytes of an output from which on it bypasses the caches */
enum { STREAM_STORE_LINE = 64, STREAM_STORE_PAST_FROM = 4 << 20 };

struct stream_store {
    char *at;       /* next byte to write; when bypassing: the line that holds it */
    bool past;      /* the caches are bypassed */
    size_t begin;   /* bytes before this offset of the line do not belong to the output */
    size_t pending; /* bytes of this line that are in `line` and not stored yet */
    char line[2 * STREAM_STORE_LINE]
        /* twice a line, since a copy of known size may write too much */
        __attribute__((aligned(64)));
};

/* Begins an output of `bytes` bytes; exactly as many are written until stream_store_end. */
void stream_store_begin(struct stream_store *stream, void *out, uint64_t bytes);
/* Returns where the caller itself writes the next bytes of the output, or NULL where it has to
 * call stream_store_copy. */
void *stream_store_take(struct stream_store *stream, size_t bytes);
void stream_store_copy(struct stream_store *stream, const void *from, size_t bytes);
/* Repeat an element of 1, 2, 4 or 8 bytes, as all that one stream writes have; `word` holds it
 * repeated. */
void stream_store_repeat(struct stream_store *stream, uint64_t word, size_t bytes);
void stream_store_end(struct stream_store *stream);
