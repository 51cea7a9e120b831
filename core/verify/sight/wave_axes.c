/* SPDX-License-Identifier: Apache-2.0
 * wave_axes.c - see wave_axes.h. A pair whose angles stay below half a turn says its
 * coordinates up to a factor, which is one where neighbours differ by one. A pair that turns
 * faster says its frequency by rows that are near in a coordinate, then by rows farther
 * apart. */
#include "core/verify/sight/wave_axes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS_MOST = 1 << 19, PARTS = 12 };
enum { NO_AXIS = -1, UNREAD = -2 }; /* of a pair */
#define STILL 1e-12                 /* the angle of a pair that does not turn */
#define NEAR 200                    /* coordinates below it are few enough to be no chance */
#define STRAIGHT 1.5                /* an angle that has surely not come round */
#define WHOLE 0.1        /* how far a coordinate may be from a whole number at most */
#define COORDINATE 65536 /* the largest */
#define OF_ROUNDING 1e-7 /* of an angle that was computed in float32 */
#define OF_ANGLE 60.0    /* operations to read an angle, and to compare it with an axis */

struct place {
    double size;
    size_t row;
};

struct reading {
    struct wave_axes *axes;
    const double *angle; /* a row after the other */
    double *peak;        /* the largest angle of each pair */
    struct place *order; /* scratch: rows by the size of a coordinate */
    double *sorted;      /* scratch: a number a row */
    bool *seen;          /* scratch: a pair each */
    double tolerance;
};

static double wrap(double angle)
{
    const double turn = 2 * 3.14159265358979323846;

    return angle - turn * nearbyint(angle / turn);
}

static double angle_of(const struct reading *reading, size_t row, size_t pair)
{
    return reading->angle[row * reading->axes->pairs + pair];
}

/* ---- memory ------------------------------------------------------------------------------ */

static bool allocate(struct wave_axes *axes, struct reading *reading, double **angle)
{
    const size_t rows = axes->rows, pairs = axes->pairs;
    const size_t numbers = rows * (WAVE_AXES + 1) + pairs * 2 + rows * pairs;
    double *at = calloc(1, numbers * sizeof(double) + rows * sizeof(struct place) +
                               pairs * (sizeof(int) + sizeof(bool)));

    axes->memory = at;
    if (!at)
        return false;
    for (size_t i = 0; i < WAVE_AXES; i++, at += rows)
        axes->at[i] = at;
    reading->sorted = at;
    axes->w = at + rows;
    reading->peak = axes->w + pairs;
    *angle = reading->peak + pairs;
    reading->order = (struct place *)(*angle + rows * pairs);
    axes->axis = (int *)(reading->order + rows);
    reading->seen = (bool *)(axes->axis + pairs);
    return true;
}

void wave_axes_fini(struct wave_axes *axes)
{
    free(axes->memory);
    axes->memory = NULL;
}

/* ---- coordinates ------------------------------------------------------------------------- */

static int by_value(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;

    return (a > b) - (a < b);
}

/* Divides numbers by a unit; false: they are no whole numbers then. */
static bool divide(double *at, size_t rows, double unit, double tolerance)
{
    for (size_t i = 0; i < rows; i++)
        if (fabs(at[i] / unit - nearbyint(at[i] / unit)) >
            fmin(WHOLE, tolerance / 2 * (1 + fabs(at[i] / unit))))
            return false;
    for (size_t i = 0; i < rows; i++)
        at[i] = nearbyint(at[i] / unit);
    return true;
}

/* Divides numbers by the least distance between two of them, or a small part of it, which
 * behind the first axis makes small numbers alone: a pair that has come round has large ones
 * by chance. A number that all rows have becomes one itself. False: they are no whole
 * numbers then. */
