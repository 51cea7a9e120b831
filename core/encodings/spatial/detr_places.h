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
    struct pe_reals padding_mask;
    double offset, eps;
    bool normalize;
};

#define DETR_PLACES_ROWS_PIXELS(TYPE, PART, MASK_SUMMARY)                                      \
    {PE_FIELD_OF(TYPE, PART, grid), .type = PE_GRID, .required = true,                         \
     .when = "!padding_mask",                                                                  \
     .summary = "pixels of an image without padding, HEIGHTxWIDTH, as 25x34"},                 \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, padding_mask), .type = PE_REALS, .matrix = true, .min = 0,     \
                                               .max = 1, .summary = MASK_SUMMARY               \
    }
#define DETR_PLACES_ROWS_NORMALIZE(TYPE, PART)                                                 \
    {PE_FIELD_OF(TYPE, PART, normalize), .type = PE_BOOL, .preset = 1,                         \
     .summary =                                                                                \
         "divide places by the last one, so that images of any size span 0 to 1 before "       \
         "scale"},                                                                             \
        {PE_FIELD_OF(TYPE, PART, offset),                                                      \
         .type = PE_REAL,                                                                      \
         .min = -1000,                                                                         \
         .max = 1000,                                                                          \
         .when = "normalize",                                                                  \
         .summary = "added to places, which count from 1, before they are divided: -0.5 in "   \
                    "Deformable DETR"},                                                        \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, eps),                                                          \
            .type = PE_REAL, .min = 0, .max = 1, .preset = 1e-6, .when = "normalize",          \
            .summary = "added to the last place, which places are divided by"                  \
    }
#define DETR_PLACES_PIXELS "grid|padding_mask"

/* Sets the ladder's scale to 1 where places are not normalized. */
void detr_places_resolve(const struct detr_places *places, struct detr_ladder *ladder);
/* Checks these parameters; an image has two axes, a video three, even if of one frame. */
enum pe_status detr_places_check(const struct detr_places *places, int64_t frames, size_t axes,
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
