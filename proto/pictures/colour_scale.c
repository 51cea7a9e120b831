/* SPDX-License-Identifier: Apache-2.0
 * colour_scale.c - the step of a value in its range. */
#include "proto/pictures/colour_scale.h"

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
    if (map->kind == COLOUR_MAP_KIND_TRUTH) {
        scale.low = 0;
        scale.high = 1;
    } else if (map->kind == COLOUR_MAP_KIND_DIVERGING && scale.low >= 0) {
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
    if (scale.low == scale.high) /* one value: the first step */
        scale.high = scale.low + 1;
    scale.per = scale.steps / (scale.high - scale.low);
    return scale;
}

void colour_scale_indices(const struct colour_scale *scale, const double *values, size_t count,
                          unsigned char *indices)
{
    for (size_t i = 0; i < count; i++) {
        const double step = (values[i] - scale->low) * scale->per;
        const double kept = step < 0 ? 0 : step > scale->steps ? scale->steps : step;

        indices[i] = colour_range_masks(scale->masked, values[i])
                         ? COLOUR_MASKED
                         : (unsigned char)(scale->first + kept + 0.5);
    }
}
