/* SPDX-License-Identifier: Apache-2.0
 * rotation_kernel.c - one body, compiled once for each CPU path. Nothing here depends on the
 * order of operations within an element but the two products and their sum, so every path
 * gives the same bytes as long as no multiply-add is fused (-ffp-contract=off).
 *
 * Two waves of float32 are made in lanes, as fast as their fine rows can be read. In the rest
 * each loop stays within one width of elements, doubles to floats or floats to the others,
 * because that is what vectorises well; a chunk of a row passes through them in turn. */
#include "core/math/rotation_kernel.h"

#include <assert.h>
#include <string.h>

#include "core/math/cpu.h"
#include "core/math/narrow.h"

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

/* Element j of the waves goes to first[step * j] and second[step * j]. */
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
    int32_t found = 0; /* as wide as what is compared */
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

/* float32 values are made where they stay, others in a buffer first. */
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

/* Pairs start .. start+count-1 of row r. */
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

/* ---- float32 in lanes -------------------------------------------------------------------- */

enum { LANES = 8 };
typedef double lanes_f64 __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef float lanes_f32 __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t lanes_i32 __attribute__((vector_size(4 * LANES)));

/* x * c + y * s of LANES pairs: to out, and a lane of *far stays negative while all its values
 * are beyond *near. By pointers: how vectors are passed depends on the path. */
INLINE void put_lanes(const lanes_f64 *x, const lanes_f64 *c, const lanes_f64 *y,
                      const lanes_f64 *s, const lanes_i32 *near, lanes_i32 *far, float *out)
{
    const lanes_f32 rounded = __builtin_convertvector(*x * *c + *y * *s, lanes_f32);

    *far &= *near - ((lanes_i32)rounded & INT32_MAX); /* sizes compare as their bits do */
    *(lanes_f32 *)out = rounded;
}

/* Row r of two waves, each in its place. */
INLINE bool fill_row(const struct rotation_job *job, size_t r)
{
    const struct rotation_weights first = job->weights[0], second = job->weights[1];
    const double *fine_cos = job->fine_cos + (ptrdiff_t)r * job->fine_step;
    const double *fine_sin = job->fine_sin + (ptrdiff_t)r * job->fine_step;
    float *out = (float *)job->out[0] + r * job->out_step;
    float *other = (float *)job->out[1] + r * job->out_step;
    const size_t count = job->count, whole = count / LANES * LANES;
    const lanes_i32 near = (lanes_i32){0} + (int32_t)narrow_bits(job->near);
    const uint64_t signs = UINT64_C(0x8000000080000000);
    lanes_i32 far = (lanes_i32){0} - 1;
    uint64_t parts[LANES / 2], all = signs;

    for (size_t j = 0; j < whole; j += LANES) {
        const lanes_f64 c = *(const lanes_f64 *)(fine_cos + j);
        const lanes_f64 s = *(const lanes_f64 *)(fine_sin + j);
        const lanes_f64 x0 = *(const lanes_f64 *)(first.by_cos + j);
        const lanes_f64 y0 = *(const lanes_f64 *)(first.by_sin + j);
        const lanes_f64 x1 = *(const lanes_f64 *)(second.by_cos + j);
        const lanes_f64 y1 = *(const lanes_f64 *)(second.by_sin + j);

        put_lanes(&x0, &c, &y0, &s, &near, &far, out + j);
        put_lanes(&x1, &c, &y1, &s, &near, &far, other + j);
    }
    memcpy(parts, &far, sizeof parts);
    for (size_t i = 0; i < LANES / 2; i++)
        all &= parts[i];
    return (all != signs) |
           (whole < count && fill_chunk(job, PE_F32, ROTATION_TWO, r, whole, count - whole));
}

INLINE void run_lanes(const struct rotation_job *job)
{
    for (size_t r = 0; r < job->rows; r++)
        job->near_zero[r] = fill_row(job, r);
}

INLINE void run_typed(const struct rotation_job *job, enum pe_dtype dtype,
                      enum rotation_layout layout)
{
    for (size_t r = 0; r < job->rows; r++) {
        bool near = false;
        for (size_t start = 0; start < job->count; start += CHUNK) {
            const size_t left = job->count - start;
            near |= fill_chunk(job, dtype, layout, r, start, left < CHUNK ? left : CHUNK);
        }
        job->near_zero[r] = near;
    }
}

INLINE void run_layout(const struct rotation_job *job, enum pe_dtype dtype)
{
    if (job->layout == ROTATION_PLAIN)
        run_typed(job, dtype, ROTATION_PLAIN);
    else if (job->layout == ROTATION_TWO)
        run_typed(job, dtype, ROTATION_TWO);
    else
        run_typed(job, dtype, ROTATION_ALTERNATING);
}

INLINE void run(const struct rotation_job *job)
{
    if (job->dtype == PE_F32 && job->layout == ROTATION_TWO)
        run_lanes(job);
    else if (job->dtype == PE_F32)
        run_layout(job, PE_F32);
    else if (job->dtype == PE_F16)
        run_layout(job, PE_F16);
    else
        run_layout(job, PE_BF16);
}

/* ---- paths ------------------------------------------------------------------------------- */

static void run_generic(const struct rotation_job *job)
{
    run(job);
}

CPU_TARGET_AVX2 static void run_avx2(const struct rotation_job *job)
{
    run(job);
}

CPU_TARGET_AVX512 static void run_avx512(const struct rotation_job *job)
{
    run(job);
}

typedef void runner(const struct rotation_job *job);
static runner *const runners[CPU_PATH_COUNT] = {
    [CPU_GENERIC] = run_generic, [CPU_AVX2] = run_avx2, [CPU_AVX512] = run_avx512};

void rotation_kernel(const struct rotation_job *job)
{
    assert(job->dtype == PE_F32 || job->dtype == PE_F16 || job->dtype == PE_BF16);
    runners[cpu_path()](job);
}

float rotation_kernel_round(enum pe_dtype dtype, double value)
{
    return round_to(dtype, value);
}
