/* SPDX-License-Identifier: Apache-2.0
 * rotation_chunk.h - loops over a part of a row that stay within one conversion of element
 * widths (doubles to floats, or floats to 16 bits), because that vectorises well. They are
 * inlined into functions that are compiled for a CPU path. */
#pragma once

#include <string.h>

#include "core/math/number/narrow.h"
#include "core/math/rotation/rotation_kernel.h"

#define INLINE static inline __attribute__((always_inline))

enum { CHUNK = 128 };

INLINE float round_to(enum pe_dtype dtype, double value)
{
    if (dtype == PE_F32)
        return (float)value;
    return dtype == PE_F16 ? narrow_to(value, 10, -14, 16) : narrow_to(value, 7, -126, 128);
}

/* ---- loops over a chunk ---------------------------------------------------------------- */

INLINE void one_wave(enum pe_dtype dtype, struct rotation_weights weights,
                     const double *restrict fine_cos, const double *restrict fine_sin,
                     size_t count, float *restrict out)
{
    const double *restrict by_cos = weights.by_cos, *restrict by_sin = weights.by_sin;
    for (size_t j = 0; j < count; j++)
        out[j] = round_to(dtype, by_cos[j] * fine_cos[j] + by_sin[j] * fine_sin[j]);
}

/* Stores element j of the two waves at first[step * j] and second[step * j]. */
INLINE void two_waves(enum pe_dtype dtype, const struct rotation_weights weights[2],
                      const double *restrict fine_cos, const double *restrict fine_sin,
                      size_t count, size_t step, float *restrict first, float *restrict second)
{
    const double *restrict by_cos0 = weights[0].by_cos, *restrict by_sin0 = weights[0].by_sin;
    const double *restrict by_cos1 = weights[1].by_cos, *restrict by_sin1 = weights[1].by_sin;
    for (size_t j = 0; j < count; j++) {
        const double c = fine_cos[j], s = fine_sin[j];

        first[step * j] = round_to(dtype, by_cos0[j] * c + by_sin0[j] * s);
        second[step * j] = round_to(dtype, by_cos1[j] * c + by_sin1[j] * s);
    }
}

INLINE bool any_near(const float *restrict values, size_t count, float near)
{
    int32_t found = 0; /* found is as wide as the compared elements */

    for (size_t j = 0; j < count; j++)
        found |= __builtin_fabsf(values[j]) <= near ? 1 : 0;
    return found != 0;
}

INLINE void store_half(enum pe_dtype dtype, const float *restrict rounded, size_t count,
                       uint16_t *restrict out)
{
    for (size_t j = 0; j < count; j++)
        out[j] = dtype == PE_F16 ? narrow_f16_of(rounded[j]) : narrow_bf16_of(rounded[j]);
}

/* ---- rows -------------------------------------------------------------------------------- */

/* Returns where values are computed: float32 values in place, values of other types in a
 * buffer. */
INLINE float *place_of(enum pe_dtype dtype, void *out, size_t at, float *buffer)
{
    return dtype == PE_F32 ? (float *)out + at : buffer;
}

INLINE bool finish(enum pe_dtype dtype, const float *values, size_t count, float near,
                   void *out, size_t at)
{
    if (dtype != PE_F32)
        store_half(dtype, values, count, (uint16_t *)out + at);
    return any_near(values, count, near);
}

/* Fills pairs start .. start+count-1 of row r; true if a value is near zero. */
INLINE bool fill_chunk(const struct rotation_job *job, enum pe_dtype dtype,
                       enum rotation_layout layout, size_t r, size_t start, size_t count)
{
    float buffers[2][2 * CHUNK];
    const double *c = job->fine_cos + (ptrdiff_t)r * job->fine_step + start;
    const double *s = job->fine_sin + (ptrdiff_t)r * job->fine_step + start;
    const struct rotation_weights weights[2] = {
        {job->weights[0].by_cos + start, job->weights[0].by_sin + start},
        {job->weights[1].by_cos + start, job->weights[1].by_sin + start}};
    const size_t step = layout == ROTATION_ALTERNATING ? 2 : 1;
    const size_t at = r * job->out_step + step * start;
    float *first = place_of(dtype, job->out[0], at, buffers[0]);

