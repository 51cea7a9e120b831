/* SPDX-License-Identifier: Apache-2.0
 * near.c - see near.h. Distances are told in shares of the size that numbers have there: the
 * amplitude of cosines and sines, the length of a pair that turns, a frequency itself, a bias
 * itself where it grows with the distance, and elsewhere the largest number of the row or of
 * the column, whichever is less: a wrong number is not near because others are large. */
#include "core/verify/judge/near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/fit.h"

enum { PARTS = 4 }; /* of the positions, whose distances are compared */
enum { FEW = 4 };   /* rows that show numbers which are far */

static const double close_most = 1e-3;
/* At position p the angle of a frequency is off by p times as much. */
static const double frequency_most = 1e-5;
/* A bias near 0 is as large as this share of its row at least. */
static const double bias_least = 1e-3;
/* CUDA's __sinf and __cosf are off by 2^-21.2 at most within a turn, others by three times
 * that. */
static const double fast_most = 0x1.4p-20;
/* Distances that do not grow may be larger by chance in the last part. */
static const double growth_most = 2;

struct measured {
    const struct candidate *base;
    const struct pe_verify_tolerance *tolerance;
    double most;                     /* the largest distance, as a share of the size, */
    double beyond;                   /* and of what is beyond the bound of rounding */
    double sum[PARTS], count[PARTS]; /* of what is beyond, by parts of the positions */
    bool holds;                      /* the tolerance, so far */
    bool far;                        /* a row is so far that the numbers are not near */
    struct row_buffer column;        /* the largest number of each column; of the first subject,
                                      * where it has no waves */
    struct row_buffer size;          /* of the numbers of a row */
};

/* Returns the absolute value of a number, 0 of one that stands for infinity. */
static double size_of(double number)
{
    return fabs(number) < 1e30 ? fabs(number) : 0;
}

/* Gives the columns of each pair its length; the columns that do not turn have their own. */
static void size_turn(const struct wave *wave, const struct fit_row *row, double *size)
{
    for (uint64_t i = 0; i < row->cols; i++)
        size[i] = size_of(row->expected[i]);
    for (size_t pair = 0; pair < wave_turning(wave); pair++) {
        size_t a, b;

        wave_turned(wave, pair, &a, &b);
        size[a] = size[b] = hypot(row->expected[a], row->expected[b]);
    }
}

/* Returns whether biases are made from distances, and not read from a table. */
static bool is_of_distances(const struct candidate *base)
{
    for (size_t i = 0; i < base->enc->param_count; i++)
        if (base->enc->params[i].type == PE_TENSOR)
            return false;
    return base->enc->family == PE_BIAS;
}

/* Writes the size that numbers have at each place of a row. */
static void size_row(const struct measured *measured, const struct fit_row *row, double *size)
{
    const struct candidate *base = measured->base;
    const struct wave *wave = &base->wave[row->subject];
    const bool distances = is_of_distances(base), columns = row->subject == 0;
    double most = 0;

    if (wave->kind == WAVE_TURN) {
        size_turn(wave, row, size);
        return;
    }
    for (uint64_t i = 0; i < row->cols; i++)
        most = fmax(most, size_of(row->expected[i]));
    for (uint64_t i = 0; i < row->cols; i++)
        if (wave->kind == WAVE_COLUMNS)
            size[i] = fabs(wave->amplitude);
        else if (wave->kind == WAVE_FREQUENCIES)
            size[i] = size_of(row->expected[i]);
        else if (distances)
            size[i] = fmax(size_of(row->expected[i]), bias_least * most);
        else
            size[i] = columns ? fmin(most, measured->column.at[i]) : most;
}

/* Notes the largest number of each column of the first subject. */
static bool note_columns(void *context, const struct fit_row *row)
{
    struct measured *measured = context;

    for (uint64_t i = 0; row->subject == 0 && i < row->cols; i++)
        measured->column.at[i] = fmax(measured->column.at[i], size_of(row->expected[i]));
    return row->subject == 0;
}

/* Returns the part of all positions in which a row lies. */
static size_t part_of(const struct candidate *base, const struct fit_row *row)
{
    const struct view *view = &base->view[row->subject];
    const bool turned = base->wave[row->subject].kind == WAVE_TURN;
    const size_t axis = turned           ? base->wave[row->subject].seq_axis
                        : view->rank > 1 ? view->rank - 2
                                         : 0;
    const uint64_t places = view->rank > 1 ? view->dims[axis] : 1;
    const uint64_t place =
        turned ? candidate_place(base, row->subject, row->number) : row->number % places;

    return places < PARTS ? 0 : (size_t)(place * PARTS / places);
}

