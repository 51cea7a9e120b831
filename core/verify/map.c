/* SPDX-License-Identifier: Apache-2.0
 * map.c - what becomes of the numbers of a row after all else, by a mistake of single
 * numbers. */
#include "core/verify/map.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Exchange the halves of each of `parts` equal parts of a row. */
static void exchange_halves(double *row, size_t cols, size_t parts)
{
    const size_t half = cols / parts / 2;

    for (size_t part = 0; part < parts; part++) {
        for (size_t i = part * 2 * half; i < part * 2 * half + half; i++) {
            double kept = row[i];

            row[i] = row[i + half];
            row[i + half] = kept;
        }
    }
}

/* A bucket that is one off, or its bias, counts where its neighbour on that side begins. */
static void move_boundaries(double *row, const double *data, size_t cols)
{
    double before = cols > 0 ? row[0] : 0;

    for (size_t i = 0; i < cols; i++) {
        double own = row[i], after = i + 1 < cols ? row[i + 1] : own;
        double bound = 1e-6 * fabs(data[i]);

        if (fabs(data[i] - before) <= bound)
            row[i] = before;
        else if (fabs(data[i] - after) <= bound)
            row[i] = after;
        before = own;
    }
}

/* Returns what a mask holds where it hides: of truth values the one that does not attend. */
static double hidden_of(const struct candidate *candidate, size_t subject, const double *row,
                        size_t cols)
{
    const char *means = claim_text(candidate->claim, "true_means");
    double least = 0;

    if (strcmp(candidate->tensor[subject]->output->name, "additive") != 0)
        return means && strcmp(means, "attend") != 0;
    for (size_t i = 0; i < cols; i++)
        least = row[i] < least ? row[i] : least;
    return least < 0 ? least : -INFINITY;
}

/* Returns the position of the query of a row, and of a key: numbers of the parameters q and k,
 * or indices where there are none. */
static double query_position(const struct candidate *candidate, size_t subject, uint64_t row)
{
    const struct view *view = &candidate->view[subject];
    const struct pe_positions *q = candidate_positions(candidate, "q");
    const uint64_t query = view->rank > 1 ? row % view->dims[view->rank - 2] : 0;

    return q && query < pe_positions_count(q) ? pe_positions_at(q, query) : (double)query;
}

static double key_position(const struct candidate *candidate, size_t key)
{
    const struct pe_positions *k = candidate_positions(candidate, "k");

    return k && key < pe_positions_count(k) ? pe_positions_at(k, key) : (double)key;
}

/* Hide the key at the query's own position. */
static void hide_own(const struct candidate *candidate, size_t subject, uint64_t row,
                     double *expected, size_t cols)
{
    const double hidden = hidden_of(candidate, subject, expected, cols);
    const double own = query_position(candidate, subject, row);

    for (size_t i = 0; i < cols; i++)
        if (key_position(candidate, i) == own)
            expected[i] = hidden;
}

/* Rounds the numbers of a row; of a bias the distances that they are multiples of. */
static void round_row(const struct candidate *candidate, uint64_t row, double *made,
                      size_t cols)
{
    const enum angles_rounding to = candidate->map == MAP_F32   ? ANGLES_F32
                                    : candidate->map == MAP_F16 ? ANGLES_F16
                                                                : ANGLES_BF16;

    for (size_t i = 0; i < cols; i++) {
        const double distance =
            candidate->enc->family == PE_BIAS
                ? query_position(candidate, 0, row) - key_position(candidate, i)
                : 0;

        if (distance != 0)
            made[i] *= angles_round(to, distance) / distance;
        else if (candidate->enc->family != PE_BIAS)
            made[i] = angles_round(to, made[i]);
    }
}

/* Returns the level that a number is rounded to. */
static double level_of(const struct candidate *candidate, double number)
{
    int exponent;

    if (candidate->cells == 0)
        return nearbyint(number / candidate->shift) * candidate->shift;
    number = frexp(number, &exponent);
    return ldexp(nearbyint(ldexp(number, (int)candidate->cells)),
                 exponent - (int)candidate->cells);
}

/* Rounds numbers to levels; between those of a number less and more its bound the tensor's own
 * are as good, which are levels. */
static void round_to_levels(const struct candidate *candidate, size_t subject, uint64_t row,
                            struct row_buffer to, const double *bound)
{
    const uint64_t cols = candidate_cols(candidate, subject);
    const double *data = candidate->data.at;
    double *made = to.at;

