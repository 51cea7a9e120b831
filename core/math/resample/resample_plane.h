/* SPDX-License-Identifier: Apache-2.0
 * resample_plane.h - a table whose rows are the places of a grid, row by row, and perhaps
 * others before and after them, at another size: both axes resampled, each channel alone. */
#ifndef PE_MATH_RESAMPLE_PLANE_H
#define PE_MATH_RESAMPLE_PLANE_H

#include "core/math/resample/resample.h"

struct resample_plane {
    const struct pe_tensor *table; /* rows, channels; the filler's input 0 */
    struct pe_grid from, to;
    uint64_t prefix; /* rows before the grid's; they and those after it are kept */
    struct resample_axis rows, cols;
    double cancelled; /* sums below this part of their terms' sizes are made twice as exactly */
};

/* state: struct resample_plane; out[0] has the prefix, the new grid and the rest. */
extern const struct pe_filler resample_plane_filler;

#endif
