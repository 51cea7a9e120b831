/* SPDX-License-Identifier: Apache-2.0
 * stream_store.h - writes memory from its first byte to its last, as copies of bytes and as one
 * word again and again. What is longer than a core's own caches goes past them, whole lines at
 * a time: a plain store fetches first what it overwrites, and pushes out what was there. */
#ifndef PE_MATH_STREAM_STORE_H
#define PE_MATH_STREAM_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STREAM_STORE_LINE = 64, STREAM_STORE_PAST_FROM = 4 << 20 /* bytes */ };

struct stream_store {
    char *at;     /* what is written next; past the caches: the line it lies in */
    bool past;    /* the caches */
    size_t begin; /* of this line, what is before belongs to others */
    size_t held;  /* bytes of this line that wait in `line` */
    char line[2 * STREAM_STORE_LINE]
        __attribute__((aligned(64))); /* and room to write too much */
};

/* `bytes` are written between begin and end. */
void stream_store_begin(struct stream_store *pen, void *out, uint64_t bytes);
void stream_store_copy(struct stream_store *pen, const void *from, size_t bytes);
/* Elements of 1, 2, 4 or 8 bytes, as all that is written with this pen; `word` repeats one. */
void stream_store_repeat(struct stream_store *pen, uint64_t word, size_t bytes);
void stream_store_end(struct stream_store *pen);

#endif
