/* SPDX-License-Identifier: Apache-2.0
 * resample_place.h - channels of one place of a resampled grid, by the definition of their
 * values. */
#pragma once

#include "core/math/resample/resample.h"

/* A table of the places of a grid (resample_plane.h), and the grid at another size. */
struct resample_plane {
    const struct pe_tensor *table; /* (rows, channels); input 0 of the filler */
    struct pe_grid from, to;
    uint64_t prefix; /* rows before the grid; they and the rows after the grid are kept */
    struct resample_axis rows, cols;
    double cancelled; /* sums below this part of the sizes of their terms are added exactly */
};

/* Returns the table's row at a place of the old grid. */
uint64_t resample_place_row(const struct resample_plane *plane, uint64_t y, uint64_t x);
/* Fills `cols` channels, from channel `col` on, of a place of the new grid. */
void resample_place_fill(const struct resample_plane *plane, const void *data, uint64_t place,
                         uint64_t col, uint64_t cols, double *out);