static bool make_whole(const struct reading *reading, double *at)
{
    const size_t rows = reading->axes->rows;
    double *sorted = reading->sorted, largest = 0, unit = INFINITY;

    memcpy(sorted, at, rows * sizeof *sorted);
    qsort(sorted, rows, sizeof *sorted, by_value);
    largest = fmax(fabs(sorted[0]), fabs(sorted[rows - 1]));
    for (size_t i = 1; i < rows; i++)
        if (sorted[i] - sorted[i - 1] > 4 * reading->tolerance * largest)
            unit = fmin(unit, sorted[i] - sorted[i - 1]);
    unit = isfinite(unit) ? unit : largest;
    if (!(unit > 0) || largest / unit > COORDINATE)
        return false;
    for (int part = 1; part <= PARTS; part++)
        if ((part == 1 || reading->axes->count == 0 || part * largest < NEAR * unit) &&
            divide(at, rows, unit / part, reading->tolerance))
            return true;
    return false;
}

/* Fits the angles of a pair that has not come round to an axis. */
static bool fits_straight(const struct reading *reading, size_t pair, const double *at)
{
    const size_t rows = reading->axes->rows;
    const double off = 4 * reading->tolerance * reading->peak[pair];
    double across = 0, along = 0;

    for (size_t row = 0; row < rows; row++) {
        across += at[row] * angle_of(reading, row, pair);
        along += at[row] * at[row];
    }
    const double w = across / along;
    for (size_t row = 0; row < rows; row++)
        if (fabs(angle_of(reading, row, pair) - w * at[row]) > off)
            return false;
    reading->axes->w[pair] = w;
    return w > 0;
}

/* Adds the axis of a pair that has not come round. */
static void add_axis(const struct reading *reading, size_t pair)
{
    struct wave_axes *axes = reading->axes;

    if (axes->count == WAVE_AXES)
        return;
    double *at = axes->at[axes->count];
    for (size_t row = 0; row < axes->rows; row++)
        at[row] = angle_of(reading, row, pair);
    if (make_whole(reading, at) && fits_straight(reading, pair, at))
        axes->axis[pair] = (int)axes->count++;
}

/* ---- fast pairs -------------------------------------------------------------------------- */

static int by_size(const void *one, const void *other)
{
    const struct place *a = one, *b = other;

    if (a->size != b->size)
        return a->size > b->size ? 1 : -1;
    return (a->row > b->row) - (a->row < b->row);
}

/* Lists the rows by the size of a coordinate, the smallest first. */
static void order_rows(const struct reading *reading, const double *at)
{
    const size_t rows = reading->axes->rows;

    for (size_t i = 0; i < rows; i++)
        reading->order[i] = (struct place){fabs(at[i]), i};
    qsort(reading->order, rows, sizeof *reading->order, by_size);
}

/* Returns the turn between two rows whose coordinates differ by one; NAN: there are none. */
static double first_turn(const struct reading *reading, size_t pair, const double *at)
{
    const struct place *order = reading->order;

    for (size_t i = 0; i + 1 < reading->axes->rows; i++) {
        const size_t row = order[i].row, next = order[i + 1].row;

        if (fabs(at[next] - at[row]) == 1)
            return wrap(angle_of(reading, next, pair) - angle_of(reading, row, pair)) /
                   (at[next] - at[row]);
    }
    return order[0].size == 1 ? angle_of(reading, order[0].row, pair) / at[order[0].row] : NAN;
}

/* Fits a pair to an axis by rows of ever larger coordinates; order_rows was called for it. */
static bool fits_turning(const struct reading *reading, size_t pair, const double *at)
{
    const size_t rows = reading->axes->rows;
    double w = first_turn(reading, pair, at), large = 0;

    if (!(w > 0))
        return false;
    for (size_t i = 0; i < rows; i++) {
        const size_t row = reading->order[i].row;
        const double off = wrap(angle_of(reading, row, pair) - w * at[row]);

        if (fabs(off) > 0.5)
            return false;
        if (fabs(at[row]) > large) {
            large = fabs(at[row]);
            w += off / at[row];
        }
    }
    for (size_t row = 0; row < rows; row++)
        if (fabs(wrap(angle_of(reading, row, pair) - w * at[row])) >
            4 * reading->tolerance + OF_ROUNDING * fabs(at[row]))
            return false;
    reading->axes->w[pair] = w;
    return true;
}