    view_row(&candidate->view[subject], row, candidate->data);

    for (size_t i = 0; i < cols; i++) {
        const double low = level_of(candidate, made[i] - (bound ? bound[i] : 0)),
                     high = level_of(candidate, made[i] + (bound ? bound[i] : 0));

        made[i] = fmin(fmax(data[i], low), high);
    }
}

/* Returns whether the claim's attention_mask says that the token of this row is padding. */
static bool is_padding(const struct candidate *candidate, uint64_t row)
{
    const struct claim *claim = candidate->claim;
    const size_t param = args_find(claim->enc, "attention_mask", strlen("attention_mask"));
    const struct pe_reals *mask =
        (const void *)(claim->args->data + claim->enc->params[param].offset);

    return row < mask->rows * mask->cols && mask->values[row] == 0;
}

/* Writes a row of a mask. */
static void write_seen(const struct candidate *candidate, uint64_t row, double *expected,
                       size_t cols)
{
    const bool *seen = candidate->seen + row % candidate->queries * cols;

    for (size_t i = 0; i < cols; i++)
        expected[i] = seen[i] ? candidate->shown : candidate->hidden;
}

/* Empties a row that the tensor leaves zero. */
static void empty_row(const struct candidate *candidate, size_t subject, uint64_t row,
                      double *expected, size_t cols)
{
    view_row(&candidate->view[subject], row, candidate->data);
    for (size_t i = 0; i < cols; i++)
        if (candidate->data.at[i] != 0)
            return;
    memset(expected, 0, cols * sizeof *expected);
}

void map_row(const struct candidate *candidate, size_t subject, uint64_t row,
             struct row_buffer made, struct row_buffer bound)
{
    const size_t cols = candidate_cols(candidate, subject);
    double *expected = made.at, *data = candidate->data.at;

    assert(cols <= made.capacity);
    switch (candidate->map) {
    case MAP_NONE:
        break;
    case MAP_ALLOWED:
    case MAP_HIDDEN:
        for (size_t i = 0; i < cols; i++)
            expected[i] = (expected[i] == 0) == (candidate->map == MAP_ALLOWED);
        break;
    case MAP_BOUNDARY:
        view_row(&candidate->view[subject], row, candidate->data);
        move_boundaries(expected, data, cols);
        break;
    case MAP_HALVES:
    case MAP_QUARTERS:
        break; /* map_columns has moved them */
    case MAP_STRICT:
        hide_own(candidate, subject, row, expected, cols);
        break;
    case MAP_SHIFT:
        for (size_t i = 0; i < cols; i++)
            expected[i] += candidate->shift;
        break;
    case MAP_STRIDE:
        for (size_t i = 0; i < cols; i++)
            expected[i] += candidate->shift * (double)(i / candidate->cells);
        break;
    case MAP_COUNT:
        for (size_t i = 0; i < cols; i++)
            expected[i] = (double)i;
        break;
    case MAP_F32:
    case MAP_F16:
    case MAP_BF16:
        round_row(candidate, row, expected, cols);
        break;
    case MAP_LEVELS:
        round_to_levels(candidate, subject, row, made, bound.at);
        break;
    case MAP_PADDING:
        assert(cols <= candidate->padding.capacity);
        if (is_padding(candidate, row))
            memcpy(expected, candidate->padding.at, cols * sizeof *expected);
        break;
    case MAP_SEEN:
        write_seen(candidate, row, expected, cols);
        break;
    case MAP_NUMBERS:
        if (subject == 0)
            memcpy(expected, candidate->numbers.at + row * cols, cols * sizeof *expected);
        break;
    case MAP_UNFILLED:
        empty_row(candidate, subject, row, expected, cols);
        break;
    }
}

/* Moves the numbers of a row, or their bounds, to the columns where the candidate has them. */
void map_columns(const struct candidate *candidate, size_t subject, struct row_buffer row)
{
    const size_t cols = candidate_cols(candidate, subject);

    assert(cols <= row.capacity);
    if (candidate->columns && cols == candidate->widest) {
        assert(cols <= candidate->data.capacity);
        memcpy(candidate->data.at, row.at, cols * sizeof *row.at);
        for (size_t i = 0; i < cols; i++)
            row.at[i] = candidate->data.at[candidate->columns[i]];
    }
    if (candidate->map == MAP_HALVES || candidate->map == MAP_QUARTERS)
        exchange_halves(row.at, cols, candidate->map == MAP_HALVES ? 1 : 2);
}
