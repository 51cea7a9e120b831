/* SPDX-License-Identifier: Apache-2.0
 * fit.c - compares rows of tensors with those of a candidate. */
#include "core/verify/fit.h"
#include "core/verify/expected.h"

#include <math.h>
#include <stdlib.h>

size_t fit_sample_count(uint64_t rows)
{
    return rows < PE_VERIFY_ROWS ? (size_t)rows : PE_VERIFY_ROWS;
}

uint64_t fit_sample_row(uint64_t rows, size_t i)
{
    const size_t first = PE_VERIFY_ROWS / 2, spread = PE_VERIFY_ROWS - first;

    if (rows <= PE_VERIFY_ROWS || i < first)
        return i;
    return first + (rows - 1 - first) * (i - first + 1) / spread;
}

struct rows {
    struct row_buffer memory, expected, bound, data;
};

static bool rows_init(struct rows *rows, const struct candidate *candidate)
{
    const size_t widest = candidate->widest;

    rows->memory = row_buffer_new(3 * widest, &candidate->claim->failed);
    if (!rows->memory.at)
        return false;
    rows->expected = row_buffer_part(rows->memory, 0, widest);
    rows->bound = row_buffer_part(rows->memory, widest, widest);
    rows->data = row_buffer_part(rows->memory, 2 * widest, widest);
    return true;
}

static void add_element(struct fit *fit, double expected, double data, double bound)
{
    const double distance = expected == data ? 0 : fabs(expected - data);

    if (!(distance <= bound)) {
        fit->far++;
        if (!(distance <= fit->within * bound))
            fit->within = isfinite(distance) && bound > 0 ? distance / bound : INFINITY;
    } else if (bound > 0 && distance > fit->within * bound) {
        fit->within = distance / bound;
    }
    if (!(distance <= fit->max_abs))
        fit->max_abs = isnan(distance) ? INFINITY : distance;
    fit->mean += distance < 1 ? distance : 1;
}

static void add_row(struct fit *fit, const struct candidate *candidate, size_t subject,
                    uint64_t row, const struct rows *rows)
{
    const uint64_t cols = candidate_cols(candidate, subject);

    expected_row(candidate, subject, row, rows->expected, rows->bound);
    view_row(&candidate->view[subject], row, rows->data);
    const double most =
        candidate->enc == candidate->claim->enc ? INFINITY : candidate->claim->bound[subject];
    for (uint64_t i = 0; i < cols; i++)
        add_element(fit, rows->expected.at[i], rows->data.at[i], fmin(rows->bound.at[i], most));
    fit->elements += cols;
    fit->rows++;
}

/* Compares rows of the sample, or all until one is beyond its bound, if strict, or the stop is
 * set; false then, or without memory. */
static bool compare(struct fit *fit, const struct candidate *candidate, bool sample,
                    bool strict)
{
    struct rows rows;
    bool stopped = false;

    *fit = (struct fit){.within = 0};
    if (!rows_init(&rows, candidate))
        return false;
    for (size_t i = 0; i < candidate->claim->subject_count; i++) {
        const uint64_t all = candidate_rows(candidate, i);
        const uint64_t count = sample ? fit_sample_count(all) : all;

        for (uint64_t j = 0; j < count && !stopped && !(strict && fit->within > 1); j++) {
            add_row(fit, candidate, i, sample ? fit_sample_row(all, (size_t)j) : j, &rows);
            stopped = !sample && j % 64 == 0 && pe_stop_is_set(candidate->claim->limits->stop);
        }
    }
    free(rows.memory.at);
    fit->mean /= fit->elements > 0 ? (double)fit->elements : 1;
    return !stopped;
}

size_t fit_near_count(uint64_t rows, uint64_t cols, size_t subjects)
{
    const size_t all = fit_sample_count(rows);
    const uint64_t some = FIT_NEAR_ELEMENTS / (subjects * (cols > 0 ? cols : 1));
    const uint64_t count = some > FIT_NEAR_ROWS ? some : FIT_NEAR_ROWS;

    return count < all ? (size_t)count : all;
}

bool fit_near(struct fit *fit, const struct candidate *candidate)
{
    struct rows rows;

    *fit = (struct fit){.within = 0};
    if (!rows_init(&rows, candidate))
        return false;
    for (size_t i = 0; i < candidate->claim->subject_count; i++) {
        const uint64_t all = candidate_rows(candidate, i);
        const size_t sample = fit_sample_count(all),
                     count = fit_near_count(all, candidate_cols(candidate, i),
                                            candidate->claim->subject_count);

        for (size_t j = 0; j < count; j++)
            add_row(fit, candidate, i,
                    fit_sample_row(all, count < 2 ? 0 : j * (sample - 1) / (count - 1)), &rows);
    }
    free(rows.memory.at);
    fit->mean /= fit->elements > 0 ? (double)fit->elements : 1;
    return true;
}

