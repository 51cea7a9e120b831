/* SPDX-License-Identifier: Apache-2.0
 * observe.c - reads sines and cosines out of tables and turned vectors, and frequencies out of
 * rows that adjoin. */
#include "core/verify/observe.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool observe_applies(const struct candidate *candidate)
{
    bool waves = false;

    if (!candidate->angles || !candidate->angles->pos || !candidate->angles->w[0])
        return false;
    for (size_t i = 0; i < candidate->claim->subject_count; i++)
        waves = waves || candidate->wave[i].kind == WAVE_COLUMNS ||
                candidate->wave[i].kind == WAVE_TURN;
    return waves && candidate->angles->rows > 0;
}

static void order_pairs(struct observed *seen, const double *w)
{
    for (size_t i = 0; i < seen->pairs; i++) {
        size_t at = i;

        for (; at > 0 && w[seen->order[at - 1]] > w[i]; at--)
            seen->order[at] = seen->order[at - 1];
        seen->order[at] = i;
    }
}

void observe_fini(struct observed *seen)
{
    free(seen->memory.at);
    free(seen->order);
}

bool observe_init(struct observed *seen, const struct candidate *candidate)
{
    seen->pairs = candidate->angles->pairs;
    const size_t pairs = seen->pairs, widest = candidate->widest;
    seen->memory = row_buffer_new(2 * pairs + 2 * widest, &candidate->claim->failed);
    seen->order = claim_memory(candidate->claim, pairs + 1, sizeof *seen->order);
    if (!seen->memory.at || !seen->order) {
        observe_fini(seen);
        return false;
    }
    seen->cosine = row_buffer_part(seen->memory, 0, pairs).at;
    seen->sine = row_buffer_part(seen->memory, pairs, pairs).at;
    seen->row = row_buffer_part(seen->memory, 2 * pairs, widest);
    seen->vector = row_buffer_part(seen->memory, 2 * pairs + widest, widest);
    order_pairs(seen, candidate->angles->w[0]);
    return true;
}

static void read_columns(struct observed *seen, const struct candidate *candidate,
                         size_t subject, uint64_t row)
{
    const struct wave *wave = &candidate->wave[subject];
    bool sine;

    view_row(&candidate->view[subject], row, seen->row);
    for (uint64_t col = 0; col < candidate_cols(candidate, subject); col++) {
        size_t pair = wave_pair(wave, col, &sine);

        assert(pair < seen->pairs);
        (sine ? seen->sine : seen->cosine)[pair] = seen->row.at[col] / wave->amplitude;
    }
}

/* Adds the turn of each pair of one vector: y conj(x). */
static void add_turn(struct observed *seen, const struct candidate *candidate, size_t subject,
                     uint64_t row)
{
    const struct wave *wave = &candidate->wave[subject];
    const double *x = seen->vector.at, *y = seen->row.at;

    view_row(&candidate->view[subject], row, seen->row);
    view_row(&wave->vectors, row, seen->vector);
    assert(2 * seen->pairs <= seen->vector.capacity);
    for (size_t i = 0; i < seen->pairs; i++) {
        size_t a = wave->adjacent ? 2 * i : i, b = wave->adjacent ? a + 1 : i + seen->pairs;

        seen->cosine[i] += y[a] * x[a] + y[b] * x[b];
        seen->sine[i] += (y[b] * x[a] - y[a] * x[b]) * (wave->inverse ? -1 : 1);
    }
}

/* Reads the turn of each pair of all vectors at this place: rows number the axes before the
 * last in C order, so that those of a place are runs of `inner` rows. */
static void read_turn(struct observed *seen, const struct candidate *candidate, size_t subject,
                      uint64_t place)
{
    const struct wave *wave = &candidate->wave[subject];
    const struct view *vectors = &wave->vectors;
    uint64_t outer = 1, inner = 1;

    for (size_t i = 0; i < seen->pairs; i++)
        seen->cosine[i] = seen->sine[i] = 0;
    for (size_t i = 0; i < wave->seq_axis; i++)
        outer *= vectors->dims[i];
    for (size_t i = wave->seq_axis + 1; i + 1 < vectors->rank; i++)
        inner *= vectors->dims[i];
    const uint64_t length = vectors->dims[wave->seq_axis];
    for (uint64_t i = 0; i < outer; i++)
        for (uint64_t j = 0; j < inner; j++)
            add_turn(seen, candidate, subject, (i * length + place) * inner + j);
}

