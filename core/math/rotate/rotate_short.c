/* SPDX-License-Identifier: Apache-2.0
 * rotate_short.c - float16 and bfloat16 vectors by float arithmetic, within 0.501 ULP.
 *
 * A cosine is head + tail, the head so short that its product with an element is exact. So
 * is s = a head - b head' but for one rounding, relative to s itself; adding the tails'
 * products rounds once more. What is rounded to 16 bits is thus within 2^-23 of itself, 0.0003
 * ULP of the answer, but for the tails: at most 2^-13 of a cosine (bfloat16: 2^-16), they and
 * their products are rounded to 2^-24 of themselves and then summed, which is less than 2^-35
 * (2^-38) of the pair's length. */
#include "core/math/rotate/rotate_short.h"

#include <math.h>
#include <string.h>

#include "core/math/cpu.h"
#include "core/math/number/narrow.h"
#include "core/math/number/widen.h"
#include "core/math/rotate/rotate_vector.h"

#define INLINE ROTATE_INLINE

enum { CHUNK = 64 };
/* The places of the two elements of a pair in a 32-bit number of memory. */
enum {
    FIRST = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : 16,
    SECOND = 16 - FIRST,
};

bool rotate_short_serves(const struct rotate_span *span)
{
    return span->from == span->to && (span->from == PE_F16 || span->from == PE_BF16) &&
           !span->in_dtype && span->section_count == 0;
}

/* ---- rows as heads and tails ------------------------------------------------------------ */

struct dd {
    const float *head, *tail;
};

static size_t row_count(const struct rotate_span *span)
{
    return span->apart ? 2 * span->pairs : span->pairs;
}

/* Splits cosines or sines into head and tail; a head has 24 bits less those of an element. */
static struct dd split_row(const double *restrict row, size_t count, enum pe_dtype dtype,
                           float *restrict head, float *restrict tail)
{
    /* the head keeps 13 of 53 bits, or 16 */
    const double scale = (dtype == PE_F16 ? 0x1p40 : 0x1p37) + 1;

    for (size_t i = 0; i < count; i++) {
        const double above = row[i] * scale;
        const double kept = above - (above - row[i]); /* Veltkamp's split */

        head[i] = (float)kept;
        tail[i] = (float)(row[i] - kept);
    }
    return (struct dd){head, tail};
}

/* ---- elements --------------------------------------------------------------------------- */

/* Rounds to nearest even; -0 becomes 0, every NaN becomes the quiet one. */
INLINE uint16_t to_bf16(float value)
{
    const uint32_t bits = narrow_bits(value + 0.0f);
    const uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;

    return (uint16_t)(value == value ? rounded : 0x7fc0u);
}

INLINE uint16_t to_f16(float value)
{
    const uint32_t bits = narrow_bits(value + 0.0f), sign = bits >> 16 & 0x8000u;
    const uint32_t size = bits & 0x7fffffffu;
    const uint32_t normal = (size + 0xfffu + (size >> 13 & 1u) - (112u << 23)) >> 13;
    const uint32_t subnormal = narrow_bits(widen_bits(size) + 0.5f) - narrow_bits(0.5f);
    const uint32_t finite = size < (113u << 23) ? subnormal : normal;
    /* 65520 and above become infinity */
    const uint32_t limited = size >= 0x477ff000u ? 0x7c00u : finite;
    /* zero has no sign */
    const uint32_t element = limited == 0 ? 0 : limited | sign;

    return (uint16_t)(value == value ? element : 0x7e00u);
}

INLINE uint16_t narrow(enum pe_dtype dtype, float value)
{
    return dtype == PE_F16 ? to_f16(value) : to_bf16(value);
}

/* ---- chunks ----------------------------------------------------------------------------- */

struct waves {
    struct dd cosine, sine;
};

/* Loads the first coordinates of pairs into a, the second into b. */
INLINE void load(enum pe_dtype dtype, bool adjacent, const uint16_t *restrict in, size_t pairs,
                 size_t count, float *restrict a, float *restrict b)
{
    const uint16_t *restrict second = in + pairs;
    for (size_t j = 0; !adjacent && j < count; j++)
        a[j] = widen_element(dtype, in[j]);
    for (size_t j = 0; !adjacent && j < count; j++)
        b[j] = widen_element(dtype, second[j]);
    /* an adjacent pair is as wide as a float */
    for (size_t j = 0; adjacent && j < count; j++) {
        uint32_t pair;
        memcpy(&pair, in + 2 * j, sizeof pair);
        a[j] = widen_element(dtype, (uint16_t)(pair >> FIRST));
        b[j] = widen_element(dtype, (uint16_t)(pair >> SECOND));
    }
}

/* Returns x * cosine + y * sine. */
INLINE uint16_t turned(enum pe_dtype dtype, float x, float cos_head, float cos_tail, float y,
                       float sin_head, float sin_tail)
{
    const float exact = x * cos_head + y * sin_head;
    const float sum = exact + (x * cos_tail + y * sin_tail);

    return narrow(dtype, __builtin_fabsf(exact) > 0x1.fffffep127f ? exact : sum);
}

