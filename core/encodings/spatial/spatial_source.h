/* SPDX-License-Identifier: Apache-2.0
 * spatial_source.h - the source of coordinates of encodings with any number of axes: lists
 * by name, a matrix of ids, or a grid. */
#pragma once

#include "core/encoding.h"
#include "core/math/axes/axes.h"

struct spatial_source {
    const struct pe_positions *pos, *t, *h, *w, *l;
    struct pe_reals ids, grid_sizes;
};

#define SPATIAL_SOURCE_LIST(TYPE, PART, NAME, FIELD)                                           \
    {                                                                                          \
        .name = (NAME), .offset = offsetof(TYPE, PART.FIELD), .type = PE_POSITIONS,            \
        .optional = true, .fractions = true, .unit = "positions", .when = "!ids&!grid_sizes"   \
    }

#define SPATIAL_SOURCE_ROWS(TYPE, PART)                                                        \
    {PE_FIELD_OF(TYPE, PART, pos),                                                             \
     .type = PE_POSITIONS,                                                                     \
     .optional = true,                                                                         \
     .fractions = true,                                                                        \
     .unit = "positions",                                                                      \
     .when = "!ids&!grid_sizes",                                                               \
     .summary = "coordinates of the tokens on every axis that has no list of its own"},        \
        SPATIAL_SOURCE_LIST(TYPE, PART, "pos.t", t),                                           \
        SPATIAL_SOURCE_LIST(TYPE, PART, "pos.h", h),                                           \
        SPATIAL_SOURCE_LIST(TYPE, PART, "pos.w", w),                                           \
        SPATIAL_SOURCE_LIST(TYPE, PART, "pos.l", l),                                           \
        {PE_FIELD_OF(TYPE, PART, ids),                                                         \
         .type = PE_REALS,                                                                     \
         .matrix = true,                                                                       \
         .min = -0x1p53,                                                                       \
         .max = 0x1p53,                                                                        \
         .when = "!grid_sizes",                                                                \
         .summary = "coordinates, a row a token and a column an axis: 0,0;0,1;1,0"},           \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, grid_sizes),                                                   \
            .type = PE_REALS, .min = 1, .max = 65536,                                          \
            .summary = "sides of a grid, the last axis fastest: 2,4,6 (frames, rows, columns)" \
    }

/* What outputs of rows need: coordinates from one of the sources. */
#define SPATIAL_SOURCE_ONE "pos|pos.t|pos.h|pos.w|ids|grid_sizes"
#define SPATIAL_SOURCE_NAMES "pos", "pos.t", "pos.h", "pos.w", "pos.l", "ids", "grid_sizes"

/* Checks that one source is given, with `axes` axes of equal length. */
enum pe_status spatial_source_check(const struct spatial_source *source, size_t axes,
                                    struct pe_errors *errors);
struct axes_points spatial_source_points(const struct spatial_source *source, size_t axes);
/* Returns the largest size of a coordinate of a checked source, and its parameter in *name. */
double spatial_source_largest(const struct spatial_source *source, size_t axes,
                              const char **name);
