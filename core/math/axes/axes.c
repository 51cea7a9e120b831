/* SPDX-License-Identifier: Apache-2.0
 * axes.c - fills tables of rotations by several coordinates: the waves of each pair by its own
 * coordinate, or of the sum of exact phases where a pair turns by all of them. */
#include "core/math/axes/axes.h"

#include <math.h>
#include <string.h>

#include "core/math/rotation/rotation_profile.h"
#include "core/math/trig/angle.h"
#include "core/math/trig/phase_row.h"

/* ---- one axis a pair ----------------------------------------------------------------- */

/* Returns the coordinate that the rotation reads. Exact frequencies include the scale
 * already. */
static double coordinate(const struct axes *axes, size_t axis, const struct axes_place *place)
{
    return axes->rotation->angle == ROTATION_EXACT
               ? place->number[axis]
               : axes_points_scaled(&axes->points, axis, place->number[axis]);
}

/* Returns a + b, with the error of the sum of the high parts (Knuth). */
static struct dd plus(struct dd a, struct dd b)
{
    const double sum = a.hi + b.hi, part = sum - a.hi;
    const double rest = (a.hi - (sum - part)) + (b.hi - part) + (a.lo + b.lo);
    const double hi = sum + rest;

    return (struct dd){hi, (sum - hi) + rest};
}

/* Writes the waves of a sum of angles: from the sum of their phases or, near zero, where phases
 * have too few bits, from the angle itself. */
static void sum_waves(phase_t phase, struct dd angle, double amplitude, double *sine,
                      double *cosine)
{
    if (fabs(angle.hi) < 0x1p-50) { /* sin x = x to x^3, far below the last bit */
        *sine = amplitude * angle.hi;
        *cosine = amplitude;
        return;
    }
    phase_sincos(phase, sine, cosine);
    *sine *= amplitude;
    *cosine *= amplitude;
}

/* Evaluate pairs at a number that is no double. */
static void rest_row(const struct phase_freq *freq, size_t count, double number, double rest,
                     double amplitude, double *sine, double *cosine)
{
    for (size_t j = 0; j < count; j++) {
        const struct dd angle = plus(angle_at(&freq[j], number), angle_at(&freq[j], rest));

        sum_waves(phase_at(&freq[j], number) + phase_at(&freq[j], rest), angle, amplitude,
                  &sine[j], &cosine[j]);
    }
}

/* Evaluate pairs [low, high), one run of pairs of the same axis at a time; pair `low` is stored
 * first. */
static void axial_row(const struct axes *axes, const struct axes_place *place, size_t low,
                      size_t high, double *sine, double *cosine)
{
    const struct rotation *rotation = axes->rotation;

    for (size_t first = low, end; first < high; first = end) {
        const size_t axis = axes->axis[first];
        const double at = coordinate(axes, axis, place);

        for (end = first + 1; end < high && axes->axis[end] == axis;)
            end++;
        if (rotation->angle == ROTATION_EXACT && place->rest[axis] != 0)
            rest_row(rotation->table->freq + first, end - first, at, place->rest[axis],
                     rotation->amplitude, sine + (first - low), cosine + (first - low));
        else if (rotation->angle == ROTATION_EXACT)
            phase_row(rotation->table->freq + first, end - first, at, rotation->amplitude,
                      sine + (first - low), cosine + (first - low));
        else
            rotation_profile_row(rotation, first, end - first, at, sine + (first - low),
                                 cosine + (first - low));
    }
}

/* ---- every axis in every pair -------------------------------------------------------- */

/* Returns the angle of a pair, a sum of double-doubles. */
static struct dd dense_angle(const struct axes *axes, const struct axes_place *place,
                             size_t pair)
{
    struct dd sum = {0, 0};

    for (size_t a = 0; a < axes->points.axes; a++) {
        const size_t at = a * axes->pairs + pair;

        sum = plus(sum, angle_at(&axes->rotation->table->freq[at],
                                 place->number[a] * (double)axes->sign[at]));
    }
    return sum;
}

/* Where one coordinate is not 0, the result is as exact as on one axis. Otherwise phases are
 * added or, near zero, where they have too few bits, angles. */
static void dense_waves(const struct axes *axes, const struct axes_place *place, size_t pair,
                        double *sine, double *cosine)
{
    const struct phase_freq *freq = axes->rotation->table->freq;
    const struct dd angle = dense_angle(axes, place, pair);
    const double amplitude = axes->rotation->amplitude;
    size_t turning = 0, last = pair;
    double at = 0;
    phase_t phase = 0;

    for (size_t a = 0; a < axes->points.axes; a++) {
        const size_t i = a * axes->pairs + pair;
        const double number = place->number[a] * (double)axes->sign[i];

        if (number == 0)
            continue;
        turning++;
        last = i;
        at = number;
        phase += phase_at(&freq[i], number);
    }
    if (turning <= 1)
        phase_sincos_scaled(&freq[last], at, amplitude, sine, cosine);
    else
        sum_waves(phase, angle, amplitude, sine, cosine);
}

static void dense_row(const struct axes *axes, const struct axes_place *place, size_t low,
                      size_t high, double *sine, double *cosine)
{
    for (size_t pair = low; pair < high; pair++)
        dense_waves(axes, place, pair, &sine[pair - low], &cosine[pair - low]);
}

/* ---- tables -------------------------------------------------------------------------- */

/* Evaluate pairs [low, high); pair `low` is stored at sine[0] and cosine[0]. */
static void pair_row(const struct axes *axes, const struct axes_place *place, size_t low,
                     size_t high, double *sine, double *cosine)
{
    if (axes->axis)
        axial_row(axes, place, low, high, sine, cosine);
    else
        dense_row(axes, place, low, high, sine, cosine);
}

