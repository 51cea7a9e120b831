/* SPDX-License-Identifier: Apache-2.0
 * bound.c - how far the rounding of float32 and of a dtype may move a number. */
#include "core/verify/bound.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double unit = 0x1p-24; /* half a unit in the last place of float32 at 1 */

/* How fine the numbers of a dtype are. */
struct digits {
    double last, least; /* the last bit of a number in [1, 2), and the least number */
};

static struct digits digits_of(enum pe_dtype dtype)
{
    return dtype == PE_F16    ? (struct digits){0x1p-10, 0x1p-24}
           : dtype == PE_BF16 ? (struct digits){0x1p-7, 0x1p-149}
                              : (struct digits){0x1p-23, 0x1p-149};
}

/* Returns the largest power of two that a number is not below; 0 for the least ones. */
static double power_below(double number)
{
    uint64_t bits;

    memcpy(&bits, &number, sizeof bits);
    bits &= UINT64_C(0x7ff0000000000000);
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Returns half a step of the dtype at a number, a little more where the number was rounded to
 * float32 before. */
static double half_step(struct digits digits, double number)
{
    const double step = power_below(number) * digits.last;
    const double half = 0.5 * (step > digits.least ? step : digits.least);

    return isfinite(number) ? half + unit * fabs(number) : 0;
}

double bound_step(enum pe_dtype precision, double number)
{
    return half_step(digits_of(precision), number);
}

/* float32's angles are wrong by some units of the angle: measured at up to 7 units for rotary
 * tables, 11 for sinusoids. Beyond `most` only a named profile says that numbers are right. */
double bound_angle(const struct candidate *candidate, double theta, bool sine)
{
    const double units = candidate->enc->family == PE_ROTARY ? 8 : 12, most = 2e-2;
    const double size = fabs(theta);
    const double error = units * unit * (size + (sine && size < 1 ? size : 1));

    return error < most ? error : most;
}

static void bound_columns(const struct candidate *candidate, size_t subject,
                          const double *expected, double *bound)
{
    const struct wave *wave = &candidate->wave[subject];
    double *const *theta = candidate->theta.at;
    const struct digits digits = digits_of(candidate->view[subject].precision);
    bool sine;

    for (uint64_t col = 0; col < candidate_cols(candidate, subject); col++) {
        size_t pair = wave_pair(wave, col, &sine);

        bound[col] = fabs(wave->amplitude) * (bound_angle(candidate, theta[sine][pair], sine) +
                                              candidate->slack.at[sine][pair]) +
                     half_step(digits, expected[col]);
    }
}

/* Where the rounding of a table has a step, the error of an angle decides on which side of it a
 * cosine or a sine is: returns how far both may be from another. */
static double table_error(const struct wave *wave, double cosine, double sine, double error)
{
    const double numbers[] = {cosine, sine};
    double moved = 0;

    for (size_t i = 0; i < 2 && wave->rounding != ANGLES_REAL; i++)
        moved +=
            wave_rounded(wave, numbers[i] + error) - wave_rounded(wave, numbers[i] - error);
    return moved;
}

/* A pair of a turn: its columns, the size of its numbers, and how far its bounds are. */
struct turned {
    size_t a, b;
    double size, bound;
};

/* Each product and sum of a turn is rounded to the dtype of the vectors in some libraries. */
static struct turned bound_pair(const struct candidate *candidate, size_t subject,
                                const struct wave *wave, size_t pair, const double *size)
{
    double *const *theta = candidate->theta.at;
    const double error =
        bound_angle(candidate, theta[0][pair], false) + candidate->slack.at[0][pair];
    struct turned turned;

    wave_turned(wave, pair, &turned.a, &turned.b);
    turned.size = fabs(wave->amplitude) * hypot(size[turned.a], size[turned.b]);
    turned.bound = turned.size * (error + table_error(wave, cos(theta[0][pair]),
                                                      sin(theta[1][pair]), error)) +
                   5 * half_step(digits_of(candidate->view[subject].precision), turned.size);
    return turned;
}

/* A second turn, by the pairs of the other pairing, mixes the errors of the first. */
static void bound_turn(const struct candidate *candidate, size_t subject, double *bound)
{
    const struct wave *wave = &candidate->wave[subject];
    const struct digits digits = digits_of(candidate->view[subject].precision);
    struct wave second = *wave;
    double *size = candidate->vector.at; /* is not needed after this row */

    second.adjacent = !wave->adjacent;
    for (uint64_t col = 0; col < candidate_cols(candidate, subject); col++)
        bound[col] = half_step(digits, size[col]);
    for (size_t pair = 0; pair < wave_turning(wave); pair++) {
        const struct turned turned = bound_pair(candidate, subject, wave, pair, size);

        bound[turned.a] = bound[turned.b] = turned.bound;
        size[turned.a] = size[turned.b] = turned.size;
    }
    for (size_t pair = 0; wave->again && pair < wave_turning(wave); pair++) {
        const struct turned turned = bound_pair(candidate, subject, &second, pair, size);

        bound[turned.a] = bound[turned.b] = bound[turned.a] + bound[turned.b] + turned.bound;
    }
}

/* Returns whether rows are those of tables of the client, which have no angles. */
static bool is_lookup(const struct pe_encoding *enc)
{
    size_t tables = 0, tensors = 0;

    for (size_t i = 0; i < enc->param_count; i++) {
        tensors += enc->params[i].type == PE_TENSOR;
        tables += enc->params[i].table;
    }
    return tables > 0 && tables == tensors;
}

/* Waves whose angles are not known: float32's angles are wrong by up to 1.5 units, measured. */
static bool is_wave(const struct candidate *candidate, const struct pe_output *output)
{
    return output->columns >= PE_COLUMN_PAIRED ||
           (candidate->enc->family == PE_ABSOLUTE && !is_lookup(candidate->enc)) ||
           candidate->enc->family == PE_SPATIAL;
}

/* Returns the largest position that may be an angle: of lists of positions and sides of
 * grids. */
static double largest_angle(const struct candidate *candidate)
{
    const struct pe_encoding *enc = candidate->enc;
    double largest = 40, low, high; /* turns of 2 pi, six of them */

    for (size_t i = 0; i < enc->param_count; i++) {
        const void *field = candidate->args->data + enc->params[i].offset;
        const struct pe_positions *pos =
            enc->params[i].type == PE_POSITIONS ? *(struct pe_positions *const *)field : NULL;
        const struct pe_grid *grid = enc->params[i].type == PE_GRID ? field : NULL;

        if (pos) {
            pe_positions_range(pos, &low, &high);
            largest = fmax(largest, fmax(fabs(low), fabs(high)));
        }
        if (grid)
            largest = fmax(largest, (double)(grid->height + grid->width));
    }
    largest *= candidate->claim->factor;
    return largest < 0x1p17 ? largest : 0x1p17;
}

static double largest_of(const struct claim *claim)
{
    const double largest = fmax(fabs(claim->least), fabs(claim->most));

    return largest < 1e4 ? largest : 0;
}

/* Returns the size of the ids whose difference from the count of tokens an output of one real
 * number is: float32 leaves it the error of the ids, which are about as large as the plan's
 * tokens. 0: it is no such output. */
static double ids_of(const struct candidate *candidate, const struct pe_tensor_info *tensor)
{
    if (candidate->enc->family != PE_INDEX || tensor->rank > 0)
        return 0;
    for (size_t i = 0; i < pe_plan_fact_count(candidate->plan); i++)
        if (strcmp(pe_plan_fact(candidate->plan, i)->name, "tokens") == 0)
            return pe_plan_fact(candidate->plan, i)->number;
    return 0;
}

static void bound_others(const struct candidate *candidate, size_t subject,
                         const double *expected, double *bound)
{
    const struct pe_output *output = candidate->tensor[subject]->output;
    const double ids = ids_of(candidate, candidate->tensor[subject]);
    const uint64_t cols = candidate_cols(candidate, subject);
    const struct digits digits = digits_of(candidate->view[subject].precision);
    const bool whole = output->natural > PE_BF16;
    const double terms = is_wave(candidate, output) ? 2 * (largest_angle(candidate) + 1) : 4;
    double largest = 0;

    if (is_wave(candidate, output))
        largest = 1; /* the angle's error does not shrink where a sine is small */
    else if (candidate->enc->family == PE_BIAS && output->scale != PE_LOGARITHMIC)
        largest = largest_of(candidate->claim); /* of sums the terms are larger */

    for (uint64_t col = 0; col < cols && output->scale != PE_LOGARITHMIC; col++)
        if (fabs(expected[col]) > largest && fabs(expected[col]) < 1e30)
            largest = fabs(expected[col]);
    for (uint64_t col = 0; col < cols; col++) {
        double size = fabs(expected[col]) < 1e30 ? fabs(expected[col]) : 0;

        bound[col] =
            whole || candidate->map == MAP_ALLOWED || candidate->map == MAP_HIDDEN
                ? 0
                : 16 * unit * (size + ids) + terms * unit * largest + half_step(digits, size);
    }
}

void bound_row(const struct candidate *candidate, size_t subject, struct row_buffer expected,
               struct row_buffer bound)
{
    const enum wave_kind kind = candidate->wave[subject].kind;
    const uint64_t cols = candidate_cols(candidate, subject);

    assert(cols <= expected.capacity && cols <= bound.capacity);
    if (kind == WAVE_COLUMNS)
        bound_columns(candidate, subject, expected.at, bound.at);
    else if (kind == WAVE_TURN)
        bound_turn(candidate, subject, bound.at);
    else
        bound_others(candidate, subject, expected.at, bound.at);
}
