/* SPDX-License-Identifier: Apache-2.0
 * colour_range.h - the lowest and the highest value of a picture. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

struct colour_range {
    double low, high; /* low > high: there is no value */
};

struct colour_range colour_range_new(void);
/* Widens the range by `count` values. Masked ones do not count. */
void colour_range_add(struct colour_range *range, double masked, const double *values,
                      size_t count);
/* Returns how many of `count` values are beyond the range. Masked ones do not count. */
size_t colour_range_beyond(const struct colour_range *range, double masked,
                           const double *values, size_t count);
/* Returns whether an element is masked: it holds the number `masked`, an infinity or NaN. */
static inline bool colour_range_masks(double masked, double value)
{
    return value == masked || !isfinite(value);
}
