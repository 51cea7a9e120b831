/* SPDX-License-Identifier: Apache-2.0
 * rotation_kernel.c - one body, compiled once for each CPU path. An element is two products and
 * their sum, so every path gives the same bytes as long as no multiply-add is fused
 * (-ffp-contract=off).
 *
 * A cosine and a sine of float32 are computed in lanes, as fast as their fine rows can be read.
 * Each of the other loops stays within one conversion of element widths (doubles to floats, or
 * floats to 16 bits), because that vectorises well; a chunk of a row passes through them one
 * after the other. */
#include "core/math/rotation/rotation_kernel.h"

#include <assert.h>
#include <string.h>

#include "core/math/cpu.h"
#include "core/math/number/narrow.h"

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

/* Store element j of the two waves at first[step * j] and second[step * j]. */
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

/* Return where values are computed: float32 values in place, values of other types in a
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

/* Fill pairs start .. start+count-1 of row r; true if a value is near zero. */
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

enum { LANES = 8, STRIDE = 2 * LANES, GROUP = 8 /* GROUP: rows that are looked at together */ };
typedef double lanes_f64 __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef float lanes_f32 __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef float quad_f32 __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t lanes_i32 __attribute__((vector_size(4 * LANES)));

/* Vectors are passed by address, because the calling convention depends on the CPU path. */
#define LOAD(address) (*(const lanes_f64 *)(address))
#define ROUND(lanes) __builtin_convertvector(lanes, lanes_f32)

/* Constants for which a loop is compiled. */
struct form {
    enum rotation_layout layout;
    enum rotation_turn turn;
    bool eights; /* the CPU path interleaves eight float32 with eight; else four with four */
};

/* Store x and y of LANES pairs alternately. */
INLINE void put_alternating(const lanes_f32 *x, const lanes_f32 *y, bool eights, float *out)
{
    const quad_f32 *a = (const quad_f32 *)x, *b = (const quad_f32 *)y;
    quad_f32 *quads = (quad_f32 *)out;

    if (eights) {
        lanes_f32 *to = (lanes_f32 *)out;

        to[0] = __builtin_shufflevector(*x, *y, 0, 8, 1, 9, 2, 10, 3, 11);
        to[1] = __builtin_shufflevector(*x, *y, 4, 12, 5, 13, 6, 14, 7, 15);
        return;
    }
    for (size_t i = 0; i < LANES / 4; i++) {
        quads[2 * i] = __builtin_shufflevector(a[i], b[i], 0, 4, 1, 5);
        quads[2 * i + 1] = __builtin_shufflevector(a[i], b[i], 2, 6, 3, 7);
    }
}

/* Fill a cache line of each of two waves that are a quarter turn apart; *common keeps the bits
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

/* Fill `whole` pairs of `rows` rows from row r on. */
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
    const uint64_t signs = UINT64_C(0x8000000080000000);
    const lanes_i32 beyond = near - (*common & INT32_MAX);
    uint64_t parts[LANES / 2], all = signs;

    memcpy(parts, &beyond, sizeof parts);
    for (size_t i = 0; i < LANES / 2; i++)
        all &= parts[i];
    return all == signs;
}

INLINE bool row_near(const struct rotation_job *job, size_t r)
{
    const size_t at = r * job->out_step;

    if (job->layout == ROTATION_ALTERNATING)
        return any_near((const float *)job->out[0] + at, 2 * job->count, job->near);
    /* Look at both waves without a branch between them. */
    return ((int)any_near((const float *)job->out[0] + at, job->count, job->near) |
            (int)any_near((const float *)job->out[1] + at, job->count, job->near)) != 0;
}

/* Look at a few rows together for a value near zero, and only then at each of them. */
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
            job.near_zero[r + i] = any && row_near(&job, r + i);
    }
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

INLINE void run_turned(const struct rotation_job *job, enum rotation_turn turn, bool eights)
{
    if (job->layout == ROTATION_TWO)
        run_quarter(job, (struct form){ROTATION_TWO, turn, eights});
    else
        run_quarter(job, (struct form){ROTATION_ALTERNATING, turn, eights});
}

INLINE void run(const struct rotation_job *job, bool eights)
{
    const bool lanes = job->dtype == PE_F32 && job->layout != ROTATION_PLAIN;

    if (lanes && job->turn == ROTATION_QUARTER)
        run_turned(job, ROTATION_QUARTER, eights);
    else if (lanes && job->turn == ROTATION_MINUS_QUARTER)
        run_turned(job, ROTATION_MINUS_QUARTER, eights);
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
    run(job, false);
}

CPU_TARGET_AVX2 static void run_avx2(const struct rotation_job *job)
{
    run(job, true);
}

CPU_TARGET_AVX512 static void run_avx512(const struct rotation_job *job)
{
    run(job, true);
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
