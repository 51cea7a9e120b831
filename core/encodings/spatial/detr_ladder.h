/* SPDX-License-Identifier: Apache-2.0
 * detr_ladder.h - the frequencies that the encodings of DETR and its family share:
 *
 *     t_f = base^(2 floor(f/2) / F), f = 0..F-1      f even: sin(c scale / t_f), odd: cos
 */
#pragma once

#include "core/encodings/spatial/spatial_columns.h"

struct detr_ladder {
    int64_t num_pos_feats;
    double base, base_w, scale; /* scale: a number, or DETR_LADDER_TURN for 2 pi */
};

#define DETR_LADDER_TURN (-1.0)
extern const struct pe_word detr_ladder_scales[];

/* WHEN: where scale has an effect; NULL: always. */
#define DETR_LADDER_ROWS(TYPE, PART, WHEN)                                                     \
    {PE_FIELD_OF(TYPE, PART, num_pos_feats),                                                   \
     .type = PE_INT,                                                                           \
     .min = 1,                                                                                 \
     .max = 65536,                                                                             \
     .preset = 128,                                                                            \
     .summary = "columns of each coordinate: half the width of a row of two coordinates"},     \
        {PE_FIELD_OF(TYPE, PART, base),                                                        \
         .type = PE_REAL,                                                                      \
         .min = 1,                                                                             \
         .max = 1e18,                                                                          \
         .preset = 10000,                                                                      \
         .summary = "base of the geometric frequencies (temperature, temperatureH)"},          \
        {PE_FIELD_OF(TYPE, PART, base_w),                                                      \
         .type = PE_REAL,                                                                      \
         .optional = true,                                                                     \
         .min = 1,                                                                             \
         .max = 1e18,                                                                          \
         .summary =                                                                            \
             "base of the frequencies of x and width (temperatureW of DAB-DETR), where "       \
             "it differs from base"},                                                          \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, scale),                                                        \
            .type = PE_REAL, .min = 1e-18, .max = 1e18, .preset = DETR_LADDER_TURN,            \
            .words = detr_ladder_scales, .when = (WHEN), .unit = "radians",                    \
            .summary = "angle that a coordinate of 1 has in the fastest pair, in radians"      \
    }

/* Leaves base_w absent where it decides nothing. */
void detr_ladder_resolve(struct detr_ladder *ladder);
/* Returns the number of frequencies of a coordinate, ceil(F/2). */
size_t detr_ladder_pairs(const struct detr_ladder *ladder);
/* Returns the ladder of the pairs from `first` on; across: the coordinate is x or width. */
struct axes_ladder detr_ladder_of(const struct detr_ladder *ladder, size_t axis, size_t first,
                                  bool across);
/* Sets the num_pos_feats columns of a coordinate whose pairs begin at `first`. */
void detr_ladder_put(const struct detr_ladder *ladder, struct axes_column *column,
                     size_t first);
