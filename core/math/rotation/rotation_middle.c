/* SPDX-License-Identifier: Apache-2.0
 * rotation_middle.c - sums that also see how near each value is to the middle of two numbers of
 * the dtype, where a difference in the last places of a double makes the number other. One body
 * is compiled for each CPU path. */
#include "core/math/cpu.h"
#include "core/math/rotation/rotation_chunk.h"
#include "core/math/rotation/rotation_kernel.h"
#include "core/math/rotation/rotation_lanes.h"

typedef uint32_t lanes_u32 __attribute__((vector_size(4 * LANES)));
typedef double quad_f64 __attribute__((vector_size(32), aligned(8), may_alias));

/* Where the last 29 bits of a double, which rounding to float32 drops, are as near to their
 * middle as a difference makes the number other: bits * 8 + from <= most, modulo 2^32. */
struct middle {
    uint32_t from, most;
};

/* Returns the middle for values beyond near: the difference in last places is greatest
 * there. */
INLINE struct middle middle_of(const struct rotation_job *job)
{
    const double near = (double)job->near;
    uint64_t bits;

    memcpy(&bits, &near, sizeof bits);
    bits &= 0x7ff0000000000000u;
    const double place = narrow_double(bits) * 0x1p-52;
    const uint32_t places = (uint32_t)(job->apart / place) + 2;

    return (struct middle){8 * places - 0x80000000u, 16 * places};
}

INLINE void keep_less(const lanes_u32 *lanes, lanes_u32 *least)
{
    for (int i = 0; i < LANES; i++)
        (*least)[i] = (*lanes)[i] < (*least)[i] ? (*lanes)[i] : (*least)[i];
}

/* Lower the distances of a group of lanes by those of two quads of values. */
INLINE void approach(const quad_f64 *a, const quad_f64 *b, uint32_t from, lanes_u32 *least)
{
    const lanes_f32 words = __builtin_shufflevector(
        *(const lanes_f32 *)a, *(const lanes_f32 *)b, 0, 2, 8, 10, 4, 6, 12, 14);
    const lanes_u32 distance = ((lanes_u32)words << 3) + from;

    keep_less(&distance, least);
}

INLINE void round_quads(const quad_f64 *a, const quad_f64 *b, lanes_f32 *rounded)
{
    const quad_f32 x = __builtin_convertvector(*a, quad_f32);
    const quad_f32 y = __builtin_convertvector(*b, quad_f32);

    *rounded = __builtin_shufflevector(x, y, 0, 1, 2, 3, 4, 5, 6, 7);
}

/* Fills LANES pairs as fill_line does, and sees how near to a middle their values are. */
INLINE void fill_near_middles(struct form form, const double *by_cos, const double *by_sin,
                              const double *fine_cos, const double *fine_sin, float *first,
                              float *second, uint32_t from, lanes_u32 *smallest,
                              lanes_u32 *least)
{
    const quad_f64 *p = (const quad_f64 *)by_cos, *q = (const quad_f64 *)by_sin;
    const quad_f64 *c = (const quad_f64 *)fine_cos, *s = (const quad_f64 *)fine_sin;
    const bool plus = form.turn == ROTATION_QUARTER;
    const quad_f64 a0 = p[0] * c[0] + q[0] * s[0], a1 = p[1] * c[1] + q[1] * s[1];
    const quad_f64 b0 = plus ? p[0] * s[0] - q[0] * c[0] : q[0] * c[0] - p[0] * s[0];
    const quad_f64 b1 = plus ? p[1] * s[1] - q[1] * c[1] : q[1] * c[1] - p[1] * s[1];
    lanes_f32 x, y;

    round_quads(&a0, &a1, &x);
    round_quads(&b0, &b1, &y);
    approach(&a0, &a1, from, least);
    approach(&b0, &b1, from, least);
    if (form.layout == ROTATION_TWO) {
        *(lanes_f32 *)first = x;
        *(lanes_f32 *)second = y;
    } else {
        put_alternating(&x, &y, form.eights, first);
    }
    const lanes_u32 sizes[] = {(lanes_u32)x & INT32_MAX, (lanes_u32)y & INT32_MAX};
    keep_less(&sizes[0], smallest);
    keep_less(&sizes[1], smallest);
}

/* True when all sizes are above near and all distances above `most`. */
INLINE bool all_sure(const lanes_u32 *smallest, int32_t near, const lanes_u32 *least,
                     uint32_t most)
{
    const lanes_i32 beyond = near - (lanes_i32)*smallest;
    const lanes_i32 further = (int32_t)(most / 2 + 1) - (lanes_i32)(*least >> 1);
    const lanes_i32 both = beyond & further;

    return all_negative(&both);
}

/* Fills rows with a mark on each of those that are near zero or near a middle. */
INLINE void run_near_middles(const struct rotation_job *shared, struct form form)
{
    const struct rotation_job job = *shared;
    const size_t whole = job.count / LANES * LANES, rest = job.count - whole;
    const size_t step = form.layout == ROTATION_TWO ? 1 : 2;
    const int32_t near = (int32_t)narrow_bits(job.near);
    const struct middle middle = middle_of(&job);

    for (size_t r = 0; r < job.rows; r++) {
        const double *fine_cos = job.fine_cos + (ptrdiff_t)r * job.fine_step;
        const double *fine_sin = job.fine_sin + (ptrdiff_t)r * job.fine_step;
        float *first = (float *)job.out[0] + r * job.out_step;
        float *second = (float *)job.out[1] + r * job.out_step;
        lanes_u32 smallest = (lanes_u32){0} + INT32_MAX, least = (lanes_u32){0} - 1;
        bool any = false;

        for (size_t j = 0; j < whole; j += LANES)
            fill_near_middles(form, job.weights[0].by_cos + j, job.weights[0].by_sin + j,
                              fine_cos + j, fine_sin + j, first + step * j, second + step * j,
                              middle.from, &smallest, &least);
        if (rest > 0)
            any = (int)fill_chunk(&job, PE_F32, form.layout, r, whole, rest) |
                  (int)chunk_unsure(&job, PE_F32, form.layout, r, whole, rest);
        job.marked[r] = any || (whole > 0 && !all_sure(&smallest, near, &least, middle.most));
    }
}

/* ---- paths ------------------------------------------------------------------------------- */

static void middle_generic(const struct rotation_job *job)
{
    run_form(job, run_near_middles, false, true);
}

CPU_TARGET_AVX2 static void middle_avx2(const struct rotation_job *job)
{
    run_form(job, run_near_middles, true, true);
}

CPU_TARGET_AVX512 static void middle_avx512(const struct rotation_job *job)
{
    run_form(job, run_near_middles, true, true);
}

typedef void runner(const struct rotation_job *job);
static runner *const runners[CPU_PATH_COUNT] = {
    [CPU_GENERIC] = middle_generic, [CPU_AVX2] = middle_avx2, [CPU_AVX512] = middle_avx512};

void rotation_middle(const struct rotation_job *job)
{
    runners[cpu_path()](job);
}
