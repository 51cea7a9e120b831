/* SPDX-License-Identifier: Apache-2.0
 * spatial_columns.h - additive encodings of images, coordinates and times: rows of sines and
 * cosines that an encoding lays out in columns, made of points and frequencies. */
#pragma once

#include "core/encoding.h"
#include "core/math/axes/axes_columns.h"

#define SPATIAL_COLUMNS_BOUND "0.501 ULP; f64 1 ULP"
#define SPATIAL_COLUMNS_DENSE_BOUND                                                            \
    "0.501 ULP; f64 1 ULP, where terms cancel 2^-52 of their size"

/* Declare parameters that several additive encodings have. */
#define SPATIAL_COLUMNS_ROW_DIM(TYPE, MULTIPLE)                                                \
    {                                                                                          \
        PE_FIELD(TYPE, dim), .type = PE_INT, .required = true, .min = (MULTIPLE),              \
                             .max = 65536, .multiple_of = (MULTIPLE)                           \
    }
#define SPATIAL_COLUMNS_ROW_GRID(TYPE)                                                         \
    {                                                                                          \
        PE_FIELD(TYPE, grid),                                                                  \
            .type = PE_GRID, .required = true,                                                 \
            .summary = "cells of the grid, HEIGHTxWIDTH, as 14x14; points row by row"          \
    }
/* WHEN: where the base has an effect; NULL: always. */
#define SPATIAL_COLUMNS_ROW_BASE(TYPE, WHEN)                                                   \
    {                                                                                          \
        PE_FIELD(TYPE, base),                                                                  \
            .type = PE_REAL, .min = 1, .max = 1e18, .preset = 10000, .when = (WHEN),           \
            .summary = "base of the geometric frequencies (temperature, max_period)"           \
    }
#define SPATIAL_COLUMNS_ROW_COORDS(TYPE)                                                       \
    {                                                                                          \
        PE_FIELD(TYPE, coords), .type = PE_REALS, .matrix = true, .required = true,            \
                                .min = -0x1p53, .max = 0x1p53,                                 \
                                .summary = "coordinates, a row a point: 0.5,0.25;1,0"          \
    }

/* Returns points that are the rows of a matrix of 1 .. AXES_MAX columns. */
struct axes_points spatial_columns_given(const struct pe_reals *coords);
/* Refuses a matrix of more than AXES_MAX columns; `name` is its parameter. */
void spatial_columns_check_given(const struct pe_reals *coords, const char *name,
                                 struct pe_errors *errors);

/* Columns at, at + step, ... show the wave of index, index + 1, ...; `count` columns. */
struct spatial_band {
    size_t at, step;
    enum axes_wave wave;
    size_t index, count;
};
enum { SPATIAL_BANDS_MOST = 3 * AXES_MAX };

/* The layout of rows: points, frequencies and columns. The frequencies are of one of two kinds:
 * axial: ladders over the pairs, each of its axis, scaled by the points' scales.
 * dense: freq and sign [axes][pairs], of the build's memory, which carry the scales. */
struct spatial_columns {
    struct axes_points points;
    size_t pairs, cols, blocks;
    struct axes_ladder ladders[AXES_MAX];
    size_t ladder_count;
    struct phase_freq *freq;
    signed char *sign;
    struct spatial_band bands[SPATIAL_BANDS_MOST];
    size_t band_count;
    /* Of each column, or NULL. */
    const double *amplitude;
    /* Rows of zeros in front. */
    uint64_t blank;
    /* Places on a line of the map; 0: there is no map. */
    uint64_t width;
};

/* Adds a ladder (axes_ladder_open) of the next `pairs` pairs, which the caller may change. */
struct axes_ladder *spatial_columns_ladder(struct spatial_columns *layout, size_t axis,
                                           size_t pairs, double base, double of);
/* Adds a band of columns. */
void spatial_columns_put(struct spatial_columns *layout, size_t at, size_t step,
                         enum axes_wave wave, size_t index, size_t count);
/* Makes the dense frequencies from values[axes][pairs], in turns or radians a unit. */
bool spatial_columns_dense(struct pe_build *build, struct spatial_columns *layout,
                           const double *values, bool turns);
/* Returns the nanoseconds that making `frequencies` frequencies takes. */
double spatial_columns_plan_ns(double frequencies);

/* The two tensors of images, points as rows and channels first, are outputs and groups. */
enum { SPATIAL_COLUMNS_ROWS, SPATIAL_COLUMNS_MAP };
#define SPATIAL_COLUMNS_OUTPUT_ROWS(NAMES, BY_DEFAULT, COLUMNS, BOUND)                         \
    [SPATIAL_COLUMNS_ROWS] = {PE_OUTPUT("rows", PE_F32, "pos", "dim"),                         \
                              .label = "Rows",                                                 \
                              .columns = COLUMNS,                                              \
                              .summary = "the encoding of each point, a row a point",          \
                              .by_default = BY_DEFAULT,                                        \
                              .uses = NAMES,                                                   \
                              .bound = BOUND}
#define SPATIAL_COLUMNS_OUTPUT_MAP(NAMES, BY_DEFAULT, BOUND)                                   \
    [SPATIAL_COLUMNS_MAP] = {                                                                  \
        PE_OUTPUT("map", PE_F32, "channel", "h", "w"),                                         \
        .label = "Map",                                                                        \
        .summary = "the encoding of each cell, channels before rows and columns",              \
        .by_default = BY_DEFAULT,                                                              \
        .uses = NAMES,                                                                         \
        .bound = BOUND}
/* Returns the rank and the shape of one of the two tensors for a grid and `cols` columns. */
size_t spatial_columns_shape(size_t output, uint64_t cols, const struct pe_grid *grid,
                             uint64_t dims[PE_MAX_RANK]);
/* Fills the rows and, with a width, the map of a layout. */
void spatial_columns_serve(struct pe_build *build, const struct spatial_columns *layout);

/* The two steps of spatial_columns_serve. The first makes the columns, which live as long as
 * the plan; NULL: out of memory. Columns of no band are zero; a caller that sets them itself
 * gets their address in *column. The second fills the outputs; columns may be NULL. */
struct axes_columns *spatial_columns_new(struct pe_build *build,
                                         const struct spatial_columns *layout,
                                         struct axes_column **column);
void spatial_columns_fill(struct pe_build *build, struct axes_columns *columns, uint64_t width);

/* The .detail of an encoding whose frequencies are axial: how values are laid out. The hooks
 * read it, of an /apply twin that of the encoding whose rows it combines. */
struct spatial_columns_kind {
    void (*lay_out)(const void *values, struct spatial_columns *layout);
};
#define SPATIAL_COLUMNS_HOOKS(LAY_OUT)                                                         \
    .detail = &(const struct spatial_columns_kind){LAY_OUT},                                   \
    .plan_ns = spatial_columns_kind_plan_ns, .prepare = spatial_columns_kind_prepare
double spatial_columns_kind_plan_ns(const struct pe_args *args, const void *values);
void spatial_columns_kind_prepare(struct pe_build *build, const void *values);
