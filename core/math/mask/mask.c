/* SPDX-License-Identifier: Apache-2.0
 * mask.c - fills a row of a mask: element by element from the predicate, or span by span. */
#include "core/math/mask/mask.h"

#include <string.h>

#include "core/math/mask/mask_run.h"

enum { CHUNK = 512 }; /* elements that are filled at a time */

/* ---- element by element ------------------------------------------------------------------ */

/* Apply the policy to a row without a key. */
static bool sees_by_policy(const struct mask *mask, uint64_t row, uint64_t col)
{
    return mask->empty[row] == MASK_UNMASK_ALL ||
           mask_run_key(mask, col) == mask_run_query(mask, row);
}

bool mask_sees(const struct mask *mask, uint64_t row, uint64_t col)
{
    if (mask->empty && mask->empty[row])
        return sees_by_policy(mask, row, col);
    return mask_run_sees(mask, row, col);
}

/* True when the run can be filled span by span. */
static bool by_spans(const struct mask *mask, const struct mask_run *run)
{
    return mask->rule->spans && !mask->keep && run->step > 0;
}

bool mask_has_spans(const struct mask *mask)
{
    struct mask_run run = mask->keys ? mask_run_at(mask, 0) : (struct mask_run){0, 1, 0};

    return run.left == mask->keys && by_spans(mask, &run);
}

uint64_t mask_most_runs(const struct mask *mask)
{
    uint64_t most = mask->keys / 2 + mask->keys % 2;

    return mask_has_spans(mask) ? mask_run_least(most, mask->rule->most) : most;
}

/* ---- painting ---------------------------------------------------------------------------- */

struct mask_ink mask_ink_of(enum pe_dtype dtype, const double values[2])
{
    struct mask_ink ink = {.size = pe_dtype_size(dtype)};

    for (int seen = 0; seen < 2; seen++) {
        unsigned char bytes[sizeof ink.word[0]];

        for (size_t at = 0; at < sizeof bytes; at += ink.size)
            pe_dtype_from_f64(dtype, bytes + at, &values[seen], 1);
        memcpy(&ink.word[seen], bytes, sizeof bytes);
    }
    return ink;
}

/* Stores equal elements. */
static void stroke(const struct mask_ink *ink, bool seen, uint64_t count,
                   struct stream_store *stream)
{
    stream_store_repeat(stream, ink->word[seen], count * ink->size);
}

/* Stores elements from bytes 0 and 1, where neighbours may differ; at most CHUNK. */
static void stipple(const struct mask_ink *ink, const unsigned char *seen, uint64_t count,
                    struct stream_store *stream)
{
    unsigned char out[CHUNK * sizeof ink->word[0]];

    for (uint64_t i = 0; i < count; i++) {
        const uint64_t word = ink->word[seen[i]];

        if (ink->size == 4)
            memcpy(out + 4 * i, &word, 4);
        else if (ink->size == 2)
            memcpy(out + 2 * i, &word, 2);
        else if (ink->size == 1)
            memcpy(out + i, &word, 1);
        else
            memcpy(out + 8 * i, &word, 8);
    }
    stream_store_copy(stream, out, count * ink->size);
}

static void paint_spans(const struct mask *mask, const struct mask_ink *ink, uint64_t row,
                        const struct mask_run *run, uint64_t count, struct stream_store *stream)
{
    struct mask_span spans[MASK_MOST_SPANS];
    size_t number =
        mask->rule->spans(mask->context, row / mask->queries, mask_run_query(mask, row), spans);
    uint64_t done = 0;

    for (size_t i = 0; i < number; i++) {
        uint64_t first, end;

        mask_run_cover(run, count, spans[i], &first, &end);
        if (first >= end)
            continue;
        stroke(ink, false, first - done, stream);
        stroke(ink, true, end - first, stream);
        done = end;
    }
    stroke(ink, false, count - done, stream);
}

static void paint_elements(const struct mask *mask, const struct mask_ink *ink, uint64_t row,
                           uint64_t col, uint64_t count, struct stream_store *stream)
{
    const uint64_t batch = row / mask->queries;
    const int64_t query = mask_run_query(mask, row);

    for (uint64_t done = 0, part; done < count; done += part) {
        struct mask_run run = mask_run_at(mask, col + done);
        unsigned char seen[CHUNK];

        part = mask_run_least(mask_run_least(run.left, count - done), CHUNK);
        for (uint64_t i = 0; i < part; i++)
            seen[i] = mask_run_kept(mask, batch, col + done + i) &&
                      mask->rule->sees(mask->context, batch, query,
                                       run.first + run.step * (int64_t)i);
        stipple(ink, seen, part, stream);
    }
}

void mask_paint(const struct mask *mask, const struct mask_ink *ink, uint64_t row, uint64_t col,
                uint64_t count, struct stream_store *stream)
{
    if (mask->empty && mask->empty[row]) {
        for (uint64_t i = 0; i < count; i++)
            stroke(ink, sees_by_policy(mask, row, col + i), 1, stream);
        return;
    }
    for (uint64_t done = 0, part; done < count; done += part) {
        struct mask_run run = mask_run_at(mask, col + done);

        part = mask_run_least(run.left, count - done);
        if (by_spans(mask, &run))
            paint_spans(mask, ink, row, &run, part, stream);
        else
            paint_elements(mask, ink, row, col + done, part, stream);
    }
}

void mask_row(const struct mask *mask, uint64_t row, uint64_t col, uint64_t count,
              unsigned char *out)
{
    static const struct mask_ink ink = {1, {0, UINT64_C(0x0101010101010101)}};
    struct stream_store stream;

    stream_store_begin(&stream, out, count);
    mask_paint(mask, &ink, row, col, count, &stream);
    stream_store_end(&stream);
}
