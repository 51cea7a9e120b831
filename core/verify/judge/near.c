/* SPDX-License-Identifier: Apache-2.0
 * near.c - see near.h. Distances are told in shares of the size that numbers have there: the
 * amplitude of cosines and sines, the largest number of other rows, a frequency itself. */
#include "core/verify/judge/near.h"

#include <math.h>

#include "core/verify/fit.h"

enum { PARTS = 4 }; /* of the positions, whose distances are compared */

static const double close_most = 1e-3;
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
};

/* Returns the size of a row's numbers. */
static double size_of_row(const struct wave *wave, const struct fit_row *row)
{
    double size = 0;

    if (wave->kind == WAVE_COLUMNS)
        return fabs(wave->amplitude);
    for (uint64_t i = 0; i < row->cols; i++)
        if (fabs(row->expected[i]) < 1e30)
            size = fmax(size, fabs(row->expected[i]));
    return size;
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
    measured->sum[part] += beyond > 0 ? beyond / size : 0;
}

/* Adds a row; returns whether the numbers may still be near. */
static bool add_row(void *context, const struct fit_row *row)
{
    struct measured *measured = context;
    const struct pe_verify_tolerance *tolerance = measured->tolerance;
    const struct wave *wave = &measured->base->wave[row->subject];
    const double size = size_of_row(wave, row);
    const size_t part = part_of(measured->base, row);

    measured->count[part] += (double)row->cols;
    for (uint64_t i = 0; i < row->cols; i++) {
        const double expected = row->expected[i], distance = fabs(expected - row->data[i]);

        if (expected == row->data[i])
            continue;
        if (!tolerance || !isfinite(distance) ||
            distance > tolerance->atol + tolerance->rtol * fabs(expected))
            measured->holds = false;
        add_element(measured, part, wave->kind == WAVE_FREQUENCIES ? fabs(expected) : size,
                    distance, row->bound[i]);
    }
    return measured->holds || measured->beyond <= close_most;
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

    if (!fit_each_row(base, add_row, &measured))
        return near;
    near.holds = measured.holds;
    near.fast = measured.beyond <= fast_most && is_all(base, is_columns);
    near.close = measured.beyond <= close_most && is_all(base, is_real) &&
                 base->enc->family != PE_MASK &&
                 (is_all(base, is_frequency) || is_level(&measured));
    near.digits = measured.most > 0 ? (int)fmax(0, floor(-log10(2 * measured.most))) : 0;
    return near;
}
