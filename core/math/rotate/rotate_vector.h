/* SPDX-License-Identifier: Apache-2.0
 * rotate_vector.h - helpers that the inner loops of rotate.h share around the rotation of a
 * vector. They are inlined, and so compiled for the CPU path of their caller. */
#pragma once

#include <string.h>

#include "core/math/rotate/rotate_kernel.h"

#define ROTATE_INLINE static inline __attribute__((always_inline))

/* Prefetch memory that will be written: the CPU does not foresee stores, and writes a long
 * array at a third of the speed without this. Prefetching beyond its end is harmless. */
ROTATE_INLINE void rotate_fetch_ahead(const void *out, size_t size)
{
    enum { CACHE_LINE = 64, AHEAD = 2048 /* bytes */ };

    for (size_t at = 0; at < size; at += CACHE_LINE)
        __builtin_prefetch((const char *)out + AHEAD + at, 1);
}

/* Copies the elements outside the span of a vector whose dtype, of `size` bytes, stays, and
 * returns the span as it was sent. moves: pairs are written elsewhere than read, so in place
 * the span is copied first. */
ROTATE_INLINE const void *rotate_pass(const struct rotate_job *job, size_t size, bool moves,
                                      const void *in, void *out)
{
    const struct rotate_span *span = job->span;
    const size_t start = span->offset * size, turned = 2 * span->pairs * size;
    const size_t end = start + turned;

    if (in != out) {
        memcpy(out, in, start);
        memcpy((char *)out + end, (const char *)in + end, span->dim * size - end);
    } else if (moves) {
        return memcpy(job->kept, (const char *)in + start, turned);
    }
    return (const char *)in + start;
}
