/* SPDX-License-Identifier: Apache-2.0
 * decode.c - positions from angles, by continued refinement: with p known to less than half a
 * turn of a pair, the angle of that pair gives p to within the angle's error over its
 * frequency. */
#include "core/verify/decode.h"

#include <assert.h>
#include <math.h>

/* Returns the angle, among those that give the numbers, that is nearest to `near`. */
static double nearest_angle(double cosine, double sine, double near)
{
    const double turn = 2 * 3.14159265358979323846;
    double first, second;

    if (!isnan(cosine) && !isnan(sine))
        first = second = atan2(sine, cosine);
    else if (!isnan(cosine))
        second = -(first = acos(fmax(-1, fmin(1, cosine))));
    else
        second = turn / 2 - (first = asin(fmax(-1, fmin(1, sine))));
    first += turn * nearbyint((near - first) / turn);
    second += turn * nearbyint((near - second) / turn);
    return fabs(first - near) <= fabs(second - near) ? first : second;
}

double decode_observed(const struct observed *seen, const struct candidate *candidate,
                       double near)
{
    const double *w = candidate->angles->w[0];
    double position = near;

    for (size_t i = 0; i < seen->pairs; i++) {
        size_t pair = seen->order[i];

        if (!(w[pair] > 0) || (isnan(seen->cosine[pair]) && isnan(seen->sine[pair])))
            continue;
        position =
            nearest_angle(seen->cosine[pair], seen->sine[pair], position * w[pair]) / w[pair];
    }
    return position;
}

/* Returns where the line through rows 0 and i - 1 has row i; the claimed position for i < 2. */
static double extrapolate(const struct angles *angles, const double *pos, uint64_t i)
{
    const double at = angles_position(angles, i);
    const double span = i < 2 ? 0 : angles_position(angles, i - 1) - angles_position(angles, 0);

    if (span == 0)
        return at;
    return pos[0] + (pos[i - 1] - pos[0]) / span * (at - angles_position(angles, 0));
}

/* Decodes rows; on a line, each is sought where the rows before it say. */
static bool decode_all(const struct candidate *candidate, uint64_t first, uint64_t step,
                       uint64_t count, bool line, struct row_buffer pos)
{
    struct observed seen;

    assert(count <= pos.capacity);
    if (!observe_init(&seen, candidate))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t place = first + i * step;

        observe(&seen, candidate, place);
        pos.at[i] = decode_observed(&seen, candidate,
                                    line ? extrapolate(candidate->angles, pos.at, i)
                                         : angles_position(candidate->angles, place));
    }
    observe_fini(&seen);
    return true;
}

bool decode_rows(const struct candidate *candidate, uint64_t first, uint64_t step,
                 uint64_t count, struct row_buffer pos)
{
    return decode_all(candidate, first, step, count, false, pos);
}

bool decode_line(const struct candidate *candidate, uint64_t count, struct row_buffer pos)
{
    return decode_all(candidate, 0, 1, count, true, pos);
}
