/* SPDX-License-Identifier: Apache-2.0
 * column_pairs.c - see column_pairs.h. */
#include "core/verify/solve/column_pairs.h"

#include <math.h>
#include <stdlib.h>

#include "core/verify/bound.h"

#define OF_ROW 4.0      /* operations to compare the lengths of a pair in a row */
#define OF_PRODUCTS 8.0 /* steps by which products and sums of a turn are off at most */
#define TELLING 64.0    /* a pair tells its partner that turns by so many times the slack */

/* A column that does not turn is a copy to within this: numbers of 16 bits may have passed
 * through float32. */
static const double same = 1e-6;

static double before(const struct column_sample *sample, size_t col, size_t row)
{
    return sample->vector[col * sample->rows + row];
}

static double after(const struct column_sample *sample, size_t col, size_t row)
{
    return column_sample_at(sample, sample->subject, col)[row] / fabs(sample->wave->amplitude);
}

/* Returns whether both columns have the length after the turn that they had before. */
static bool is_pair(const struct column_sample *sample, size_t one, size_t other)
{
    for (size_t i = 0; i < sample->rows; i++) {
        const double was = hypot(before(sample, one, i), before(sample, other, i));
        const double is = hypot(after(sample, one, i), after(sample, other, i));

        sample->base->claim->operations += OF_ROW;
        if (!(fabs(was - is) <= 2 * sample->slack[i]))
            return false;
    }
    return true;
}

static size_t kind_of(const struct column_sample *sample, size_t col)
{
    bool zero = true, empty = true, kept = true;

    for (size_t i = 0; i < sample->rows; i++) {
        const double was = before(sample, col, i);
        const double is = column_sample_at(sample, sample->subject, col)[i];

        zero = zero && is == 0;
        empty = empty && was == 0;
        kept = kept && fabs(is - was) <= same * fabs(was);
    }
    return zero && !empty ? COLUMN_ZERO : kept ? COLUMN_SAME : COLUMN_ALONE;
}

bool column_pairs_find(struct column_pairs *pairs, struct column_sample *sample,
                       const struct column_list *list)
{
    const bool *wrong = sample->wrong + sample->subject * sample->cols;

    pairs->partner = claim_memory(sample->base->claim, sample->cols, sizeof *pairs->partner);
    if (!pairs->partner)
        return false;
    for (size_t i = 0; i < sample->cols; i++)
        pairs->partner[i] = kind_of(sample, i);
    for (size_t i = 0; i < list->count; i++) {
        const size_t one = list->at[i].one, other = list->at[i].other;

        if ((!wrong[one] && !wrong[other]) ||
            (pairs->partner[one] == COLUMN_ALONE && pairs->partner[other] == COLUMN_ALONE &&
             is_pair(sample, one, other))) {
            pairs->partner[one] = other;
            pairs->partner[other] = one;
        }
    }
    for (size_t one = 0; one < sample->cols && !column_sample_is_spent(sample); one++)
        for (size_t other = one + 1;
             pairs->partner[one] == COLUMN_ALONE && other < sample->cols; other++)
            if (pairs->partner[other] == COLUMN_ALONE && is_pair(sample, one, other)) {
                pairs->partner[one] = other;
                pairs->partner[other] = one;
            }
    return true;
}

void column_pairs_fini(struct column_pairs *pairs)
{
    free(pairs->partner);
}

void column_pairs_turn(struct column_sample *sample, size_t one, size_t other)
{
    const enum pe_dtype precision = sample->base->view[sample->subject].precision;
    const double direction = sample->wave->inverse ? -1 : 1;

    for (size_t i = 0; i < sample->rows; i++) {
        const double a = before(sample, one, i), b = before(sample, other, i);
        const double c = after(sample, one, i), d = after(sample, other, i);
        const double square = a * a + b * b;

        sample->cosine[i] = square > 0 ? (a * c + b * d) / square : NAN;
        sample->sine[i] = square > 0 ? direction * (a * d - b * c) / square : NAN;
        sample->noise[i] =
            square > 0 ? OF_PRODUCTS * bound_step(precision, sqrt(square)) / sqrt(square) : 1;
    }
}

bool column_pairs_is_vague(const struct column_sample *sample, const struct turn_reader *reader,
                           size_t pair)
{
    for (size_t i = 0; i < sample->rows; i++)
        if (fabs(reader->theta[i * reader->pairs + pair]) > TELLING * sample->slack[i])
            return false;
    return true;
}
