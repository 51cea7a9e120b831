/* SPDX-License-Identifier: Apache-2.0
 * rotate.c - rotates the vectors of a rectangle: finds which vectors share a place of the
 * sequence, makes one row of cosines and sines for each run of them, and rotates whole vectors
 * where a rectangle holds parts. */
#include "core/math/rotate/rotate.h"

#include <assert.h>
#include <string.h>

#include "core/math/rotate/rotate_kernel.h"
#include "core/math/rotate/rotate_short.h"
#include "core/math/rotate/rotate_single.h"

enum { ALIGN = 64 };

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

static size_t wave_count(const struct rotate_span *span)
{
    return span->apart ? 2 * span->pairs : span->pairs;
}

/* ---- vectors that share a row ---------------------------------------------------------- */

/* The scratch of rotate_vectors holds cosines and sines as in_dtype rounds them, or as
 * rotate_short splits them, and a span. */
size_t rotate_scratch_bytes(const struct rotate_span *span)
{
    return 2 * aligned(wave_count(span) * sizeof(double)) + aligned(span->dim * sizeof(double));
}

static const double *round_row(const struct rotate_span *span, const double *row, void *scratch)
{
    const size_t count = wave_count(span);
    char narrow[64 * sizeof(double)];
    double *rounded = scratch;

    if (!span->in_dtype || span->from == PE_F64)
        return row;
    for (size_t start = 0; start < count; start += 64) {
        const size_t left = count - start, size = left < 64 ? left : 64;

        pe_dtype_from_f64(span->from, narrow, row + start, size);
        pe_dtype_to_f64(span->from, rounded + start, narrow, size);
    }
    return rounded;
}

void rotate_vectors(const struct rotate_span *span, const double *cosine, const double *sine,
                    const void *in, size_t count, void *out, void *scratch)
{
    const size_t row = aligned(wave_count(span) * sizeof(double));
    char *at = scratch;
    const struct rotate_job job = {
        .span = span,
        .cosine = round_row(span, cosine, at),
        .sine = round_row(span, sine, at + row),
        .in = in,
        .out = out,
        .kept = at + 2 * row,
        .count = count,
    };

    if (rotate_short_serves(span))
        rotate_short(&job, at);
    else if (rotate_single_serves(span))
        rotate_single(&job);
    else
        rotate_kernel(&job);
}

/* ---- rectangles -------------------------------------------------------------------------- */

/* Buffers of a fill, which lie in its scratch. */
struct buffers {
    double *cosine, *sine;
    void *vector; /* a whole vector of the answer */
    void *memory, *rest;
};

static size_t memory_bytes(const struct rotate *rotate)
{
    return aligned(rotate->memory_bytes > 0 ? rotate->memory_bytes : PE_SCRATCH_MEMORY);
}

static struct buffers buffers_of(const struct rotate *rotate, void *scratch)
{
    const struct rotate_span *span = &rotate->span;
    const size_t row = aligned(wave_count(span) * sizeof(double));
    char *at = scratch;
    struct buffers buffers;

    buffers.memory = at;
    at += memory_bytes(rotate);
    buffers.cosine = (double *)(void *)at;
    buffers.sine = (double *)(void *)(at + row);
    buffers.vector = at + 2 * row;
    buffers.rest = at + 2 * row + aligned(span->dim * sizeof(double));
    return buffers;
}

static size_t scratch_bytes(const void *state, uint64_t elements)
{
    const struct rotate *rotate = state;
    const struct rotate_span *span = &rotate->span;

    return memory_bytes(rotate) + 2 * rotate_scratch_bytes(span);
}

/* Rotates some columns of one vector: the whole vector is rotated in a buffer, and the wanted
 * columns are copied. */