/* ---- reading ----------------------------------------------------------------------------- */

/* Returns the slowest pair that is left and seems not to come round; SIZE_MAX: there is
 * none. */
static size_t next_pair(const struct reading *reading, const bool *seen)
{
    size_t found = SIZE_MAX;

    for (size_t pair = 0; pair < reading->axes->pairs; pair++)
        if (!seen[pair] && reading->peak[pair] < STRAIGHT &&
            (found == SIZE_MAX || reading->peak[pair] < reading->peak[found]))
            found = pair;
    return found;
}

/* Finds the axis of a pair that seems not to come round: one that is there, none, or one of
 * its own; few rows may have turned by whole turns, and such a pair stays unread. */
static void place_straight(const struct reading *reading, size_t pair)
{
    struct wave_axes *axes = reading->axes;

    if (reading->peak[pair] <= STILL) {
        axes->axis[pair] = NO_AXIS;
        return;
    }
    for (size_t i = 0; i < axes->count; i++)
        if (fits_straight(reading, pair, axes->at[i])) {
            axes->axis[pair] = (int)i;
            return;
        }
    add_axis(reading, pair);
}

static bool place_all(const struct reading *reading)
{
    struct wave_axes *axes = reading->axes;
    bool all = true;

    for (size_t pair = 0; pair < axes->pairs; pair++)
        axes->axis[pair] = UNREAD;
    for (size_t pair; (pair = next_pair(reading, reading->seen)) != SIZE_MAX;
         reading->seen[pair] = true)
        place_straight(reading, pair);
    for (size_t i = 0; i < axes->count; i++) {
        order_rows(reading, axes->at[i]);
        for (size_t pair = 0; pair < axes->pairs; pair++)
            if (axes->axis[pair] == UNREAD && fits_turning(reading, pair, axes->at[i]))
                axes->axis[pair] = (int)i;
    }
    for (size_t pair = 0; pair < axes->pairs; pair++) {
        if (axes->axis[pair] != UNREAD)
            continue;
        all = false;
        axes->axis[pair] = 0;
        axes->w[pair] = 0;
    }
    return axes->count == 1 || (axes->count > 1 && all);
}

bool wave_axes_read(struct wave_axes *axes, const struct wave_tables *tables,
                    double *operations, bool *failed)
{
    struct reading reading = {.axes = axes, .tolerance = wave_tables_tolerance(tables)};
    double *angle = NULL;

    *axes = (struct wave_axes){.pairs = tables->pairs};
    if (tables->rows > ELEMENTS_MOST / tables->pairs)
        return false;
    axes->rows = (size_t)tables->rows;
    if (!allocate(axes, &reading, &angle)) {
        *failed = true;
        return false;
    }
    *operations += OF_ANGLE * (double)axes->rows * (double)axes->pairs +
                   (double)axes->pairs * (double)axes->pairs;
    reading.angle = angle;
    for (size_t row = 0; row < axes->rows; row++)
        for (size_t pair = 0; pair < axes->pairs; pair++) {
            double *at = &angle[row * axes->pairs + pair];

            *at = atan2(wave_tables_sine(tables, row, pair),
                        wave_tables_cosine(tables, row, pair));
            reading.peak[pair] = fmax(reading.peak[pair], fabs(*at));
        }
    return place_all(&reading);
}

void wave_axes_stretch(struct wave_axes *axes, int axis, double height)
{
    const double factor = nearbyint(exp(height));

    if (factor < 2 || fabs(exp(height) - factor) > 0.01 * factor)
        return;
    for (size_t row = 0; row < axes->rows; row++)
        axes->at[axis][row] *= factor;
    for (size_t pair = 0; pair < axes->pairs; pair++)
        axes->w[pair] /= axes->axis[pair] == axis ? factor : 1;
}
