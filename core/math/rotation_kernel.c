/* SPDX-License-Identifier: Apache-2.0
 * rotation_kernel.c - one body, compiled once for each CPU path. Nothing here depends on the
 * order of operations within an element but the two products and their sum, so every path
 * gives the same bytes as long as no multiply-add is fused (-ffp-contract=off). */
#include "core/math/rotation_kernel.h"

#include <assert.h>

#include "core/math/cpu.h"
#include "core/math/narrow.h"

#define INLINE static inline __attribute__((always_inline))

/* ---- one row ------------------------------------------------------------------------- *
 * Each answers whether a value is below the threshold. The marks are as wide as what is
 * compared, so that they stay in vector registers. */

INLINE bool plain_f32(struct rotation_weights weights, const double *restrict fine_cos,
                      const double *restrict fine_sin, size_t count, float threshold,
                      float *restrict out)
{
    const double *restrict by_cos = weights.by_cos, *restrict by_sin = weights.by_sin;
    int32_t near = 0;
    for (size_t j = 0; j < count; j++) {
        const float value = narrow_f32(by_cos[j] * fine_cos[j] + by_sin[j] * fine_sin[j]);
        out[j] = value;
        near |= __builtin_fabsf(value) < threshold ? 1 : 0;
    }
    return near != 0;
}

INLINE bool alternating_f32(const struct rotation_weights weights[2],
                            const double *restrict fine_cos, const double *restrict fine_sin,
                            size_t count, float threshold, float *restrict out)
{
    const double *restrict by_cos0 = weights[0].by_cos, *restrict by_sin0 = weights[0].by_sin;
    const double *restrict by_cos1 = weights[1].by_cos, *restrict by_sin1 = weights[1].by_sin;
    int32_t near = 0;
    for (size_t j = 0; j < count; j++) {
        const double c = fine_cos[j], s = fine_sin[j];
        const float first = narrow_f32(by_cos0[j] * c + by_sin0[j] * s);
        const float second = narrow_f32(by_cos1[j] * c + by_sin1[j] * s);
        out[2 * j] = first;
        out[2 * j + 1] = second;
        near |= (__builtin_fabsf(first) < threshold ? 1 : 0) |
                (__builtin_fabsf(second) < threshold ? 1 : 0);
    }
    return near != 0;
}

/* Sixteen bits in two steps, doubles to floats that hold the rounded value and those to
 * elements, a chunk at a time: a loop that goes from 64 bits to 16 vectorises badly. */
enum { CHUNK = 64 };

INLINE float narrow_half(enum pe_dtype dtype, double value)
{
    return dtype == PE_F16 ? narrow_to(value, 10, -14, 16) : narrow_to(value, 7, -126, 128);
}

INLINE void store_half(enum pe_dtype dtype, const float *restrict rounded, size_t count,
                       uint16_t *restrict out)
{
    for (size_t j = 0; j < count; j++)
        out[j] = dtype == PE_F16 ? narrow_f16_of(rounded[j]) : narrow_bf16_of(rounded[j]);
}

INLINE bool plain_half(enum pe_dtype dtype, struct rotation_weights weights,
                       const double *restrict fine_cos, const double *restrict fine_sin,
                       size_t count, double threshold, uint16_t *restrict out)
{
    const double *restrict by_cos = weights.by_cos, *restrict by_sin = weights.by_sin;
    float rounded[CHUNK];
    int64_t near = 0;
    for (size_t start = 0; start < count; start += CHUNK) {
        const size_t chunk = count - start < CHUNK ? count - start : CHUNK;
        for (size_t j = 0; j < chunk; j++) {
            const size_t at = start + j;
            const double value = by_cos[at] * fine_cos[at] + by_sin[at] * fine_sin[at];
            rounded[j] = narrow_half(dtype, value);
            near |= __builtin_fabs(value) < threshold ? 1 : 0;
        }
        store_half(dtype, rounded, chunk, out + start);
    }
    return near != 0;
}

INLINE bool alternating_half(enum pe_dtype dtype, const struct rotation_weights weights[2],
                             const double *restrict fine_cos, const double *restrict fine_sin,
                             size_t count, double threshold, uint16_t *restrict out)
{
    const double *restrict by_cos0 = weights[0].by_cos, *restrict by_sin0 = weights[0].by_sin;
    const double *restrict by_cos1 = weights[1].by_cos, *restrict by_sin1 = weights[1].by_sin;
    float rounded[2 * CHUNK];
    int64_t near = 0;
    for (size_t start = 0; start < count; start += CHUNK) {
        const size_t chunk = count - start < CHUNK ? count - start : CHUNK;
        for (size_t j = 0; j < chunk; j++) {
            const double c = fine_cos[start + j], s = fine_sin[start + j];
            const double first = by_cos0[start + j] * c + by_sin0[start + j] * s;
            const double second = by_cos1[start + j] * c + by_sin1[start + j] * s;
            rounded[2 * j] = narrow_half(dtype, first);
            rounded[2 * j + 1] = narrow_half(dtype, second);
            near |= (__builtin_fabs(first) < threshold ? 1 : 0) |
                    (__builtin_fabs(second) < threshold ? 1 : 0);
        }
        store_half(dtype, rounded, 2 * chunk, out + 2 * start);
    }
    return near != 0;
}

/* ---- all rows ------------------------------------------------------------------------ */

INLINE void run_f32(const struct rotation_job *job)
{
    const float threshold = (float)job->threshold;
    float *out = job->out;
    for (size_t r = 0; r < job->rows; r++, out += job->out_step) {
        const double *c = job->fine_cos + (ptrdiff_t)r * job->fine_step;
        const double *s = job->fine_sin + (ptrdiff_t)r * job->fine_step;
        job->near_zero[r] =
            job->layout == ROTATION_PLAIN
                ? plain_f32(job->weights[0], c, s, job->count, threshold, out)
                : alternating_f32(job->weights, c, s, job->count, threshold, out);
    }
}

INLINE void run_half(const struct rotation_job *job, enum pe_dtype dtype)
{
    uint16_t *out = job->out;
    for (size_t r = 0; r < job->rows; r++, out += job->out_step) {
        const double *c = job->fine_cos + (ptrdiff_t)r * job->fine_step;
        const double *s = job->fine_sin + (ptrdiff_t)r * job->fine_step;
        job->near_zero[r] =
            job->layout == ROTATION_PLAIN
                ? plain_half(dtype, job->weights[0], c, s, job->count, job->threshold, out)
                : alternating_half(dtype, job->weights, c, s, job->count, job->threshold, out);
    }
}

INLINE void run(const struct rotation_job *job)
{
    if (job->dtype == PE_F32)
        run_f32(job);
    else if (job->dtype == PE_F16)
        run_half(job, PE_F16);
    else
        run_half(job, PE_BF16);
}

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
