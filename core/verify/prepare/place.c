/* SPDX-License-Identifier: Apache-2.0
 * place.c - see place.h. The slowest pair says roughly where a row is, each faster one more
 * exactly. */
#include "core/verify/prepare/place.h"

#include <math.h>
#include <stdio.h>

#include "core/verify/observe.h"

static const double whole = 0.1; /* a position is at most so far from a whole number */

/* Returns the position of a row; NAN where its angles contradict each other. */
static double place_of(struct observed *seen, const struct candidate *candidate, uint64_t row)
{
    const double turn = 2 * 3.14159265358979323846, *w = candidate->angles->w[0];
    double place = NAN;

    observe(seen, candidate, row);
    for (size_t i = 0; i < seen->pairs; i++) {
        const size_t pair = seen->order[i];
        const double angle = atan2(seen->sine[pair], seen->cosine[pair]);

        if (!isfinite(angle) || w[pair] <= 0)
            continue;
        if (isnan(place))
            place = (angle < 0 ? angle + (angle < -1e-3 ? turn : 0) : angle) / w[pair];
        else
            place = (angle + turn * nearbyint((place * w[pair] - angle) / turn)) / w[pair];
    }
    return fabs(place - nearbyint(place)) <= whole ? nearbyint(place) : NAN;
}

static bool print(char *text, size_t size, double first, double step, uint64_t rows)
{
    const double stop = first + step * (double)(rows - 1) + (step > 0 ? 1 : -1);

    return (size_t)snprintf(text, size, step == 1 ? "%.0f:%.0f" : "%.0f:%.0f:%.0f", first, stop,
                            step) < size;
}

bool place_read_slice(const struct candidate *candidate, char *text, size_t size)
{
    const uint64_t rows = observe_applies(candidate) ? candidate->angles->rows : 0;
    struct observed seen;

    if (rows == 0 || !observe_init(&seen, candidate))
        return false;
    const double first = place_of(&seen, candidate, 0),
                 second = rows > 1 ? place_of(&seen, candidate, 1) : first + 1,
                 last = rows > 1 ? place_of(&seen, candidate, rows - 1) : first;
    const double step = second - first;

    observe_fini(&seen);
    return isfinite(first) && isfinite(step) && step != 0 &&
           last == first + step * (double)(rows - 1) && print(text, size, first, step, rows);
}
