/* SPDX-License-Identifier: Apache-2.0
 * rotation_copy.c - rows whose values are fine rows already, up to their signs: they are
 * rounded. One body is compiled for each CPU path. */
#include "core/math/cpu.h"
#include "core/math/rotation/rotation_chunk.h"
#include "core/math/rotation/rotation_kernel.h"

/* Fills pairs start .. start+count-1 of row r with fine values. */
INLINE void copy_chunk(const struct rotation_job *job, enum pe_dtype dtype, size_t r,
                       size_t start, size_t count)
{
    const ptrdiff_t from = (ptrdiff_t)r * job->fine_step + (ptrdiff_t)start;
    const size_t at = r * job->out_step;
    const double *restrict a = job->copied[0] + from, *restrict b = job->copied[1] + from;
    const double x = job->sign[0], y = job->sign[1];
    float buffer[2 * CHUNK];

    if (job->layout == ROTATION_ALTERNATING) {
        float *restrict to = place_of(dtype, job->out[0], at + 2 * start, buffer);

        for (size_t j = 0; j < count; j++) {
            to[2 * j] = round_to(dtype, a[j] * x) + 0.0f;
            to[2 * j + 1] = round_to(dtype, b[j] * y) + 0.0f;
        }
        if (dtype != PE_F32)
            store_half(dtype, to, 2 * count, (uint16_t *)job->out[0] + at + 2 * start);
        return;
    }
    for (size_t wave = 0; wave < (job->layout == ROTATION_PLAIN ? 1 : 2); wave++) {
        const double *restrict values = wave == 0 ? a : b;
        const double sign = wave == 0 ? x : y;
        float *restrict to = place_of(dtype, job->out[wave], at + start, buffer);

        for (size_t j = 0; j < count; j++)
            to[j] = round_to(dtype, values[j] * sign) + 0.0f;
        if (dtype != PE_F32)
            store_half(dtype, to, count, (uint16_t *)job->out[wave] + at + start);
    }
}

INLINE void run_copy(const struct rotation_job *job, enum pe_dtype dtype)
{
    for (size_t r = 0; r < job->rows; r++) {
        for (size_t start = 0; start < job->count; start += CHUNK) {
            const size_t left = job->count - start;

            copy_chunk(job, dtype, r, start, left < CHUNK ? left : CHUNK);
        }
        job->marked[r] = false;
    }
}

INLINE void run(const struct rotation_job *job)
{
    if (job->dtype == PE_F32)
        run_copy(job, PE_F32);
    else if (job->dtype == PE_F16)
        run_copy(job, PE_F16);
    else
        run_copy(job, PE_BF16);
}

/* ---- paths ------------------------------------------------------------------------------- */

static void copy_generic(const struct rotation_job *job)
{
    run(job);
}

CPU_TARGET_AVX2 static void copy_avx2(const struct rotation_job *job)
{
    run(job);
}

CPU_TARGET_AVX512 static void copy_avx512(const struct rotation_job *job)
{
    run(job);
}

typedef void runner(const struct rotation_job *job);
static runner *const runners[CPU_PATH_COUNT] = {
    [CPU_GENERIC] = copy_generic, [CPU_AVX2] = copy_avx2, [CPU_AVX512] = copy_avx512};

void rotation_copy(const struct rotation_job *job)
{
    runners[cpu_path()](job);
}
