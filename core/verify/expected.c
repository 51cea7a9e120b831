/* SPDX-License-Identifier: Apache-2.0
 * expected.c - makes a row from its angles, or from the plan, and moves and changes its
 * numbers as mistakes do. */
#include "core/verify/expected.h"

#include <assert.h>
#include <stdlib.h>

#include "core/verify/bound.h"
#include "core/verify/cost.h"
#include "core/verify/map.h"

/* Writes the row, and in the candidate's scratch its angles and vector where it has them; for
 * bounds, the slack of the angles too. */
static void made_row(const struct candidate *candidate, size_t subject, uint64_t row,
                     struct row_buffer expected, bool bounds)
{
    const struct wave *wave = &candidate->wave[subject];
    const uint64_t cols = candidate_cols(candidate, subject);
    const bool spared = candidate->plain && candidate->spared >> subject & 1;
    const struct angles *angles = spared ? candidate->plain : candidate->angles;
    const bool turns = wave->kind == WAVE_COLUMNS || wave->kind == WAVE_TURN;

    if (turns && bounds)
        angles_slack(angles, candidate_place(candidate, subject, row), candidate->slack);
    if (turns)
        angles_row(angles, candidate_place(candidate, subject, row), candidate->theta);
    if (wave->kind == WAVE_TURN)
        view_row(&wave->vectors, row, candidate->vector);
    if (wave->kind == WAVE_NONE ||
        !candidate->warped) /* all that the plan has: rows of padding */
        candidate_fill(candidate, subject, row, expected);
    else if (wave->kind == WAVE_FREQUENCIES)
        wave_row(wave,
                 (struct angle_row){{candidate->angles->w[0], candidate->angles->w[1]},
                                    candidate->angles->pairs},
                 candidate->vector, cols, expected);
    else
        wave_row(wave, candidate->theta, candidate->vector, cols, expected);
}

/* Returns the row of the claim's numbers that stands in this row. */
static uint64_t source_row(const struct candidate *candidate, size_t subject, uint64_t row)
{
    const uint64_t width = candidate->grid_width, rows = candidate_rows(candidate, subject);

    if (candidate->rows && rows == candidate_rows(candidate, 0))
        return candidate->rows[row];
    if (width == 0 || rows % width != 0)
        return row;
    const uint64_t height = rows / width;
    return row % height * width + row / height;
}

void expected_row(const struct candidate *candidate, size_t subject, uint64_t row,
                  struct row_buffer expected, struct row_buffer bound)
{
    const uint64_t rows = candidate_rows(candidate, subject);

    assert(row < rows && candidate_is_fitted(candidate, subject));
    const uint64_t source = source_row(candidate, subject, row);
    assert(source < rows);
    candidate->claim->operations += cost_of_row(candidate, subject);
    made_row(candidate, subject, source, expected, bound.at != NULL);
    if (bound.at)
        bound_row(candidate, subject, expected, bound);
    map_columns(candidate, subject, expected);
    if (bound.at)
        map_columns(candidate, subject, bound);
    for (uint64_t col = 0; candidate->blank && candidate->wave[subject].kind != WAVE_NONE &&
                           col < candidate_cols(candidate, subject);
         col++)
        expected.at[col] = candidate->blank[col] ? 0 : expected.at[col];
    if (candidate->map != MAP_NONE)
        map_row(candidate, subject, row, expected, bound);
}
