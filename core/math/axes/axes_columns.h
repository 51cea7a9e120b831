/* SPDX-License-Identifier: Apache-2.0
 * axes_columns.h - rows of sines, cosines and coordinates of points, in the columns that an
 * encoding lays out: what additive encodings of images, coordinates and times are. */
#ifndef PE_MATH_AXES_COLUMNS_H
#define PE_MATH_AXES_COLUMNS_H

#include "core/math/axes/axes.h"

enum axes_wave {
    AXES_WAVE_ZERO,
    AXES_WAVE_ONE,
    AXES_WAVE_SIN,
    AXES_WAVE_COS,
    AXES_WAVE_ANGLE,  /* of the pair, in radians */
    AXES_WAVE_NUMBER, /* the scaled coordinate on an axis */
};

struct axes_column {
    enum axes_wave wave;
    uint32_t index; /* of the pair, or of the axis */
};

/* One tensor. Rows are points; each may have several (blocks), whose columns follow each other
 * in column[]. Or, with a width, a map: rows are (channel, line), columns are the places on a
 * line of `width` points, and column[] says what a channel shows. */
struct axes_columns {
    struct axes axes; /* without its columns */
    size_t cols, blocks;
    const struct pe_positions *block; /* or each point is one row, of the block listed here */
    uint64_t width;                   /* 0: rows are points */
    uint64_t blank;                   /* so many rows of zeros before the first point */
    const double *amplitude;          /* of each entry of column[], or NULL */
    const struct axes_column *column; /* [cols * blocks]; of a map [channels] */
};

/* `count` columns from `at` on, every `step`-th, show the wave of index, index + 1, ... */
void axes_columns_put(struct axes_column *column, size_t at, size_t step, enum axes_wave wave,
                      size_t index, size_t count);

extern const struct pe_filler axes_columns_filler; /* state: struct axes_columns */

#endif