/* Adds an element that is not the claim's: its size, how far it is, and by how much that is
 * more than rounding explains. */
static void add_element(struct measured *measured, size_t part, double size, double distance,
                        double bound)
{
    const double beyond = distance <= bound ? 0 : distance - bound;

    if (distance > measured->most * size)
        measured->most = size > 0 ? distance / size : INFINITY;
    if (!(beyond <= measured->beyond * size))
        measured->beyond = size > 0 && isfinite(beyond) ? beyond / size : INFINITY;
    measured->sum[part] += beyond > 0 && size > 0 ? beyond / size : 0;
}

/* Adds a row; returns whether the numbers may still be near. */
static bool add_row(void *context, const struct fit_row *row)
{
    struct measured *measured = context;
    const struct pe_verify_tolerance *tolerance = measured->tolerance;
    const size_t part = part_of(measured->base, row);

    size_row(measured, row, measured->size.at);
    measured->count[part] += (double)row->cols;
    for (uint64_t i = 0; i < row->cols; i++) {
        const double expected = row->expected[i], distance = fabs(expected - row->data[i]);

        if (expected == row->data[i])
            continue;
        if (!tolerance || !isfinite(distance) ||
            distance > tolerance->atol + tolerance->rtol * fabs(expected))
            measured->holds = false;
        add_element(measured, part, measured->size.at[i], distance, row->bound[i]);
    }
    return measured->holds || measured->beyond <= close_most;
}

/* Adds a few rows; returns whether there are more of them, and none was far. */
static bool add_few(void *context, const struct fit_row *row)
{
    struct measured *measured = context;

    if (row->number == FEW)
        return false;
    measured->far = !add_row(measured, row);
    return !measured->far;
}

/* Returns whether the first rows are far even where columns have no size, which is found in all
 * rows. */
static bool is_far(struct measured measured)
{
    for (size_t i = 0; i < measured.column.capacity; i++)
        measured.column.at[i] = INFINITY;
    (void)fit_each_row(measured.base, add_few, &measured);
    memset(measured.column.at, 0, measured.column.capacity * sizeof *measured.column.at);
    return measured.far;
}

/* Returns whether distances are as large at the first positions as at the last. Of few rows it
 * cannot be told. */
static bool is_level(const struct measured *measured)
{
    const size_t last = PARTS - 1;

    if (measured->count[last] == 0)
        return false;
    return measured->sum[last] * measured->count[0] <=
           growth_most * measured->sum[0] * measured->count[last];
}

/* Returns whether all outputs are real numbers, and all of them frequencies, or waves. */
static bool is_all(const struct candidate *base,
                   bool (*is)(const struct candidate *base, size_t subject))
{
    for (size_t i = 0; i < base->claim->subject_count; i++)
        if (!is(base, i))
            return false;
    return true;
}

static bool is_real(const struct candidate *base, size_t subject)
{
    return base->tensor[subject]->output->natural <= PE_BF16;
}

static bool is_frequency(const struct candidate *base, size_t subject)
{
    return base->wave[subject].kind == WAVE_FREQUENCIES;
}

static bool is_columns(const struct candidate *base, size_t subject)
{
    return base->wave[subject].kind == WAVE_COLUMNS;
}

struct near near_measure(const struct candidate *base,
                         const struct pe_verify_tolerance *tolerance)
{
    struct measured measured = {.base = base, .tolerance = tolerance, .holds = tolerance};
    struct near near = {.digits = 0};
    const struct row_buffer memory = row_buffer_new(2 * base->widest, &base->claim->failed);

    if (!memory.at)
        return near;
    measured.column = row_buffer_part(memory, 0, base->widest);
    measured.size = row_buffer_part(memory, base->widest, base->widest);
    memset(memory.at, 0, 2 * base->widest * sizeof *memory.at);
    const bool columns = base->wave[0].kind == WAVE_NONE && !is_of_distances(base);
    const bool far = columns && is_far(measured);
    if (columns && !far)
        (void)fit_each_row(base, note_columns, &measured);
    const bool measured_all = !far && fit_each_row(base, add_row, &measured);
    free(memory.at);
    if (!measured_all)
        return near;
    near.holds = measured.holds;
    near.fast = measured.beyond <= fast_most && is_all(base, is_columns);
    const bool frequencies = is_all(base, is_frequency);
    near.close = measured.beyond <= (frequencies ? frequency_most : close_most) &&
                 is_all(base, is_real) && base->enc->family != PE_MASK &&
                 (frequencies || is_level(&measured));
    near.digits = measured.most > 0 ? (int)fmax(0, floor(-log10(2 * measured.most))) : 0;
    return near;
}