bool fit_sample(struct fit *fit, const struct candidate *candidate)
{
    return compare(fit, candidate, true, false);
}

bool fit_all(struct fit *fit, const struct candidate *candidate, bool strict)
{
    return compare(fit, candidate, false, strict);
}

bool fit_quickly(struct fit *fit, const struct candidate *candidate)
{
    struct rows rows;

    *fit = (struct fit){.within = 0};
    if (!rows_init(&rows, candidate))
        return false;
    for (size_t i = PE_VERIFY_ROWS; i-- > 0 && fit->within <= 1;) {
        for (size_t j = 0; j < candidate->claim->subject_count; j++) {
            const uint64_t count = candidate_rows(candidate, j);

            if (i < fit_sample_count(count) && fit->within <= 1)
                add_row(fit, candidate, j, fit_sample_row(count, i), &rows);
        }
    }
    free(rows.memory.at);
    fit->mean /= fit->elements > 0 ? (double)fit->elements : 1;
    return fit->within <= 1;
}

bool fit_each_row(const struct candidate *candidate,
                  bool (*see)(void *context, const struct fit_row *row), void *context)
{
    const struct claim *claim = candidate->claim;
    struct rows rows;
    bool on = rows_init(&rows, candidate);

    for (size_t i = 0; on && i < claim->subject_count; i++) {
        for (uint64_t j = 0; on && j < candidate_rows(candidate, i); j++) {
            const struct fit_row row = {
                i,           j, candidate_cols(candidate, i), rows.expected.at, rows.bound.at,
                rows.data.at};

            expected_row(candidate, i, j, rows.expected, rows.bound);
            view_row(&candidate->view[i], j, rows.data);
            on = see(context, &row) &&
                 !(j % 64 == 0 && pe_stop_is_set(candidate->claim->limits->stop));
        }
    }
    free(rows.memory.at);
    return on;
}

void fit_bound_claim(const struct candidate *candidate)
{
    struct claim *claim = candidate->claim;
    struct rows rows;

    if (!rows_init(&rows, candidate))
        return;
    for (size_t i = 0; i < claim->subject_count; i++) {
        const uint64_t all = candidate_rows(candidate, i), cols = candidate_cols(candidate, i);

        claim->bound[i] = 0;
        for (size_t j = 0; j < fit_sample_count(all); j++) {
            expected_row(candidate, i, fit_sample_row(all, j), rows.expected, rows.bound);
            for (uint64_t col = 0; col < cols; col++)
                claim->bound[i] = fmax(claim->bound[i], rows.bound.at[col]);
        }
    }
    free(rows.memory.at);
}

/* Returns whether a subject has the same rows by its plan and by the angles of `waves`. */
static bool subject_is_wave(const struct candidate *candidate, const struct candidate *waves,
                            size_t subject, bool sample, struct rows *rows)
{
    const double same = 1e-6 * fabs(candidate->wave[subject].amplitude);
    const uint64_t all = candidate_rows(candidate, subject);
    const uint64_t count = sample ? fit_sample_count(all) : all;
    const uint64_t cols = candidate_cols(candidate, subject);

    for (uint64_t i = 0; i < count; i++) {
        const uint64_t row = sample ? fit_sample_row(all, (size_t)i) : i;

        candidate_fill(candidate, subject, row, rows->data);
        expected_row(waves, subject, row, rows->expected, (struct row_buffer){.at = NULL});
        for (uint64_t col = 0; col < cols; col++)
            if (!(fabs(rows->data.at[col] - rows->expected.at[col]) <= same))
                return false;
    }
    return true;
}

bool fit_is_wave(const struct candidate *candidate, bool sample)
{
    struct candidate *waves = candidate_copy(candidate);
    struct rows rows = {.memory = {.at = NULL}};
    bool same = waves && rows_init(&rows, candidate);

    if (waves)
        waves->warped = true; /* its rows are those of the angles */
    for (size_t i = 0; same && i < candidate->claim->subject_count; i++)
        if (candidate->wave[i].kind == WAVE_COLUMNS)
            same = subject_is_wave(candidate, waves, i, sample, &rows);
    free(rows.memory.at);
    candidate_free(waves);
    return same;
}
