/* SPDX-License-Identifier: Apache-2.0
 * turn_reader.c - a frequency is measured on the rows that are nearest to the first, where a
 * turn is less than half of one, then on rows farther apart. */
#include "core/verify/solve/turn_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/bound.h"

#define OF_ANGLE 40.0 /* operations to compare a cosine and a sine with those of an angle */

/* Coordinates of one axis are equal to this. */
static const double same = 1e-9;

static bool is_axis(const struct turn_reader *reader, size_t pair, size_t other)
{
    for (size_t i = 0; i < reader->rows; i++) {
        const double *at = reader->at + i * reader->pairs;

        if (!(fabs(at[pair] - at[other]) <= same * (1 + fabs(at[other]))))
            return false;
    }
    return true;
}

/* Finds the first pair that turns along the axis of each; those that do not turn have none. */
static void find_axes(struct turn_reader *reader)
{
    for (size_t pair = 0; pair < reader->pairs; pair++) {
        size_t other = 0;

        while (other < pair && (reader->axis[other] != other || !is_axis(reader, pair, other)))
            other++;
        reader->axis[pair] = other;
    }
}

bool turn_reader_init(struct turn_reader *reader, const struct candidate *base,
                      const uint64_t *places, size_t rows)
{
    const struct angles *angles = base->angles;
    const size_t pairs = angles->pairs;

    *reader = (struct turn_reader){.base = base, .pairs = pairs, .rows = rows};
    reader->memory =
        claim_memory(base->claim, 2 * rows * pairs + 3 * rows + 2 * pairs, sizeof(double));
    reader->axis = claim_memory(base->claim, pairs + 1, sizeof *reader->axis);
    if (!reader->memory || !reader->axis) {
        turn_reader_fini(reader);
        return false;
    }
    reader->theta = reader->memory;
    reader->at = reader->theta + rows * pairs;
    reader->near = reader->at + rows * pairs;
    reader->rates = angles->w[0] ? angles->w[0] : angles->rates;
    for (size_t i = 0; i < rows; i++) {
        double *theta = reader->theta + i * pairs, *at = reader->at + i * pairs;

        angles_row(angles, places[i],
                   angles_row_of((struct row_buffer){reader->near + 3 * rows, 2 * pairs}));
        memcpy(theta, reader->near + 3 * rows, pairs * sizeof *theta);
        for (size_t j = 0; j < pairs; j++)
            at[j] = angles->w[0] ? angles_position(angles, places[i])
                    : reader->rates && reader->rates[j] != 0 ? theta[j] / reader->rates[j]
                                                             : (double)j;
    }
    find_axes(reader);
    return true;
}

void turn_reader_fini(struct turn_reader *reader)
{
    free(reader->memory);
    free(reader->axis);
}

/* Returns how far numbers are at most from those of a pair's angles times a factor, in units
 * of what they may be off; infinite where that is more than 1. */
static double distance(struct turn_reader *reader, const double *cosine, const double *sine,
                       const double *slack, size_t pair, double by)
{
    double most = 0;

    for (size_t i = 0; i < reader->rows; i++) {
        const double theta = by * reader->theta[i * reader->pairs + pair];
        const double off = slack[i] + bound_angle(reader->base, theta, false);

        reader->base->claim->operations += OF_ANGLE;
        if (!isnan(cosine[i]))
            most = fmax(most, fabs(cosine[i] - cos(theta)) / off);
        if (!isnan(sine[i]))
            most = fmax(most, fabs(sine[i] - sin(theta)) / off);
        if (!(most <= 1))
            return INFINITY;
    }
    return most;
}

static double wrap(double angle)
{
    const double turn = 2 * 3.14159265358979323846;

    return angle - turn * nearbyint(angle / turn);
}

/* Measures the frequency along the axis of a pair; NAN where no row says it. */
static double measure(struct turn_reader *reader, const double *cosine, const double *sine,
                      size_t pair)
{
    double w = NAN, last = 0, sum = 0, squares = 0;
    size_t first = 0;

    while (first < reader->rows && isnan(cosine[first] + sine[first]))
        first++;
    for (size_t known = first + 1; known < reader->rows; known++) {
        double step = INFINITY, turn = 0;

        for (size_t i = 0; i < reader->rows; i++) { /* the next nearest */
            const double apart =
                reader->at[i * reader->pairs + pair] - reader->at[first * reader->pairs + pair];

            if (isnan(cosine[i] + sine[i]) || fabs(apart) <= last || fabs(apart) >= fabs(step))
                continue;
            step = apart;
            turn = atan2(sine[i], cosine[i]) - atan2(sine[first], cosine[first]);
        }
        if (isinf(step))
            break;
        last = fabs(step);
        w = isnan(w) ? 0 : w;
        sum += step * (w * step + wrap(turn - w * step));
        squares += step * step;
        w = sum / squares;
    }
    return w;
}

static struct turn read_known(struct turn_reader *reader, const double *cosine,
                              const double *sine, const double *slack, size_t expected)
{
    struct turn turn = {.kind = TURN_OTHER};
    double least = INFINITY;

    for (size_t i = 0; i <= reader->pairs; i++) {
        const size_t pair = i == 0 ? expected : i - 1;
        const double far = distance(reader, cosine, sine, slack, pair, 1);

        if (far >= least)
            continue;
        least = far;
        turn = (struct turn){TURN_KNOWN, pair, reader->rates ? reader->rates[pair] : NAN};
        if (i == 0)
            break;
    }
    return turn;
}

struct turn turn_reader_read(struct turn_reader *reader, const double *cosine,
                             const double *sine, const double *slack, size_t expected)
{
    struct turn turn = read_known(reader, cosine, sine, slack, expected);

    if (turn.kind == TURN_KNOWN && turn.like == expected)
        return turn;
    if (distance(reader, cosine, sine, slack, expected, 0) <= 1)
        return (struct turn){.kind = TURN_STILL};
    for (size_t i = 0; turn.kind == TURN_OTHER && reader->rates && i < reader->pairs; i++) {
        const double rate = reader->rates[i];

        if (reader->axis[i] != i || rate == 0)
            continue;
        const double w = measure(reader, cosine, sine, i);
        if (!isnan(w) && distance(reader, cosine, sine, slack, i, w / rate) <= 1)
            turn = (struct turn){TURN_FREE, i, w};
    }
    return turn;
}
