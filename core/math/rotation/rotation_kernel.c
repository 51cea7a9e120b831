/* SPDX-License-Identifier: Apache-2.0
 * rotation_kernel.c - one body, compiled once for each CPU path. An element is two products and
 * their sum, so every path gives the same bytes as long as no multiply-add is fused
 * (-ffp-contract=off).
 *
 * A cosine and a sine of float32 are computed in lanes, as fast as their fine rows can be read.
 * A chunk of another row passes through the loops of rotation_chunk.h one after the other. */
#include "core/math/rotation/rotation_kernel.h"

#include <assert.h>

#include "core/math/cpu.h"
#include "core/math/rotation/rotation_lanes.h"

/* ---- float32 in lanes -------------------------------------------------------------------- */

/* Fills a cache line of each of two waves that are a quarter turn apart; *common keeps the bits
 * that all values of a lane share. The first wave is stored before the second is computed: a
 * store that might alias lets the compiler keep in registers what it would read four times. */
INLINE void fill_line(struct form form, const double *by_cos, const double *by_sin,
                      const double *fine_cos, const double *fine_sin, float *first,
                      float *second, lanes_i32 *common)
{
    const lanes_f64 p0 = LOAD(by_cos), q0 = LOAD(by_sin);
    const lanes_f64 p1 = LOAD(by_cos + LANES), q1 = LOAD(by_sin + LANES);
    const lanes_f64 c0 = LOAD(fine_cos), s0 = LOAD(fine_sin);
    const lanes_f64 c1 = LOAD(fine_cos + LANES), s1 = LOAD(fine_sin + LANES);
    const lanes_f32 x0 = ROUND(p0 * c0 + q0 * s0), x1 = ROUND(p1 * c1 + q1 * s1);

    if (form.layout == ROTATION_TWO) {
        *(lanes_f32 *)first = x0;
        *(lanes_f32 *)(first + LANES) = x1;
    }
    const bool plus = form.turn == ROTATION_QUARTER;
    const lanes_f32 y0 = plus ? ROUND(p0 * s0 - q0 * c0) : ROUND(q0 * c0 - p0 * s0);
    const lanes_f32 y1 = plus ? ROUND(p1 * s1 - q1 * c1) : ROUND(q1 * c1 - p1 * s1);
    if (form.layout == ROTATION_TWO) {
        *(lanes_f32 *)second = y0;
        *(lanes_f32 *)(second + LANES) = y1;
    } else {
        put_alternating(&x0, &y0, form.eights, first);
        put_alternating(&x1, &y1, form.eights, first + STRIDE);
    }
    *common &= (lanes_i32)x0 & (lanes_i32)x1 & (lanes_i32)y0 & (lanes_i32)y1;
}

/* Fills `whole` pairs of `rows` rows from row r on. */
INLINE void fill_rows(const struct rotation_job *job, struct form form, size_t r, size_t rows,
                      size_t whole, lanes_i32 *common)
{
    const struct rotation_weights weights = job->weights[0];
    const size_t step = form.layout == ROTATION_TWO ? 1 : 2;

    for (size_t end = r + rows; r < end; r++) {
        const double *fine_cos = job->fine_cos + (ptrdiff_t)r * job->fine_step;
        const double *fine_sin = job->fine_sin + (ptrdiff_t)r * job->fine_step;
        float *first = (float *)job->out[0] + r * job->out_step;
        float *second = (float *)job->out[1] + r * job->out_step;

        for (size_t j = 0; j < whole; j += STRIDE)
            fill_line(form, weights.by_cos + j, weights.by_sin + j, fine_cos + j, fine_sin + j,
                      first + step * j, second + step * j, common);
    }
}

/* True when no value is near zero. Magnitudes compare as their bits do, and none is below the
 * bits that all of them share. Magnitudes of 2^-15 to 2 share the 2^-15: with an amplitude of
 * up to 4/3 that mostly suffices. */
INLINE bool all_far(const lanes_i32 *common, int32_t near)
{
    const lanes_i32 beyond = near - (*common & INT32_MAX);

    return all_negative(&beyond);
}

/* Looks at a few rows together for a value near zero, and only then at each of them. */
INLINE void run_quarter(const struct rotation_job *shared, struct form form)
{
    const struct rotation_job job = *shared; /* a copy, so that the compiler knows that marks do
                                              * not change it */
    const size_t whole = job.count / STRIDE * STRIDE, rest = job.count - whole;
    const int32_t near = (int32_t)narrow_bits(job.near);

    for (size_t r = 0, rows; r < job.rows; r += rows) {
        lanes_i32 common = (lanes_i32){0} - 1;
        bool any = false;

        rows = job.rows - r < GROUP ? job.rows - r : GROUP;
        fill_rows(&job, form, r, rows, whole, &common);
        for (size_t i = 0; rest > 0 && i < rows; i++)
            any |= fill_chunk(&job, PE_F32, form.layout, r + i, whole, rest);
        any |= !all_far(&common, near);
        for (size_t i = 0; i < rows; i++)
            job.marked[r + i] = any && row_near(&job, r + i);
    }
}

/* ---- paths ------------------------------------------------------------------------------- */

static void run_generic(const struct rotation_job *job)
{
    run_form(job, run_quarter, false, false);
}

CPU_TARGET_AVX2 static void run_avx2(const struct rotation_job *job)
{
    run_form(job, run_quarter, true, false);
}

CPU_TARGET_AVX512 static void run_avx512(const struct rotation_job *job)
{
    run_form(job, run_quarter, true, false);
}

typedef void runner(const struct rotation_job *job);
static runner *const runners[CPU_PATH_COUNT] = {
    [CPU_GENERIC] = run_generic, [CPU_AVX2] = run_avx2, [CPU_AVX512] = run_avx512};

void rotation_kernel(const struct rotation_job *job)
{
    assert(job->dtype == PE_F32 || job->dtype == PE_F16 || job->dtype == PE_BF16);
    if (job->copied[0])
        rotation_copy(job);
    else if (job->apart > 0)
        rotation_middle(job);
    else
        runners[cpu_path()](job);
}

float rotation_kernel_round(enum pe_dtype dtype, double value)
{
    return round_to(dtype, value);
}
