/* SPDX-License-Identifier: Apache-2.0
 * resample_plane.h - a table whose rows are the places of a grid, row by row, and perhaps
 * others before and after them, at another size: both axes resampled, each channel alone. */
#pragma once

#include "core/math/resample/resample.h"

struct resample_plane {
    const struct pe_tensor *table; /* (rows, channels); input 0 of the filler */
    struct pe_grid from, to;
    uint64_t prefix; /* rows before the grid; they and the rows after the grid are kept */
    struct resample_axis rows, cols;
    double cancelled; /* sums below this part of the sizes of their terms are added exactly */
};

/* state: struct resample_plane; out[0] has the prefix, the new grid and the rest. */
extern const struct pe_filler resample_plane_filler;
