/* SPDX-License-Identifier: Apache-2.0
 * raster.c - the lines of tiles and their sizes. */
#include "proto/pictures/raster.h"

enum { GAP = 4 };

/* Returns the pixels of so many tiles side by side; UINT64_MAX: too many to count. */
static uint64_t side(uint64_t tiles, uint64_t cells, unsigned cell, unsigned gap)
{
    uint64_t pixels, gaps;

    if (__builtin_mul_overflow(tiles, cells, &pixels) ||
        __builtin_mul_overflow(pixels, cell, &pixels) ||
        __builtin_mul_overflow(tiles > 0 ? tiles - 1 : 0, gap, &gaps) ||
        __builtin_add_overflow(pixels, gaps, &pixels))
        return UINT64_MAX;
    return pixels;
}

static void set_across(struct raster *raster, uint64_t across)
{
    raster->across = across;
    raster->lines = across > 0 ? (raster->tiles + across - 1) / across : 0;
    raster->width = side(across, raster->cols, raster->cell, raster->gap);
    raster->height = side(raster->lines, raster->rows, raster->cell, raster->gap);
}

struct raster raster_new(const struct pe_tensor_info *tensor, unsigned cell)
{
    struct raster raster = {.rows = tensor->rank >= 2 ? tensor->dims[tensor->rank - 2] : 1,
                            .cols = tensor->cols,
                            .cell = cell};

    raster.tiles = raster.rows > 0 ? tensor->rows / raster.rows : 0;
    raster.gap = raster.tiles > 1 ? GAP : 0;
    set_across(&raster, raster.tiles > 0 ? 1 : 0);
    while (raster.across < raster.tiles && raster.width < raster.height &&
           raster.across < RASTER_SIDE_MAX)
        set_across(&raster, raster.across + 1);
    return raster;
}

/* Returns how large a raster of lines of so many tiles is in a room of height 1. */
static double scale_of(struct raster *raster, uint64_t across, double shape)
{
    set_across(raster, across);

    const double wide = shape / (double)raster->width, high = 1 / (double)raster->height;
    return wide < high ? wide : high;
}

void raster_spread(struct raster *raster, double shape)
{
    const uint64_t most = raster->tiles < RASTER_SIDE_MAX ? raster->tiles : RASTER_SIDE_MAX;
    const uint64_t share = (raster->cols < raster->rows ? raster->cols : raster->rows) / 16;
    uint64_t best = 1;

    if (raster->tiles <= 1)
        return;
    raster->gap = share < 1 ? 1 : share > GAP ? GAP : (unsigned)share;
    for (uint64_t across = 2; across <= most; across++)
        if (scale_of(raster, across, shape) > scale_of(raster, best, shape))
            best = across;
    set_across(raster, best);
}

bool raster_fits(const struct raster *raster)
{
    return raster->width <= RASTER_SIDE_MAX && raster->height <= RASTER_SIDE_MAX;
}

uint64_t raster_row(const struct raster *raster, uint64_t y, uint64_t i)
{
    const uint64_t tile_height = raster->rows * raster->cell;
    const uint64_t line = y / (tile_height + raster->gap),
                   rest = y % (tile_height + raster->gap);
    const uint64_t tile = line * raster->across + i;

    if (rest >= tile_height || tile >= raster->tiles)
        return UINT64_MAX;
    return tile * raster->rows + rest / raster->cell;
}
