/* SPDX-License-Identifier: Apache-2.0
 * expected.c - makes a row from its angles, or from the plan, and moves and changes its
 * numbers as mistakes do. */
#include "core/verify/expected.h"

#include <stdlib.h>

#include "core/verify/bound.h"
#include "core/verify/map.h"

/* Scratch of a row: angles of cosines, of sines, and the vector that they turn. */
static double *theta_of(const struct candidate *candidate, size_t subject, uint64_t place,
                        double *theta[2])
{
    const bool spared = candidate->plain && candidate->spared >> subject & 1;

    theta[0] = candidate->row;
    theta[1] = candidate->row + candidate->angles->pairs;
    angles_row(spared ? candidate->plain : candidate->angles, place, theta);
    return theta[1] + candidate->angles->pairs;
}

/* Write the row, and its angles and vector where it has them (NULL: it has none). */
static void made_row(const struct candidate *candidate, size_t subject, uint64_t row,
                     double *expected, double *theta[2], double **vector)
{
    const struct wave *wave = &candidate->wave[subject];

    *vector = NULL;
    if (wave->kind == WAVE_COLUMNS || wave->kind == WAVE_TURN)
        *vector = theta_of(candidate, subject, candidate_place(candidate, subject, row), theta);
    if (wave->kind == WAVE_TURN)
        view_row(&wave->vectors, row, *vector);
    if (wave->kind == WAVE_NONE ||
        !candidate->warped) /* all that the plan has: rows of padding */
        candidate_fill(candidate, subject, row, expected);
    else if (wave->kind == WAVE_FREQUENCIES)
        wave_row(wave, candidate->angles->w, NULL, candidate_cols(candidate, subject),
                 expected);
    else
        wave_row(wave, theta, *vector, candidate_cols(candidate, subject), expected);
}

/* Return the row of the claim's numbers that stands in this row. */
static uint64_t source_row(const struct candidate *candidate, size_t subject, uint64_t row)
{
    const uint64_t width = candidate->grid_width, rows = candidate_rows(candidate, subject);

    if (candidate->rows)
        return candidate->rows[row];
    if (width == 0 || rows % width != 0)
        return row;
    const uint64_t height = rows / width;
    return row % height * width + row / height;
}

void expected_row(const struct candidate *candidate, size_t subject, uint64_t row,
                  double *expected, double *bound)
{
    double *theta[2], *vector;

    made_row(candidate, subject, source_row(candidate, subject, row), expected, theta, &vector);
    if (bound)
        bound_row(candidate, subject, theta, vector, expected, bound);
    map_columns(candidate, subject, expected);
    if (bound)
        map_columns(candidate, subject, bound);
    if (candidate->map != MAP_NONE)
        map_row(candidate, subject, row, expected);
}
