/* SPDX-License-Identifier: Apache-2.0
 * colour_scale.c - the step of a value in its range. */
#include "proto/pictures/colour_scale.h"

#include <float.h>
#include <math.h>

static const double middle = (COLOUR_MAP_STEPS - 1) / 2;

struct colour_scale colour_scale_new(const struct colour_map *map,
                                     const struct colour_range *range, double masked)
{
    struct colour_scale scale = {.map = map,
                                 .low = range->low,
                                 .high = range->high,
                                 .steps = COLOUR_MAP_STEPS - 1,
                                 .masked = masked};

    if (scale.low > scale.high)
        scale.low = scale.high = 0;
    scale.least = scale.low;
    scale.most = scale.high;
    if (map->kind == COLOUR_MAP_KIND_DIVERGING && scale.low >= 0) {
        scale.low = 0;
        scale.first = middle;
        scale.steps = middle;
    } else if (map->kind == COLOUR_MAP_KIND_DIVERGING && scale.high <= 0) {
        scale.high = 0;
        scale.steps = middle;
    } else if (map->kind == COLOUR_MAP_KIND_DIVERGING) {
        scale.high = fmax(-scale.low, scale.high);
        scale.low = -scale.high;
    }
    /* Halves of values have a difference that is not infinite. Where the range is one value, or
     * too short for its steps to be counted, `per` is finite, and the first step is that of the
     * lowest value all the same. */
    scale.per = fmin(scale.steps / (scale.high / 2 - scale.low / 2), DBL_MAX);
    return scale;
}

static void truth_indices(const struct colour_scale *scale, const double *values, size_t count,
                          unsigned char *indices)
{
    for (size_t i = 0; i < count; i++)
        indices[i] = colour_range_masks(scale->masked, values[i]) ? COLOUR_MASKED
                     : values[i] != 0                             ? COLOUR_MAP_STEPS - 1
                                                                  : 0;
}

void colour_scale_indices(const struct colour_scale *scale, const double *values, size_t count,
                          unsigned char *indices)
{
    const struct colour_scale at = *scale; /* a copy, which no writing of indices changes */

    if (scale->map->kind == COLOUR_MAP_KIND_TRUTH) {
        truth_indices(scale, values, count, indices);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const double value = values[i] < at.least  ? at.least
                             : values[i] > at.most ? at.most
                                                   : values[i];
        const double step = (value / 2 - at.low / 2) * at.per;
        const double kept = step < at.steps ? step : at.steps;

        indices[i] = colour_range_masks(at.masked, values[i])
                         ? COLOUR_MASKED
                         : (unsigned char)(at.first + kept + 0.5);
    }
}
