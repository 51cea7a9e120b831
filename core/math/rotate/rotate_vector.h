/* SPDX-License-Identifier: Apache-2.0
 * rotate_vector.h - what the inner loops of rotate.h share around the turning of a vector. Its
 * functions are the caller's once they are inlined, on whatever CPU path that is. */
#ifndef PE_MATH_ROTATE_VECTOR_H
#define PE_MATH_ROTATE_VECTOR_H

#include <string.h>

#include "core/math/rotate/rotate_kernel.h"

#define ROTATE_INLINE static inline __attribute__((always_inline))

/* Memory that is only written is not foreseen by the CPU: without this a long array is written
 * at a third of the speed. Beyond its end nothing happens. */
ROTATE_INLINE void rotate_fetch_ahead(const void *out, size_t size)
{
    enum { CACHE_LINE = 64, AHEAD = 2048 /* bytes */ };

    for (size_t at = 0; at < size; at += CACHE_LINE)
        __builtin_prefetch((const char *)out + AHEAD + at, 1);
}

/* Copies what is beside the span of a vector whose dtype, of `size` bytes, stays, and returns
 * the span as it came. moves: it is written elsewhere than read, so in place it is kept. */
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

#endif