void observe(struct observed *seen, const struct candidate *candidate, uint64_t place)
{
    for (size_t i = 0; i < seen->pairs; i++)
        seen->cosine[i] = seen->sine[i] = NAN;
    for (size_t i = 0; i < candidate->claim->subject_count; i++) {
        if (candidate->spared >> i & 1)
            continue;
        if (candidate->wave[i].kind == WAVE_COLUMNS)
            read_columns(seen, candidate, i, place);
        if (candidate->wave[i].kind == WAVE_TURN) {
            read_turn(seen, candidate, i, place);
            return;
        }
    }
}

/* ---- frequencies ------------------------------------------------------------------------- */

enum { WINDOW = 32 };

static double wrap(double angle)
{
    const double turn = 2 * 3.14159265358979323846;

    return angle - turn * nearbyint(angle / turn);
}

/* Returns the mean turn over `gap` rows; NAN where a row says nothing. */
static double mean_turn(const double *cosine, const double *sine, size_t pairs, size_t pair,
                        size_t rows, size_t gap)
{
    double re = 0, im = 0;

    for (size_t i = 0; i + gap < rows; i++) {
        const double c = cosine[i * pairs + pair], s = sine[i * pairs + pair];
        const double d = cosine[(i + gap) * pairs + pair], t = sine[(i + gap) * pairs + pair];

        re += c * d + s * t;
        im += c * t - s * d;
    }
    return re == 0 && im == 0 ? NAN : atan2(im, re);
}

double observe_frequency(const double *cosine, const double *sine, size_t pairs, size_t pair,
                         size_t rows, double step)
{
    double w = mean_turn(cosine, sine, pairs, pair, rows, 1);

    for (size_t gap = 2; gap <= rows / 2; gap *= 2) {
        double turn = mean_turn(cosine, sine, pairs, pair, rows, gap);

        w += wrap(turn - w * (double)gap) / (double)gap;
    }
    return w / step;
}

/* Finds the last rows that adjoin; their positions rise by the same step. */
static size_t choose_window(const struct candidate *candidate, uint64_t *first, double *step)
{
    const struct angles *angles = candidate->angles;
    size_t rows = angles->rows < WINDOW ? (size_t)angles->rows : WINDOW;

    *first = angles->rows - rows;
    if (rows < 4)
        return 0;
    *step = angles_position(angles, *first + 1) - angles_position(angles, *first);
    for (size_t i = 1; i < rows; i++)
        if (angles_position(angles, *first + i) - angles_position(angles, *first + i - 1) !=
            *step)
            return 0;
    return *step != 0 ? rows : 0;
}

bool observe_frequencies(const struct candidate *candidate, struct row_buffer w)
{
    struct observed seen;
    uint64_t first;
    double step, *cosine;
    size_t rows = choose_window(candidate, &first, &step);

    if (rows == 0 || !observe_init(&seen, candidate))
        return false;
    cosine = claim_memory(candidate->claim, 2 * rows * seen.pairs + 1, sizeof *cosine);
    double *sine = cosine ? cosine + rows * seen.pairs : NULL;
    for (size_t i = 0; cosine && i < rows; i++) {
        observe(&seen, candidate, first + i);
        memcpy(cosine + i * seen.pairs, seen.cosine, seen.pairs * sizeof *cosine);
        memcpy(sine + i * seen.pairs, seen.sine, seen.pairs * sizeof *sine);
    }
    assert(seen.pairs <= w.capacity);
    for (size_t pair = 0; cosine && pair < seen.pairs; pair++)
        w.at[pair] = observe_frequency(cosine, sine, seen.pairs, pair, rows, step);
    free(cosine);
    observe_fini(&seen);
    return cosine != NULL;
}
