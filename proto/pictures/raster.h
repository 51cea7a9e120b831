/* SPDX-License-Identifier: Apache-2.0
 * raster.h - where the elements of a tensor stand in a picture: the last two axes are rows and
 * columns of cells, the axes before them number tiles, which stand in lines. A tensor of one
 * axis is one row, a number one cell. */
#pragma once

#include <stdbool.h>

#include "core/posenc.h"

enum { RASTER_SIDE_MAX = 4096, RASTER_CELL_MAX = 64 }; /* pixels */

struct raster {
    uint64_t rows, cols;    /* of a tile, in cells */
    uint64_t tiles, lines;  /* all tiles; lines of tiles */
    uint64_t across;        /* tiles of a line */
    unsigned cell, gap;     /* pixels of a cell's side, and between tiles */
    uint64_t width, height; /* pixels; UINT64_MAX: they cannot be counted */
};

/* Lays a tensor out with cells of so many pixels. Lines of tiles make the picture about as wide
 * as high. */
struct raster raster_new(const struct pe_tensor_info *tensor, unsigned cell);
/* Lays the tiles anew, with gaps of some cells, so that they are largest in a room of that
 * shape, width by height. */
void raster_spread(struct raster *raster, double shape);
/* Returns whether neither side has more than RASTER_SIDE_MAX pixels. */
bool raster_fits(const struct raster *raster);
/* Returns the row of the tensor in line `y` of pixels of the tile number `i` of its line;
 * UINT64_MAX: there is none, the pixels are a gap. */
uint64_t raster_row(const struct raster *raster, uint64_t y, uint64_t i);