static void rotate_part(const struct rotate_span *span, const struct buffers *buffers,
                        const struct pe_rect *rect, const void *in, void *out)
{
    const size_t size = pe_dtype_size(span->to);

    rotate_vectors(span, buffers->cosine, buffers->sine, in, 1, buffers->vector, buffers->rest);
    memcpy(out, (const char *)buffers->vector + rect->col * size, rect->cols * size);
}

uint64_t rotate_row(const struct rotate *rotate, uint64_t vector, uint64_t *same)
{
    const uint64_t place = vector / rotate->inner % rotate->places;
    uint64_t rest;

    *same = rotate->inner - vector % rotate->inner; /* vectors up to the next place */
    if (rotate->heads == 0)
        return place;
    rest = rotate->head_inner - vector % rotate->head_inner;
    *same = rest < *same ? rest : *same;
    return place * rotate->heads + vector / rotate->head_inner % rotate->heads;
}

static void rotate_rect(const struct rotate *rotate, const struct rotate_span *span,
                        const struct pe_rect *rect, void *out, const void *const input[],
                        void *scratch)
{
    const struct buffers buffers = buffers_of(rotate, scratch);
    const size_t from = pe_dtype_size(span->from), to = pe_dtype_size(span->to);
    const bool whole = rect->cols == span->dim;

    for (uint64_t row = 0, count, same; row < rect->rows; row += count) {
        const uint64_t vector = rect->row + row, number = rotate_row(rotate, vector, &same);
        const char *in = (const char *)input[rotate->input] + vector * span->dim * from;
        char *place = (char *)out + row * rect->cols * to;

        count = same < rect->rows - row ? same : rect->rows - row;
        rotate->turn(rotate->context, number, input, buffers.cosine, buffers.sine,
                     buffers.memory);
        if (whole)
            rotate_vectors(span, buffers.cosine, buffers.sine, in, count, place, buffers.rest);
        for (uint64_t i = 0; !whole && i < count; i++)
            rotate_part(span, &buffers, rect, in + i * span->dim * from,
                        place + i * rect->cols * to);
    }
}

static bool fill_vectors(const void *state, const struct pe_rect *rect, enum pe_dtype dtype,
                         void *const out[], const void *const input[], void *scratch)
{
    const struct rotate *rotate = state;

    assert(dtype == rotate->span.to);
    if (out[0])
        rotate_rect(rotate, &rotate->span, rect, out[0], input, scratch);
    return true;
}

static void fill_doubles(const void *state, const struct pe_rect *rect, double *const out[],
                         const void *const input[], void *scratch)
{
    const struct rotate *rotate = state;
    struct rotate_span span = rotate->span;

    span.to = PE_F64;
    memset(scratch, 0, PE_SCRATCH_MEMORY);
    if (out[0])
        rotate_rect(rotate, &span, rect, out[0], input, scratch);
}

static double cost(const void *state, enum pe_dtype dtype)
{
    const struct rotate *rotate = state;
    const uint64_t share = rotate->heads > 0 ? rotate->head_inner : rotate->inner;

    return 0.3 + rotate->turn_ns / (double)(share > 0 ? share : 1);
}

const struct pe_filler rotate_filler = {
    .reference = fill_doubles,
    .vectors = fill_vectors,
    .scratch = scratch_bytes,
    .remembers = true,
    .cost = cost,
};

/* Counts the vectors from one step along an axis to the next. */
static uint64_t inside(const struct pe_tensor *tensor, size_t axis)
{
    uint64_t count = 1;

    assert(axis + 1 < tensor->rank);
    for (size_t i = axis + 1; i + 1 < tensor->rank; i++)
        count *= tensor->dims[i];
    return count;
}

void rotate_lay(struct rotate *rotate, const struct pe_tensor *tensor, size_t axis)
{
    rotate->places = tensor->dims[axis];
    rotate->inner = inside(tensor, axis);
}

void rotate_lay_heads(struct rotate *rotate, const struct pe_tensor *tensor, size_t axis)
{
    rotate->heads = tensor->dims[axis];
    rotate->head_inner = inside(tensor, axis);
}
