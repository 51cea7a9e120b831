/* SPDX-License-Identifier: Apache-2.0
 * colour_scale.h - which colour a value has: a map over a range of values. */
#pragma once

#include "proto/pictures/colour_map.h"
#include "proto/pictures/colour_range.h"

struct colour_scale {
    const struct colour_map *map;
    double low, high;    /* the values of the first and the last step that are used */
    double least, most;  /* the range: values beyond it have the colour of its end */
    double first, steps; /* the first step, and the number of steps to the last one */
    double per;          /* steps of twice a unit of the value */
    double masked;       /* the number that masked elements hold; NAN: none but infinities */
};

/* Makes the scale of a range: a DIVERGING map is symmetric about zero, or shows one half of
 * itself where the range has values of one sign. A TRUTH map has no range: zero is false, every
 * other number true. */
struct colour_scale colour_scale_new(const struct colour_map *map,
                                     const struct colour_range *range, double masked);
/* Writes the indices of the values' colours. Values beyond the range have the colour of its
 * end. */
void colour_scale_indices(const struct colour_scale *scale, const double *values, size_t count,
                          unsigned char *indices);
