/* SPDX-License-Identifier: Apache-2.0
 * mistake_arithmetic.c - arithmetics that lose digits on the way: frequencies that are
 * multiplied one after the other, angles that are reduced by a rounded period. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/verify/expected.h"
#include "core/verify/mistake/mistakes.h"

static const double two_pi = 6.28318530717958647692;

static struct candidate *warp(const struct candidate *base)
{
    struct candidate *made = candidate_copy(base);

    if (made)
        made->warped = true;
    return made;
}

/* Each frequency is the one before it times the ratio, or divided by its inverse. */
struct candidate *mistake_arithmetic_accumulated(const struct candidate *base, size_t variant)
{
    static const struct {
        enum angles_rounding dtype;
        const char *name;
    } dtypes[] = {{ANGLES_F16, "float16"}, {ANGLES_BF16, "bfloat16"}, {ANGLES_F32, "float32"}};
    const size_t count = sizeof dtypes / sizeof *dtypes;
    const enum angles_rounding to = dtypes[variant % count].dtype;
    const double ratio = base->angles ? mistake_angle_ratio(base->angles) : NAN;
    struct candidate *made = isnan(ratio) ? NULL : warp(base);
    const double step = angles_round(to, variant < count ? ratio : 1 / ratio);

    for (size_t part = 0; made && part < 2; part++) {
        double *w = made->angles->w[part];

        w[0] = angles_round(to, w[0]);
        for (size_t i = 1; i < made->angles->pairs; i++)
            w[i] = angles_round(to, variant < count ? w[i - 1] * step : w[i - 1] / step);
    }
    mistakes_tell(made, dtypes[variant % count].name, "a power of each index");
    return made;
}

/* ---- angles that are reduced ------------------------------------------------------------- */

/* Returns the largest angle of the last row. */
static double largest_angle(const struct candidate *base)
{
    double largest = 0;

    angles_row(base->angles, base->angles->rows - 1, base->theta);
    for (size_t i = 0; i < base->angles->pairs; i++)
        largest = fmax(largest, fabs(base->theta.at[0][i]));
    return largest;
}

/* Returns how far the last row of the first tensor is. */
static double last_distance(const struct candidate *made)
{
    const uint64_t row = candidate_rows(made, 0) - 1, cols = candidate_cols(made, 0);
    struct row_buffer expected = row_buffer_new(cols, &made->claim->failed);
    double sum = 0;

    if (!expected.at)
        return INFINITY;
    expected_row(made, 0, row, expected, (struct row_buffer){.at = NULL});
    for (uint64_t col = 0; col < cols; col++)
        sum += fabs(expected.at[col] - view_element(&made->view[0], row, col));
    free(expected.at);
    return sum;
}

/* Returns period number `i`: 2 pi of so many decimals, twice pi of so many, 2 * 22 / 7, and in
 * the narrow dtypes; 0: no more. */
static double period_of(size_t i)
{
    enum { DECIMALS = 6 };
    const double tens = pow(10, (double)(i / 2 + 1));

    if (i < 2 * DECIMALS)
        return i % 2 == 0 ? nearbyint(two_pi * tens) / tens
                          : 2 * nearbyint(two_pi / 2 * tens) / tens;
    return i == 2 * DECIMALS       ? 44.0 / 7
           : i == 2 * DECIMALS + 1 ? angles_round(ANGLES_F16, two_pi)
           : i == 2 * DECIMALS + 2 ? angles_round(ANGLES_BF16, two_pi)
                                   : 0;
}

struct candidate *mistake_arithmetic_wrapped(const struct candidate *base, size_t variant)
{
    double best = 0, nearest = INFINITY;
    char text[CANDIDATE_TEXT];

    if (!base->angles || base->angles->rows == 0 || candidate_rows(base, 0) == 0 ||
        base->wave[0].kind == WAVE_NONE || base->wave[0].kind == WAVE_FREQUENCIES ||
        base->angles->period != 0 || !(largest_angle(base) >= 2 * two_pi))
        return NULL;
    struct candidate *made = warp(base);
    for (size_t i = 0; made && period_of(i) > 0; i++) {
        made->angles->period = period_of(i);
        const double distance = last_distance(made);

        if (distance < nearest) {
            nearest = distance;
            best = period_of(i);
        }
    }
    if (made)
        made->angles->period = best;
    snprintf(text, sizeof text, "%.7g", best);
    mistakes_tell(made, text, "2 pi");
    return made;
}