    if (layout == ROTATION_PLAIN) {
        one_wave(dtype, weights[0], c, s, count, first);
        return finish(dtype, first, count, job->near, job->out[0], at);
    }
    if (layout == ROTATION_ALTERNATING) {
        two_waves(dtype, weights, c, s, count, 2, first, first + 1);
        return finish(dtype, first, 2 * count, job->near, job->out[0], at);
    }
    float *second = place_of(dtype, job->out[1], at, buffers[1]);
    two_waves(dtype, weights, c, s, count, 1, first, second);
    const bool near_first = finish(dtype, first, count, job->near, job->out[0], at);
    const bool near_second = finish(dtype, second, count, job->near, job->out[1], at);
    return near_first || near_second;
}

INLINE bool row_near(const struct rotation_job *job, size_t r)
{
    const size_t at = r * job->out_step;

    if (job->layout == ROTATION_ALTERNATING)
        return any_near((const float *)job->out[0] + at, 2 * job->count, job->near);
    /* Looks at both waves without a branch between them. */
    return ((int)any_near((const float *)job->out[0] + at, job->count, job->near) |
            (int)any_near((const float *)job->out[1] + at, job->count, job->near)) != 0;
}

/* True when a value of a chunk of row r is near a middle, by computing all of them again. */
INLINE bool chunk_unsure(const struct rotation_job *job, enum pe_dtype dtype,
                         enum rotation_layout layout, size_t r, size_t start, size_t count)
{
    const double *c = job->fine_cos + (ptrdiff_t)r * job->fine_step + start;
    const double *s = job->fine_sin + (ptrdiff_t)r * job->fine_step + start;
    /* The bits of a float32 that rounding to a narrower type drops, and their middle. */
    const uint32_t dropped = dtype == PE_F16 ? 0x1fff : 0xffff, middle = dropped / 2 + 1;
    const double apart = job->apart;
    int32_t found = 0;

    for (int wave = 0; wave < (layout == ROTATION_PLAIN ? 1 : 2); wave++) {
        const double *by_cos = job->weights[wave].by_cos + start;
        const double *by_sin = job->weights[wave].by_sin + start;

        for (size_t j = 0; j < count; j++) {
            const double value = by_cos[j] * c[j] + by_sin[j] * s[j];

            if (dtype == PE_F32)
                found |= (float)(value - apart) != (float)(value + apart) ? 1 : 0;
            else
                found |= (narrow_bits((float)value) & dropped) == middle ? 1 : 0;
        }
    }
    return found != 0;
}

/* Fills all rows in chunks; middles: rows with a value near a middle are marked too. */
INLINE void run_typed(const struct rotation_job *job, enum pe_dtype dtype,
                      enum rotation_layout layout, bool middles)
{
    for (size_t r = 0; r < job->rows; r++) {
        bool near = false;

        for (size_t start = 0; start < job->count; start += CHUNK) {
            const size_t left = job->count - start;

            near |= fill_chunk(job, dtype, layout, r, start, left < CHUNK ? left : CHUNK);
        }
        if (middles && !near)
            near = chunk_unsure(job, dtype, layout, r, 0, job->count);
        job->marked[r] = near;
    }
}

INLINE void run_layout(const struct rotation_job *job, enum pe_dtype dtype, bool middles)
{
    if (job->layout == ROTATION_PLAIN)
        run_typed(job, dtype, ROTATION_PLAIN, middles);
    else if (job->layout == ROTATION_TWO)
        run_typed(job, dtype, ROTATION_TWO, middles);
    else
        run_typed(job, dtype, ROTATION_ALTERNATING, middles);
}
