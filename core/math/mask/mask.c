/* SPDX-License-Identifier: Apache-2.0
 * mask.c - one row of a mask: element by element from the predicate, or painted from spans. */
#include "core/math/mask/mask.h"

#include <string.h>

enum { CHUNK = 512 }; /* elements */

static int64_t position(const struct pe_positions *list, uint64_t i)
{
    return list ? (int64_t)pe_positions_at(list, i) : (int64_t)i;
}

static int64_t query_of(const struct mask *mask, uint64_t row)
{
    return position(mask->q, row % mask->queries);
}

/* Consecutive keys from number col on: first, first + step, ...; step is not 0. */
struct run {
    int64_t first, step;
    uint64_t left;
};

static struct run run_at(const struct mask *mask, uint64_t col)
{
    struct pe_run run;

    if (!mask->k)
        return (struct run){(int64_t)col, 1, mask->keys - col};
    run = pe_positions_run(mask->k, col);
    return (struct run){(int64_t)run.first, run.step ? run.step : 1, run.left};
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- element by element ------------------------------------------------------------------ */

static bool is_kept(const struct mask *mask, uint64_t batch, uint64_t col)
{
    return !mask->keep || mask->keep->values[batch * mask->keys + col] != 0;
}

/* The position is that of a key. */
static bool is_key(const struct mask *mask, int64_t at)
{
    for (uint64_t col = 0; col < mask->keys;) {
        struct run run = run_at(mask, col);
        int64_t steps = (at - run.first) / run.step;

        if ((at - run.first) % run.step == 0 && steps >= 0 && (uint64_t)steps < run.left)
            return true;
        col += run.left;
    }
    return false;
}

enum mask_policy mask_policy_of(const struct mask *mask, uint64_t row, enum mask_policy policy)
{
    return policy == MASK_KEEP_SELF && !is_key(mask, query_of(mask, row)) ? MASK_UNMASK_ALL
                                                                          : policy;
}

/* Of a row without a key. */
static bool sees_by_policy(const struct mask *mask, uint64_t row, uint64_t col)
{
    return mask->empty[row] == MASK_UNMASK_ALL || position(mask->k, col) == query_of(mask, row);
}

static bool sees_alone(const struct mask *mask, uint64_t row, uint64_t col)
{
    uint64_t batch = row / mask->queries;

    return is_kept(mask, batch, col) &&
           mask->rule->sees(mask->context, batch, query_of(mask, row), position(mask->k, col));
}

bool mask_sees(const struct mask *mask, uint64_t row, uint64_t col)
{
    if (mask->empty && mask->empty[row])
        return sees_by_policy(mask, row, col);
    return sees_alone(mask, row, col);
}

/* ---- spans ------------------------------------------------------------------------------- */

/* Columns [first, end) of a run of `count` keys that a span covers. */
static void cover(const struct run *run, uint64_t count, struct mask_span span, uint64_t *first,
                  uint64_t *end)
{
    int64_t low = span.first - run->first, high = span.last - run->first;

    *first = low <= 0 ? 0 : (uint64_t)((low + run->step - 1) / run->step);
    *end = high < 0 ? 0 : (uint64_t)(high / run->step) + 1;
    *first = least(*first, count);
    *end = least(*end, count);
}

static bool by_spans(const struct mask *mask, const struct run *run)
{
    return mask->rule->spans && !mask->keep && run->step > 0;
}

bool mask_is_empty(const struct mask *mask, uint64_t row)
{
    for (uint64_t col = 0; col < mask->keys;) {
        struct run run = run_at(mask, col);
        struct mask_span spans[MASK_MOST_SPANS];
        size_t count = 0;

        if (!by_spans(mask, &run)) {
            for (uint64_t i = 0; i < run.left; i++)
                if (sees_alone(mask, row, col + i))
                    return false;
        } else {
            count = mask->rule->spans(mask->context, row / mask->queries, query_of(mask, row),
                                      spans);
        }
        for (size_t i = 0; i < count; i++) {
            uint64_t first, end;

            cover(&run, run.left, spans[i], &first, &end);
            if (first < end)
                return false;
        }
        col += run.left;
    }
    return true;
}

uint64_t mask_look(const struct mask *mask, uint64_t row, uint64_t from)
{
    uint64_t col = from < mask->keys ? from : 0;

    if (mask->rule->spans && !mask->keep)
        return mask_is_empty(mask, row) ? MASK_NOTHING : from;
    for (uint64_t i = 0; i < mask->keys; i++, col = col + 1 < mask->keys ? col + 1 : 0)
        if (sees_alone(mask, row, col))
            return col;
    return MASK_NOTHING;
}

uint64_t mask_most_runs(const struct mask *mask)
{
    uint64_t most = mask->keys / 2 + mask->keys % 2;
    struct run run = mask->keys ? run_at(mask, 0) : (struct run){0, 1, 0};

    if (run.left == mask->keys && by_spans(mask, &run))
        most = least(most, mask->rule->most);
    return most;
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

/* Elements that are alike. */
static void stroke(const struct mask_ink *ink, bool seen, uint64_t count,
                   struct stream_store *pen)
{
    stream_store_repeat(pen, ink->word[seen], count * ink->size);
}

/* Where neighbours differ as they like: bytes 0 and 1 become elements; at most CHUNK. */
static void stipple(const struct mask_ink *ink, const unsigned char *seen, uint64_t count,
                    struct stream_store *pen)
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
    stream_store_copy(pen, out, count * ink->size);
}

static void paint_spans(const struct mask *mask, const struct mask_ink *ink, uint64_t row,
                        const struct run *run, uint64_t count, struct stream_store *pen)
{
    struct mask_span spans[MASK_MOST_SPANS];
    size_t number =
        mask->rule->spans(mask->context, row / mask->queries, query_of(mask, row), spans);
    uint64_t done = 0;

    for (size_t i = 0; i < number; i++) {
        uint64_t first, end;

        cover(run, count, spans[i], &first, &end);
        if (first >= end)
            continue;
        stroke(ink, false, first - done, pen);
        stroke(ink, true, end - first, pen);
        done = end;
    }
    stroke(ink, false, count - done, pen);
}

static void paint_elements(const struct mask *mask, const struct mask_ink *ink, uint64_t row,
                           uint64_t col, uint64_t count, struct stream_store *pen)
{
    const uint64_t batch = row / mask->queries;
    const int64_t query = query_of(mask, row);

    for (uint64_t done = 0, part; done < count; done += part) {
        struct run run = run_at(mask, col + done);
        unsigned char seen[CHUNK];

        part = least(least(run.left, count - done), CHUNK);
        for (uint64_t i = 0; i < part; i++)
            seen[i] = is_kept(mask, batch, col + done + i) &&
                      mask->rule->sees(mask->context, batch, query,
                                       run.first + run.step * (int64_t)i);
        stipple(ink, seen, part, pen);
    }
}

void mask_paint(const struct mask *mask, const struct mask_ink *ink, uint64_t row, uint64_t col,
                uint64_t count, struct stream_store *pen)
{
    if (mask->empty && mask->empty[row]) {
        for (uint64_t i = 0; i < count; i++)
            stroke(ink, sees_by_policy(mask, row, col + i), 1, pen);
        return;
    }
    for (uint64_t done = 0, part; done < count; done += part) {
        struct run run = run_at(mask, col + done);

        part = least(run.left, count - done);
        if (by_spans(mask, &run))
            paint_spans(mask, ink, row, &run, part, pen);
        else
            paint_elements(mask, ink, row, col + done, part, pen);
    }
}

void mask_row(const struct mask *mask, uint64_t row, uint64_t col, uint64_t count,
              unsigned char *out)
{
    static const struct mask_ink ink = {1, {0, UINT64_C(0x0101010101010101)}};
    struct stream_store pen;

    stream_store_begin(&pen, out, count);
    mask_paint(mask, &ink, row, col, count, &pen);
    stream_store_end(&pen);
}
