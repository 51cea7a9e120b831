/* SPDX-License-Identifier: Apache-2.0
 * rotate_kernel.c - one body, compiled once for each CPU path. A chunk of a vector's pairs is
 * widened to doubles, rotated, and narrowed; each loop stays within one conversion of widths,
 * because that vectorises well. No multiply-add is fused (-ffp-contract=off). */
#include "core/math/rotate/rotate_kernel.h"

#include <assert.h>
#include <string.h>

#include "core/math/cpu.h"
#include "core/math/number/narrow.h"
#include "core/math/number/widen.h"
#include "core/math/rotate/rotate_vector.h"

#define INLINE ROTATE_INLINE

enum { CHUNK = 128 };

/* ---- widening: exact ------------------------------------------------------------------- */

/* Reads elements step * j of `in` as floats. */
INLINE void widen_row(enum pe_dtype dtype, const uint16_t *restrict in, size_t step,
                      size_t count, float *restrict out)
{
    for (size_t j = 0; j < count; j++)
        out[j] = widen_element(dtype, in[step * j]);
}

INLINE void load_step(enum pe_dtype dtype, const void *in, size_t at, size_t step, size_t count,
                      double *restrict out)
{
    float wide[CHUNK];

    if (dtype == PE_F64) {
        const double *restrict from = (const double *)in + at;
        for (size_t j = 0; j < count; j++)
            out[j] = from[step * j];
        return;
    }
    const float *restrict from = wide;
    if (dtype == PE_F32)
        from = (const float *)in + at;
    else
        widen_row(dtype, (const uint16_t *)in + at, step, count, wide);
    const size_t stride = dtype == PE_F32 ? step : 1;
    for (size_t j = 0; j < count; j++)
        out[j] = (double)from[stride * j];
}

INLINE void load_typed(enum pe_dtype dtype, const void *in, size_t at, size_t step,
                       size_t count, double *out)
{
    if (step == 1)
        load_step(dtype, in, at, 1, count, out);
    else
        load_step(dtype, in, at, 2, count, out);
}

INLINE void load(enum pe_dtype dtype, const void *in, size_t at, size_t step, size_t count,
                 double *out)
{
    if (dtype == PE_F32)
        load_typed(PE_F32, in, at, step, count, out);
    else if (dtype == PE_BF16)
        load_typed(PE_BF16, in, at, step, count, out);
    else if (dtype == PE_F16)
        load_typed(PE_F16, in, at, step, count, out);
    else
        load_typed(PE_F64, in, at, step, count, out);
}

/* ---- turning ---------------------------------------------------------------------------- */

/* Rounds value once to dtype, as a float. Every NaN becomes the same NaN, so that all paths
 * agree. */
INLINE float round_to(enum pe_dtype dtype, double value)
{
    const float rounded = dtype == PE_F32   ? (float)value + 0.0f
                          : dtype == PE_F16 ? narrow_to(value, 10, -14, 16)
                                            : narrow_to(value, 7, -126, 128);

    return value == value ? rounded : __builtin_nanf("");
}

struct waves {
    const double *cos_a, *sin_a, *cos_b, *sin_b;
};

INLINE void turn_once(const struct waves *waves, size_t count, double *restrict a,
                      double *restrict b)
{
    const double *restrict cos_a = waves->cos_a, *restrict sin_a = waves->sin_a;
    const double *restrict cos_b = waves->cos_b, *restrict sin_b = waves->sin_b;
    for (size_t j = 0; j < count; j++) {
        const double x = a[j], y = b[j];

        a[j] = x * cos_a[j] - y * sin_a[j];
        b[j] = y * cos_b[j] + x * sin_b[j];
    }
}

INLINE void turn_rounding(enum pe_dtype dtype, const struct waves *waves, size_t count,
                          double *restrict a, double *restrict b)
{
    const double *restrict cos_a = waves->cos_a, *restrict sin_a = waves->sin_a;
    const double *restrict cos_b = waves->cos_b, *restrict sin_b = waves->sin_b;
    for (size_t j = 0; j < count; j++) {
        const double x = a[j], y = b[j];
        const double first = (double)round_to(dtype, x * cos_a[j]);
        const double second = (double)round_to(dtype, -y * sin_a[j]);
        const double third = (double)round_to(dtype, y * cos_b[j]);
        const double fourth = (double)round_to(dtype, x * sin_b[j]);

        a[j] = (double)round_to(dtype, first + second);
        b[j] = (double)round_to(dtype, third + fourth);
    }
}

INLINE void turn(const struct rotate_span *span, const struct waves *waves, size_t count,
                 double *a, double *b)
{
    if (!span->in_dtype || span->from == PE_F64)
        turn_once(waves, count, a, b);
    else if (span->from == PE_F32)
        turn_rounding(PE_F32, waves, count, a, b);
    else if (span->from == PE_F16)
        turn_rounding(PE_F16, waves, count, a, b);
    else
        turn_rounding(PE_BF16, waves, count, a, b);
}

/* ---- narrowing: rounded once; -0 becomes 0 ---------------------------------------------- */

INLINE uint16_t half_of(enum pe_dtype dtype, float rounded)
{
    if (dtype == PE_BF16)
        return narrow_bf16_of(rounded);
    return rounded == rounded ? narrow_f16_of(rounded) : 0x7e00;
}

