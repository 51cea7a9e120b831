/* SPDX-License-Identifier: Apache-2.0
 * place.c - see place.h. The slowest pair says roughly where a row is, each faster one more
 * exactly. */
#include "core/verify/prepare/place.h"

#include <math.h>
#include <stdio.h>

#include "core/verify/observe.h"

enum { SLICE = 64 };             /* bytes of the text of a slice */
static const double whole = 0.1; /* a position is at most so far from a whole number */

static const double half = 3.14159265358979323846, turn = 2 * 3.14159265358979323846;

/* Returns an angle of a pair in a row: a cosine alone says it but for its sign, and a sine
 * alone but for its distance from a quarter of a turn, which gives another angle. NAN: the row
 * says none. */
static double angle_of(const struct observed *seen, size_t pair, double *other)
{
    const double cosine = seen->cosine[pair], sine = seen->sine[pair];

    if (isfinite(sine) == isfinite(cosine))
        return *other = atan2(sine, cosine);
    const double angle =
        isfinite(cosine) ? acos(fmax(-1, fmin(1, cosine))) : asin(fmax(-1, fmin(1, sine)));

    *other = isfinite(cosine) ? -angle : half - angle;
    return angle;
}

/* Returns the position of an observed row whose angles are multiplied by `sign`, in which the
 * slowest pair has its first angle, or its other one; NAN where its angles contradict each
 * other. */
static double place_from(const struct observed *seen, const double *w, double sign,
                         bool is_other)
{
    double place = NAN;

    for (size_t i = 0; i < seen->pairs; i++) {
        const size_t pair = seen->order[i];
        double other, angle = sign * angle_of(seen, pair, &other);

        other *= sign;
        if (!isfinite(angle) || w[pair] <= 0)
            continue;
        if (isnan(place)) {
            angle = is_other ? other : angle;
            place = (angle < 0 ? angle + (angle < -1e-3 ? turn : 0) : angle) / w[pair];
            continue;
        }
        if (fabs(remainder(place * w[pair] - other, turn)) <
            fabs(remainder(place * w[pair] - angle, turn)))
            angle = other;
        place = (angle + turn * nearbyint((place * w[pair] - angle) / turn)) / w[pair];
    }
    return fabs(place - nearbyint(place)) <= whole ? nearbyint(place) : NAN;
}

/* Returns the position of a row whose sines are multiplied by `sign`; NAN where its angles
 * contradict each other. */
static double place_of(struct observed *seen, const struct candidate *candidate, double sign,
                       uint64_t row)
{
    observe(seen, candidate, row);
    const double place = place_from(seen, candidate->angles->w[0], sign, false);

    return isnan(place) ? place_from(seen, candidate->angles->w[0], sign, true) : place;
}

static bool print(char *text, size_t size, double first, double step, uint64_t rows)
{
    const double stop = first + step * (double)(rows - 1) + (step > 0 ? 1 : -1);

    return (size_t)snprintf(text, size, step == 1 ? "%.0f:%.0f" : "%.0f:%.0f:%.0f", first, stop,
                            step) < size;
}

/* ---- batches ----------------------------------------------------------------------------- */

/* Rows of a batch, and the text of their positions so far. */
struct sequences {
    struct observed *seen;
    const struct candidate *candidate;
    char *text;
    size_t len, size;
};

static double sequence_place(const struct sequences *sequences, uint64_t row)
{
    return place_of(sequences->seen, sequences->candidate, 1, row);
}

/* Adds positions to the text; false: there is no space. */
static bool add_positions(struct sequences *sequences, const char *positions)
{
    const size_t space = sequences->size - sequences->len;
    const int len = snprintf(sequences->text + sequences->len, space, "%s%s",
                             sequences->len > 0 ? "," : "", positions);

    sequences->len += (size_t)len;
    return (size_t)len < space;
}

/* Adds positions that rise or fall by one step. */
static bool add_slice(struct sequences *sequences, uint64_t row, uint64_t rows)
{
    const double first = sequence_place(sequences, row),
                 step = sequence_place(sequences, row + 1) - first,
                 last = sequence_place(sequences, row + rows - 1);
    char slice[SLICE];

    return isfinite(first) && isfinite(step) && step != 0 &&
           last == first + step * (double)(rows - 1) &&
           print(slice, sizeof slice, first, step, rows) && add_positions(sequences, slice);
}

/* Adds positions from 0 on behind padding, whose rows have one position. */
static bool add_padded(struct sequences *sequences, uint64_t row, uint64_t rows)
{
    const double pad = sequence_place(sequences, row),
                 last = sequence_place(sequences, row + rows - 1);
    char text[SLICE];

    if (!isfinite(pad) || !(last >= 0 && last + 1 < (double)rows))
        return false;
    const uint64_t padding = rows - 1 - (uint64_t)last;
    if (sequence_place(sequences, row + padding - 1) != pad ||
        sequence_place(sequences, row + padding) != 0)
        return false;
    snprintf(text, sizeof text, "%.0f", pad);
    for (uint64_t i = 0; i < padding; i++)
        if (!add_positions(sequences, text))
            return false;
    return print(text, sizeof text, 0, 1, rows - padding) && add_positions(sequences, text);
}

bool place_read_batch(const struct candidate *candidate, uint64_t length, char *text,
                      size_t size)
{
    const uint64_t rows = observe_applies(candidate) ? candidate->angles->rows : 0;
    struct observed seen;

    if (length < 2 || rows <= length || rows % length != 0 || !observe_init(&seen, candidate))
        return false;
    struct sequences sequences = {.seen = &seen,
                                  .candidate = candidate,
                                  .text = text,
                                  .size = size};
    bool read = true;

    for (uint64_t row = 0; read && row < rows; row += length) {
        const size_t len = sequences.len;

        read = add_slice(&sequences, row, length);
        if (read)
            continue;
        sequences.len = len;
        read = add_padded(&sequences, row, length);
    }
    observe_fini(&seen);
    return read;
}

/* ---- one sequence ------------------------------------------------------------------------ */

/* Reads a slice of positions that rise, or fall down to 0 at most. */
static bool read_slice(struct observed *seen, const struct candidate *candidate, double sign,
                       bool falls, char *text, size_t size)
{
    const uint64_t rows = candidate->angles->rows;
    const double first = place_of(seen, candidate, sign, 0),
                 second = rows > 1 ? place_of(seen, candidate, sign, 1) : first + 1,
                 last = rows > 1 ? place_of(seen, candidate, sign, rows - 1) : first;
    const double step = second - first;

    return isfinite(first) && isfinite(step) && (falls ? step < 0 && last >= 0 : step > 0) &&
           last == first + step * (double)(rows - 1) && print(text, size, first, step, rows);
}

bool place_read_slice(const struct candidate *candidate, char *text, size_t size,
                      bool *backwards)
{
    const uint64_t rows = observe_applies(candidate) ? candidate->angles->rows : 0;
    struct observed seen;

    *backwards = false;
    if (rows == 0 || !observe_init(&seen, candidate))
        return false;
    bool read = read_slice(&seen, candidate, 1, false, text, size);
    if (!read && rows > 1)
        *backwards = read = read_slice(&seen, candidate, -1, false, text, size);
    read = read || read_slice(&seen, candidate, 1, true, text, size);
    observe_fini(&seen);
    return read;
}