/* Writes a cos - b sin to out, and b cos + a sin beside it or `pairs` elements further on. */
INLINE void turn(enum pe_dtype dtype, bool adjacent, const struct waves *waves, size_t start,
                 size_t apart, const float *restrict a, const float *restrict b, size_t count,
                 size_t pairs, uint16_t *restrict out)
{
    const float *restrict cos_head = waves->cosine.head + start;
    const float *restrict cos_tail = waves->cosine.tail + start;
    const float *restrict sin_head = waves->sine.head + start;
    const float *restrict sin_tail = waves->sine.tail + start;
    uint16_t *restrict second = out + pairs;
    for (size_t j = 0; j < count; j++) {
        const uint16_t x =
            turned(dtype, a[j], cos_head[j], cos_tail[j], -b[j], sin_head[j], sin_tail[j]);
        const size_t k = apart + j;
        const uint16_t y =
            turned(dtype, b[j], cos_head[k], cos_tail[k], a[j], sin_head[k], sin_tail[k]);
        const uint32_t pair = (uint32_t)x << FIRST | (uint32_t)y << SECOND;

        if (adjacent) {
            memcpy(out + 2 * j, &pair, sizeof pair);
        } else {
            out[j] = x;
            second[j] = y;
        }
    }
}

/* Rotates pairs start .. start+count-1 of a span at `in` into a span at `out`. */
INLINE void rotate_chunk(enum pe_dtype dtype, bool adjacent, bool adjacent_out,
                         const struct rotate_span *span, const struct waves *waves,
                         const uint16_t *in, uint16_t *out, size_t start, size_t count)
{
    float a[CHUNK], b[CHUNK];

    load(dtype, adjacent, in + (adjacent ? 2 : 1) * start, span->pairs, count, a, b);
    if (span->apart)
        turn(dtype, adjacent_out, waves, start, span->pairs, a, b, count, span->pairs,
             out + (adjacent_out ? 2 : 1) * start);
    else
        turn(dtype, adjacent_out, waves, start, 0, a, b, count, span->pairs,
             out + (adjacent_out ? 2 : 1) * start);
}

INLINE void run_laid(const struct rotate_job *job, const struct waves *waves,
                     enum pe_dtype dtype, bool adjacent, bool adjacent_out)
{
    const struct rotate_span *span = job->span;
    const size_t pairs = span->pairs;
    const uint16_t *in = job->in;
    uint16_t *out = job->out;

    for (size_t i = 0; i < job->count; i++, in += span->dim, out += span->dim) {
        const uint16_t *read = rotate_pass(job, sizeof *in, adjacent != adjacent_out, in, out);

        for (size_t start = 0; start < pairs; start += CHUNK) {
            const size_t left = pairs - start;
            uint16_t *place = out + span->offset;

            /* with a constant count the loop has no remainder */
            if (dtype == PE_BF16 && left >= CHUNK)
                rotate_chunk(dtype, adjacent, adjacent_out, span, waves, read, place, start,
                             CHUNK);
            else
                rotate_chunk(dtype, adjacent, adjacent_out, span, waves, read, place, start,
                             left < CHUNK ? left : CHUNK);
        }
    }
}

INLINE void run_typed(const struct rotate_job *job, const struct waves *waves,
                      enum pe_dtype dtype)
{
    const struct rotate_span *span = job->span;

    if (!span->adjacent && !span->adjacent_out)
        run_laid(job, waves, dtype, false, false);
    else if (!span->adjacent)
        run_laid(job, waves, dtype, false, true);
    else if (!span->adjacent_out)
        run_laid(job, waves, dtype, true, false);
    else
        run_laid(job, waves, dtype, true, true);
}

INLINE void run(const struct rotate_job *job, const struct waves *waves)
{
    if (job->span->from == PE_F16)
        run_typed(job, waves, PE_F16);
    else
        run_typed(job, waves, PE_BF16);
}

/* ---- paths ------------------------------------------------------------------------------ */

static void run_generic(const struct rotate_job *job, const struct waves *waves)
{
    run(job, waves);
}

CPU_TARGET_AVX2 static void run_avx2(const struct rotate_job *job, const struct waves *waves)
{
    run(job, waves);
}

CPU_TARGET_AVX512 static void run_avx512(const struct rotate_job *job,
                                         const struct waves *waves)
{
    run(job, waves);
}

typedef void runner(const struct rotate_job *job, const struct waves *waves);
static runner *const runners[CPU_PATH_COUNT] = {
    [CPU_GENERIC] = run_generic, [CPU_AVX2] = run_avx2, [CPU_AVX512] = run_avx512};

void rotate_short(const struct rotate_job *job, void *scratch)
{
    const size_t count = row_count(job->span);
    const enum pe_dtype dtype = job->span->from;
    float *rows = scratch;
    const struct waves waves = {
        .cosine = split_row(job->cosine, count, dtype, rows, rows + count),
        .sine = split_row(job->sine, count, dtype, rows + 2 * count, rows + 3 * count),
    };

    runners[cpu_path()](job, &waves);
}