void axes_waves(const struct axes *axes, const struct axes_place *place, size_t low,
                size_t high, double *cosine, double *sine)
{
    if (low < high)
        pair_row(axes, place, low, high, sine + low, cosine + low);
}

void axes_row(const struct axes *axes, uint64_t row, size_t low, size_t high, double *cosine,
              double *sine)
{
    struct axes_place place;

    axes_points_at(&axes->points, row, &place);
    pair_row(axes, &place, low, high, sine, cosine);
}

/* Evaluate the pairs that columns [0, cols) of `column` show, each stored at the index of its
 * pair. */
static void wave_row(const struct axes *axes, uint64_t row, const uint32_t *column,
                     uint64_t cols, double *sine, double *cosine)
{
    size_t low = axes->pairs, high = 0;

    for (uint64_t c = 0; c < cols; c++) {
        low = column[c] < low ? column[c] : low;
        high = column[c] + 1 > high ? column[c] + 1 : high;
    }
    if (low < high)
        axes_row(axes, row, low, high, cosine + low, sine + low);
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct axes *axes = state;
    double *sine = scratch, *cosine = sine + axes->pairs;
    const uint32_t *column = axes->column + rect->col;

    for (uint64_t r = 0; r < rect->rows; r++) {
        wave_row(axes, rect->row + r, column, rect->cols, sine, cosine);
        for (uint64_t c = 0; out[0] && c < rect->cols; c++)
            out[0][r * rect->cols + c] = cosine[column[c]];
        for (uint64_t c = 0; out[1] && c < rect->cols; c++)
            out[1][r * rect->cols + c] = sine[column[c]];
    }
}

double axes_cost(const struct axes *axes)
{
    if (axes->axis)
        return axes_points_are_whole(&axes->points) ? 12 : 60;
    return 30 + 40 * (double)axes->points.axes;
}

static size_t scratch_of(const void *state, uint64_t elements)
{
    const struct axes *axes = state;

    return 2 * axes->pairs * sizeof(double);
}

static double cost_of(const void *state, enum pe_dtype dtype)
{
    return axes_cost(state);
}

const struct pe_filler axes_filler = {
    .reference = fill, .scratch = scratch_of, .cost = cost_of};

static void fill_both(const void *state, const struct pe_rect *rect, double *const out[],
                      const void *const input[], void *scratch)
{
    const struct axes *axes = state;
    double *sine = scratch, *cosine = sine + axes->pairs;

    for (uint64_t r = 0; out[0] && r < rect->rows; r++) {
        wave_row(axes, rect->row + r, axes->column, axes->cols, sine, cosine);
        for (uint64_t c = 0; c < rect->cols; c++) {
            const uint64_t at = rect->col + c;

            out[0][r * rect->cols + c] = at < axes->cols
                                             ? sine[axes->column[at]]
                                             : cosine[axes->column[at - axes->cols]];
        }
    }
}

/* Either half of a row evaluates all pairs of the row. */
static double cost_of_both(const void *state, enum pe_dtype dtype)
{
    const struct axes *axes = state;

    return axes_cost(axes) * (1 + (double)axes->cols / 4096);
}

const struct pe_filler axes_both_filler = {
    .reference = fill_both, .scratch = scratch_of, .cost = cost_of_both};

/* ---- angles and coordinates ---------------------------------------------------------- */

double axes_angle(const struct axes *axes, const struct axes_place *place, size_t pair)
{
    const struct rotation *rotation = axes->rotation;
    struct dd angle;
    double at;

    if (!axes->axis) {
        angle = dense_angle(axes, place, pair);
        return angle.hi + angle.lo;
    }
    at = coordinate(axes, axes->axis[pair], place);
    switch (rotation->angle) {
    case ROTATION_F64:
        return at * rotation->f64[pair];
    case ROTATION_F32_TIMES:
    case ROTATION_F32_OVER:
        return (double)rotation_profile_angle(rotation, pair, at);
    case ROTATION_EXACT:
    case ROTATION_F32_CHAIN:
        break;
    }
    angle = plus(angle_at(&rotation->table->freq[pair], at),
                 angle_at(&rotation->table->freq[pair], place->rest[axes->axis[pair]]));
    return angle.hi + angle.lo;
}

static void fill_angles(const void *state, const struct pe_rect *rect, double *const out[],
                        const void *const input[], void *scratch)
{
    const struct axes *axes = state;
    struct axes_place place;

    for (uint64_t r = 0; out[0] && r < rect->rows; r++) {
        axes_points_at(&axes->points, rect->row + r, &place);
        for (uint64_t c = 0; c < rect->cols; c++)
            out[0][r * rect->cols + c] = axes_angle(axes, &place, (size_t)(rect->col + c));
    }
}

const struct pe_filler axes_angle_filler = {.reference = fill_angles, .ns_per_element = 4};

static void fill_coordinates(const void *state, const struct pe_rect *rect, double *const out[],
                             const void *const input[], void *scratch)
{
    const struct axes *axes = state;
    struct axes_place place;

    for (uint64_t r = 0; out[0] && r < rect->rows; r++) {
        axes_points_at(&axes->points, rect->row + r, &place);
        for (uint64_t c = 0; c < rect->cols; c++) {
            const size_t axis = (size_t)(rect->col + c);

            out[0][r * rect->cols + c] =
                axes_points_scaled(&axes->points, axis, place.number[axis]);
        }
    }
}

const struct pe_filler axes_coordinate_filler = {.reference = fill_coordinates,
                                                 .ns_per_element = 4};
