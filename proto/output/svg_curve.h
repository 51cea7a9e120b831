/* SPDX-License-Identifier: Apache-2.0
 * svg_curve.h - an output of one axis as a curve in a figure. Of a long axis a few hundred
 * stretches are kept, each with its lowest and its highest value. Private to proto/output. */
#pragma once

#include "proto/output/encoder.h"
#include "proto/pictures/tick.h"

struct svg_curve;

/* The place of a plot in the figure. */
struct svg_box {
    double left, top, width, height;
};

/* Makes the curve of tensor number `index`, whose axis is not empty. NULL when out of
 * memory. */
struct svg_curve *svg_curve_new(const struct encoder *encoder, size_t index);
void svg_curve_free(struct svg_curve *curve);
/* Computes all values. */
void svg_curve_read(struct encoder *encoder, struct svg_curve *curve);
/* The round values of the upright axis, with their texts and their places: the share of the
 * height from the lower end. */
struct svg_curve_mark {
    double share;
    char text[TICK_TEXT_SIZE];
};
/* Finds them for a plot of that height, `gap` or more between two; returns their number. */
size_t svg_curve_marks(const struct svg_curve *curve, double height, double gap,
                       struct svg_curve_mark marks[TICK_MAX]);
size_t svg_curve_count(const struct svg_curve *curve); /* of stretches */
/* Returns whether stretch i has a place, and the shares of its lowest and highest value. */
bool svg_curve_stretch(const struct svg_curve *curve, size_t i, double *low, double *high);
/* Draws the curve with its lines of round values. */
void svg_curve_write(struct buffer *out, const struct svg_curve *curve, struct svg_box box);
/* Returns the number of values that have no place: NaN, infinities and, on a logarithmic axis,
 * what is not positive. */
uint64_t svg_curve_left_out(const struct svg_curve *curve);
