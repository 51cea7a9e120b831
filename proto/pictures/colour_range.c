/* SPDX-License-Identifier: Apache-2.0
 * colour_range.c - see colour_range.h. */
#include "proto/pictures/colour_range.h"

#include <math.h>

struct colour_range colour_range_new(void)
{
    return (struct colour_range){INFINITY, -INFINITY};
}

void colour_range_add(struct colour_range *range, double masked, const double *values,
                      size_t count)
{
    double low = range->low, high = range->high;

    for (size_t i = 0; i < count; i++) {
        if (colour_range_masks(masked, values[i]))
            continue;
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    *range = (struct colour_range){low, high};
}

size_t colour_range_beyond(const struct colour_range *range, double masked,
                           const double *values, size_t count)
{
    size_t beyond = 0;

    for (size_t i = 0; i < count; i++)
        beyond += (values[i] < range->low || values[i] > range->high) &&
                  !colour_range_masks(masked, values[i]);
    return beyond;
}
