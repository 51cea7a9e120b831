/* SPDX-License-Identifier: Apache-2.0
 * detr_places.h - places of pixels among the unpadded pixels, as DETR and its family
 * count them along each axis of an image or a video:
 *
 *     c_e = unmasked pixels before and at this one, along the axis; 1, 2, ... without a mask
 *     normalized: c_e = (c_e + offset) / (c_e of the last pixel + eps); scale is the ladder's
 */
#pragma once

#include "core/encodings/spatial/detr_ladder.h"

/* Members of an encoding's struct; the mask of a video has the rows of frame after frame. */
struct detr_places {
    struct pe_grid grid;
    struct pe_reals mask;
    double offset, eps;
    bool normalize;
};

#define DETR_PLACES_ROWS_PIXELS(TYPE, PART)                                                    \
    {PE_FIELD_OF(TYPE, PART, grid), .type = PE_GRID, .optional = true,                         \
     .summary = "rows and columns of an image without padding, 25x34"},                        \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, mask), .type = PE_REALS, .matrix = true, .min = 0, .max = 1,   \
                                       .summary = "or its pixels, 1 is padding: 0,0,1;0,0,1"   \
    }
#define DETR_PLACES_ROWS_NORMALIZE(TYPE, PART)                                                 \
    {PE_FIELD_OF(TYPE, PART, normalize), .type = PE_BOOL, .preset = 1,                         \
     .summary = "divide by the last place, so that images of any size span scale"},            \
        {PE_FIELD_OF(TYPE, PART, offset),                                                      \
         .type = PE_REAL,                                                                      \
         .optional = true,                                                                     \
         .min = -1000,                                                                         \
         .max = 1000,                                                                          \
         .summary = "added to places, with normalize: 0; Deformable DETR -0.5"},               \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, eps), .type = PE_REAL, .optional = true, .min = 0, .max = 1,   \
                                      .summary = "added to the last place, with normalize: "   \
                                                 "1e-6"                                        \
    }

/* Fills the defaults of normalize, among them the ladder's scale. */
void detr_places_resolve(struct detr_places *places, struct detr_ladder *ladder);
/* Checks these parameters; an image has two axes, a video three, even if of one frame. */
enum pe_status detr_places_check(const struct detr_places *places,
                                 const struct detr_ladder *ladder, int64_t frames, size_t axes,
                                 struct pe_errors *errors);
/* Returns the rows and columns of an image, or of each frame. */
struct pe_grid detr_places_grid(const struct detr_places *places, int64_t frames);

/* Makes points whose coordinates are the places on `axes` axes (2: y, x; 3: frame, y, x), each
 * as two numbers, the halves of a double-double. Returns false when out of memory. */
enum { DETR_PLACES_HALVES = 2 };
bool detr_places_points(struct pe_build *build, const struct detr_places *places,
                        int64_t frames, size_t axes, struct axes_points *points);
/* Makes the frequencies of such points: the pairs of each axis, one axis after the other,
 * multiply both halves of the axis's number and no other. The last axis is that of x. */
bool detr_places_frequencies(struct pe_build *build, const struct detr_ladder *const ladders[],
                             size_t axes, struct spatial_columns *layout);