INLINE void store_typed(enum pe_dtype dtype, const double *restrict values, size_t step,
                        size_t count, void *out, size_t at)
{
    float rounded[CHUNK];

    if (dtype == PE_F64) {
        double *restrict to = (double *)out + at;
        for (size_t j = 0; j < count; j++)
            to[step * j] = values[j] == values[j] ? values[j] + 0.0 : __builtin_nan("");
        return;
    }
    for (size_t j = 0; j < count; j++)
        rounded[j] = round_to(dtype, values[j]);
    if (dtype == PE_F32) {
        float *restrict to = (float *)out + at;
        for (size_t j = 0; j < count; j++)
            to[step * j] = rounded[j];
        return;
    }
    uint16_t *restrict to = (uint16_t *)out + at;
    for (size_t j = 0; j < count; j++)
        to[step * j] = half_of(dtype, rounded[j]);
}

INLINE void store(enum pe_dtype dtype, const double *values, size_t count, void *out, size_t at)
{
    if (dtype == PE_F32)
        store_typed(PE_F32, values, 1, count, out, at);
    else if (dtype == PE_BF16)
        store_typed(PE_BF16, values, 1, count, out, at);
    else if (dtype == PE_F16)
        store_typed(PE_F16, values, 1, count, out, at);
    else
        store_typed(PE_F64, values, 1, count, out, at);
}

/* Stores elements of a and b alternately. */
INLINE void interleave(const double *restrict a, const double *restrict b, size_t count,
                       double *restrict both)
{
    for (size_t j = 0; j < count; j++) {
        both[2 * j] = a[j];
        both[2 * j + 1] = b[j];
    }
}

/* ---- vectors ---------------------------------------------------------------------------- */

/* A section: `pairs` pairs, the first of which is number `first` of the span. */
struct section {
    size_t first, pairs;
};

/* Rotates pairs start .. start+count-1 of a section; `in` is the span as it was sent. */
INLINE void rotate_chunk(const struct rotate_job *job, struct section section, const void *in,
                         size_t base, void *out, size_t out_base, size_t start, size_t count)
{
    const struct rotate_span *span = job->span;
    const size_t wave = section.first + start, apart = span->apart ? span->pairs : 0;
    const struct waves waves = {job->cosine + wave, job->sine + wave,
                                job->cosine + apart + wave, job->sine + apart + wave};
    double a[CHUNK], b[CHUNK], both[2 * CHUNK];

    if (span->adjacent) {
        load(span->from, in, base + 2 * start, 2, count, a);
        load(span->from, in, base + 2 * start + 1, 2, count, b);
    } else {
        load(span->from, in, base + start, 1, count, a);
        load(span->from, in, base + section.pairs + start, 1, count, b);
    }
    turn(span, &waves, count, a, b);
    if (span->adjacent_out) {
        const size_t half = count < CHUNK / 2 ? count : CHUNK / 2;

        interleave(a, b, count, both);
        store(span->to, both, 2 * half, out, out_base + 2 * start);
        if (count > half)
            store(span->to, both + 2 * half, 2 * (count - half), out,
                  out_base + 2 * (start + half));
    } else {
        store(span->to, a, count, out, out_base + start);
        store(span->to, b, count, out, out_base + section.pairs + start);
    }
}

/* Copies elements first .. first+count-1 of a vector in another dtype. */
INLINE void convert(const struct rotate_span *span, const void *in, void *out, size_t first,
                    size_t count)
{
    double wide[CHUNK];

    for (size_t start = 0; start < count; start += CHUNK) {
        const size_t left = count - start, chunk = left < CHUNK ? left : CHUNK;

        load(span->from, in, first + start, 1, chunk, wide);
        store(span->to, wide, chunk, out, first + start);
    }
}

INLINE void pass(const struct rotate_span *span, const void *in, void *out, size_t first,
                 size_t count)
{
    const size_t size = pe_dtype_size(span->from);

    if (count == 0 || in == out)
        return;
    if (span->from == span->to)
        memcpy((char *)out + first * size, (const char *)in + first * size, count * size);
    else
        convert(span, in, out, first, count);
}

/* Rotates the span, read from element `base` of `in`. */
INLINE void rotate_sections(const struct rotate_job *job, const void *in, size_t base,
                            void *out)
{
    const struct rotate_span *span = job->span;
    const size_t count = span->section_count > 0 ? span->section_count : 1;
    struct section section = {0, 0};

    for (size_t s = 0; s < count; s++, section.first += section.pairs) {
        section.pairs = span->section_count > 0 ? span->section[s] : span->pairs;
        for (size_t start = 0; start < section.pairs; start += CHUNK) {
            const size_t left = section.pairs - start;

            rotate_chunk(job, section, in, base + 2 * section.first, out,
                         span->offset + 2 * section.first, start, left < CHUNK ? left : CHUNK);
        }
    }
}

INLINE void run(const struct rotate_job *job)
{
    const struct rotate_span *span = job->span;
    const size_t size = pe_dtype_size(span->from), end = span->offset + 2 * span->pairs;
    const size_t row = span->dim * pe_dtype_size(span->to);
    const bool moves = span->adjacent != span->adjacent_out;
    const char *in = job->in;
    char *out = job->out;

    for (size_t i = 0; i < job->count; i++) {
        const char *read = in;
        size_t base = span->offset;

        if (in != out)
            rotate_fetch_ahead(out, row);
        pass(span, in, out, 0, span->offset);
        pass(span, in, out, end, span->dim - end);
        /* rotated in place with another pairing: the span is copied first */
        if (moves && in == out) {
            memcpy(job->kept, in + base * size, 2 * span->pairs * size);
            read = job->kept;
            base = 0;
        }
        rotate_sections(job, read, base, out);
        in += span->dim * size;
        out += row;
    }
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

void rotate_kernel(const struct rotate_job *job)
{
    assert(job->span->from <= PE_BF16 && job->span->to <= PE_BF16);
    assert(job->span->offset + 2 * job->span->pairs <= job->span->dim);
    runners[cpu_path()](job);
}
