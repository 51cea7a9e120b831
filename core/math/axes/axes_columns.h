/* SPDX-License-Identifier: Apache-2.0
 * axes_columns.h - rows of sines, cosines and coordinates of points, in the columns that an
 * encoding lays out. Additive encodings of images, coordinates and times are such rows. */
#pragma once

#include "core/math/axes/axes.h"

enum axes_wave {
    AXES_WAVE_ZERO,
    AXES_WAVE_ONE,
    AXES_WAVE_SIN,
    AXES_WAVE_COS,
    AXES_WAVE_ANGLE,  /* the angle of a pair, in radians */
    AXES_WAVE_NUMBER, /* the scaled coordinate on an axis */
};

struct axes_column {
    enum axes_wave wave;
    uint32_t index; /* number of the pair, or of the axis */
};

/* One tensor. Rows are points; each may have several (blocks), whose columns follow each other
 * in column[]. Or, with a width, a map: rows are (channel, line), columns are the places on a
 * line of `width` points, and column[] says what a channel shows. */
struct axes_columns {
    struct axes axes; /* its columns are not used */
    size_t cols, blocks;
    const struct pe_positions *block; /* the block that each point shows; NULL: all of them */
    uint64_t width;                   /* points of a map's line; 0: rows are points */
    uint64_t blank;                   /* rows of zeros before the first point */
    const double *amplitude;          /* amplitude of each entry of column[], or NULL: 1 */
    const struct axes_column *column; /* [cols * blocks]; [channels] of a map */
};

/* Let `count` columns from `at` on, every `step`-th, show the wave of index, index + 1, ... */
void axes_columns_put(struct axes_column *column, size_t at, size_t step, enum axes_wave wave,
                      size_t index, size_t count);

extern const struct pe_filler axes_columns_filler; /* state: struct axes_columns */
