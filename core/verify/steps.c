/* SPDX-License-Identifier: Apache-2.0
 * steps.c - finds for each pair the frequency in float32 that gives all rows of the sample,
 * then tests it on all rows. */
#include "core/verify/steps.h"

#include <math.h>
#include <stdlib.h>

#include "core/verify/fit.h"

enum { UNITS = 16 }; /* float32's exp of a logarithm is off by up to 13 */

/* Products, sines and factors of float32 differ by at most this, relative to the amplitude. */
static const double tolerance = 0x1p-22;

static bool applies(const struct candidate *candidate)
{
    const struct angles *angles = candidate->angles;

    for (size_t i = 0; i < candidate->claim->subject_count; i++)
        if (candidate->wave[i].kind != WAVE_COLUMNS || candidate->view[i].precision > PE_BF16)
            return false;
    return candidate->claim->subject_count > 0 && angles && angles->pos && angles->w[0];
}

static float stepped(double w, int units)
{
    float value = (float)w;

    for (int i = 0; i < abs(units); i++)
        value = nextafterf(value, units < 0 ? 0 : INFINITY);
    return value;
}

enum { COLUMNS_MOST = 4, STOP_ROWS = 1024 };

static bool is_stopped(const struct candidate *candidate)
{
    const struct pe_stop *stop = candidate->claim->limits->stop;

    return pe_stop_is_set(stop);
}

/* Finds the columns of a pair; returns their number. */
static size_t find_columns(const struct candidate *candidate, size_t subject, size_t pair,
                           uint64_t column[COLUMNS_MOST], bool sine[COLUMNS_MOST])
{
    const uint64_t cols = candidate_cols(candidate, subject);
    size_t count = 0;

    for (uint64_t col = 0; col < cols && count < COLUMNS_MOST; col++)
        if (wave_pair(&candidate->wave[subject], col, &sine[count]) == pair)
            column[count++] = col;
    return count;
}

/* Returns whether the rows of a subject have the columns of a pair by this frequency. */
static bool pair_fits(const struct candidate *candidate, size_t subject, size_t pair, double w,
                      bool divided, bool sample)
{
    const struct wave *wave = &candidate->wave[subject];
    const struct view *view = &candidate->view[subject];
    const uint64_t rows = candidate_rows(candidate, subject);
    const uint64_t count = sample ? fit_sample_count(rows) : rows;
    const double unit = view->precision == PE_F16    ? 0x1p-11
                        : view->precision == PE_BF16 ? 0x1p-8
                                                     : 0;
    uint64_t column[COLUMNS_MOST];
    bool sine[COLUMNS_MOST + 1];
    const size_t columns = find_columns(candidate, subject, pair, column, sine);

    for (uint64_t i = 0; i < count; i++) {
        if (i % STOP_ROWS == 0 && is_stopped(candidate))
            return false;
        uint64_t at = sample ? fit_sample_row(rows, (size_t)i) : i;
        double position = (float)angles_position(candidate->angles, at);
        /* The product of two float32 is exact before it is rounded. */
        float angle = (float)(divided ? position / w : position * w);

        for (size_t j = 0; j < columns; j++) {
            double value = wave->amplitude * (sine[j] ? sin(angle) : cos(angle));

            if (!(fabs(view_element(view, at, column[j]) - value) <=
                  tolerance * fabs(wave->amplitude) + unit * fabs(value)))
                return false;
        }
    }
    return true;
}

/* Returns whether all subjects have the columns of a pair by this frequency, or divisor. */
static bool pair_is(const struct candidate *candidate, size_t pair, double w, bool divided)
{
    for (size_t i = 0; i < candidate->claim->subject_count; i++)
        if (!pair_fits(candidate, i, pair, w, divided, true) ||
            !pair_fits(candidate, i, pair, w, divided, false))
            return false;
    return true;
}

static bool pair_explained(const struct candidate *candidate, size_t pair)
{
    const double w = candidate->angles->w[0][pair];

    if (pair_is(candidate, pair, w, false))
        return true; /* the exact frequency, of which only the angle is rounded */
    for (int i = 0; i <= 2 * UNITS; i++) {
        int units = i % 2 == 0 ? i / 2 : -(i + 1) / 2;

        if (pair_is(candidate, pair, stepped(w, units), false) ||
            (w > 0 && pair_is(candidate, pair, stepped(1 / w, units), true)))
            return true;
    }
    return false;
}

bool steps_explain(const struct candidate *candidate)
{
    bool explained = applies(candidate);

    for (size_t i = 0; explained && i < candidate->angles->pairs; i++)
        explained = !is_stopped(candidate) && pair_explained(candidate, i);
    return explained && fit_is_wave(candidate, false);
}
