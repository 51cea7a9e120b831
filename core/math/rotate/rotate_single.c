/* SPDX-License-Identifier: Apache-2.0
 * rotate_single.c - eight pairs of float32 at a time, turned as doubles and rounded once. The
 * operations of an element are rotate_kernel's, in its order, and none is fused. */
#include "core/math/rotate/rotate_single.h"

#include "core/math/cpu.h"
#include "core/math/rotate/rotate_vector.h"

#define INLINE ROTATE_INLINE

enum { LANES = 8 };

/* Vectors are handed on by pointers: how they are passed depends on the path. */
typedef double doubles __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef float singles __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef float pairs_of __attribute__((vector_size(8 * LANES), aligned(4), may_alias));
typedef int32_t flags __attribute__((vector_size(4 * LANES)));

/* True unless registers have fewer lanes and every second element would have to be gathered,
 * which costs more than it saves. */
static bool lanes_pay(const struct rotate_span *span)
{
    return cpu_path() == CPU_AVX512 ||
           (cpu_path() == CPU_AVX2 && !span->adjacent && !span->adjacent_out);
}

bool rotate_single_serves(const struct rotate_span *span)
{
    return span->from == PE_F32 && span->to == PE_F32 && !span->in_dtype &&
           span->section_count == 0 && lanes_pay(span);
}

/* Computes x * cosine + y * sine, rounded; -0 becomes 0, all NaN become one. */
INLINE void turn(const doubles *x, const double *cosine, const doubles *y, const double *sine,
                 bool minus, singles *out)
{
    const doubles c = *(const doubles *)cosine, s = *(const doubles *)sine;
    const doubles turned = minus ? *x * c - *y * s : *x * c + *y * s;
    const singles rounded = __builtin_convertvector(turned, singles) + 0.0f;
    const flags number = (flags)(rounded == rounded);

    *out = (singles)((number & (flags)rounded) | (~number & 0x7fc00000));
}

/* Computes one coordinate of a pair as rotate_kernel does. */
INLINE float turn_one(double x, double cosine, double y, double sine, bool minus)
{
    const double turned = minus ? x * cosine - y * sine : x * cosine + y * sine;

    return turned == turned ? (float)turned + 0.0f : __builtin_nanf("");
}

/* Rotates the pairs after the last eight. */
INLINE void rotate_rest(bool adjacent, bool adjacent_out, const struct rotate_job *job,
                        const float *in, float *out)
{
    const size_t pairs = job->span->pairs, apart = job->span->apart ? pairs : 0;

    for (size_t j = pairs / LANES * LANES; j < pairs; j++) {
        const double x = (double)in[adjacent ? 2 * j : j];
        const double y = (double)in[adjacent ? 2 * j + 1 : pairs + j];

        out[adjacent_out ? 2 * j : j] = turn_one(x, job->cosine[j], y, job->sine[j], true);
        out[adjacent_out ? 2 * j + 1 : pairs + j] =
            turn_one(y, job->cosine[apart + j], x, job->sine[apart + j], false);
    }
}

/* Rotates the span of a vector. */
INLINE void rotate_span(bool adjacent, bool adjacent_out, const struct rotate_job *job,
                        const float *in, float *out)
{
    const size_t pairs = job->span->pairs, apart = job->span->apart ? pairs : 0;

    for (size_t j = 0; j + LANES <= pairs; j += LANES) {
        singles first, second;
        doubles x, y;

        if (adjacent) {
            const pairs_of both = *(const pairs_of *)(in + 2 * j);

            first = __builtin_shufflevector(both, both, 0, 2, 4, 6, 8, 10, 12, 14);
            second = __builtin_shufflevector(both, both, 1, 3, 5, 7, 9, 11, 13, 15);
        } else {
            first = *(const singles *)(in + j);
            second = *(const singles *)(in + pairs + j);
        }
        x = __builtin_convertvector(first, doubles);
        y = __builtin_convertvector(second, doubles);
        turn(&x, job->cosine + j, &y, job->sine + j, true, &first);
        turn(&y, job->cosine + apart + j, &x, job->sine + apart + j, false, &second);
        if (adjacent_out) {
            *(pairs_of *)(out + 2 * j) = __builtin_shufflevector(
                first, second, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
        } else {
            *(singles *)(out + j) = first;
            *(singles *)(out + pairs + j) = second;
        }
    }
    rotate_rest(adjacent, adjacent_out, job, in, out);
}

INLINE void run_laid(bool adjacent, bool adjacent_out, const struct rotate_job *job)
{
    const struct rotate_span *span = job->span;
    const float *in = job->in;
    float *out = job->out;

    for (size_t i = 0; i < job->count; i++, in += span->dim, out += span->dim) {
        if (in != out)
            rotate_fetch_ahead(out, span->dim * sizeof *out);
        rotate_span(adjacent, adjacent_out, job,
                    rotate_pass(job, sizeof *in, adjacent != adjacent_out, in, out),
                    out + span->offset);
    }
}

INLINE void run(const struct rotate_job *job)
{
    const bool adjacent = job->span->adjacent, adjacent_out = job->span->adjacent_out;

    if (!adjacent && !adjacent_out)
        run_laid(false, false, job);
    else if (!adjacent)
        run_laid(false, true, job);
    else if (!adjacent_out)
        run_laid(true, false, job);
    else
        run_laid(true, true, job);
}

/* ---- paths ------------------------------------------------------------------------------ */

static void run_generic(const struct rotate_job *job)
{
    run(job);
}

CPU_TARGET_AVX2 static void run_avx2(const struct rotate_job *job)
{
    run(job);
}

CPU_TARGET_AVX512 static void run_avx512(const struct rotate_job *job)
{
    run(job);
}

typedef void runner(const struct rotate_job *job);
static runner *const runners[CPU_PATH_COUNT] = {
    [CPU_GENERIC] = run_generic, [CPU_AVX2] = run_avx2, [CPU_AVX512] = run_avx512};

void rotate_single(const struct rotate_job *job)
{
    runners[cpu_path()](job);
}
