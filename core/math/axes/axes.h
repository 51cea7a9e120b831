/* SPDX-License-Identifier: Apache-2.0
 * axes.h - rotations by several coordinates at once: rows of images, of video, and of the text
 * beside them. Pair i turns by angle_i = sum over axes a of F[a,i] p_a; in most encodings each
 * pair has one axis. Encodings differ in the axis of each pair, and in where the coordinates
 * come from (struct axes_points). */
#pragma once

#include "core/encoding.h"
#include "core/math/rotation/rotation.h"

enum { AXES_MAX = 8 };

/* A coordinate is a number (mostly whole) times multiplier / divisor * sqrt(root) * factor, so
 * that centred and normalised coordinates are exact. Each factor is 1 unless it is set. */
struct axes_scale {
    double multiplier, divisor, root, factor;
};

/* Where the coordinates of a row come from: lists (one an axis, read side by side), the rows of
 * a matrix, or a walk over a grid whose last axis is the fastest. */
struct axes_points {
    size_t axes;
    uint64_t rows;   /* rows of the answer */
    uint64_t before; /* rows of zeros before the first point (class token); rows after the last
                      * point are zeros too */
    bool lists;      /* list[] has the numbers; an axis without a list stays at 0 */
    const struct pe_positions *list[AXES_MAX];
    const struct pe_reals *ids;             /* numbers of rows x axes, or NULL */
    bool axes_first;                        /* the ids are axes x rows instead */
    uint64_t count[AXES_MAX];               /* steps of a grid: k = 0 .. count-1 */
    double first[AXES_MAX], step[AXES_MAX]; /* the grid's number of k is first + step k */
    double first_rest[AXES_MAX];            /* what first lacks, as the low part of a dd */
    double step_rest[AXES_MAX];
    uint64_t merge; /* the last two axes are walked in blocks of merge x merge; 0, 1: they are
                     * walked row by row */
    const struct pe_reals *grids; /* grids t,h,w that are walked one after the other, or NULL;
                                   * their first axis (time) is no coordinate */
    struct axes_scale scale[AXES_MAX];
    /* Computes the numbers of a row. NULL: one of the sources above has them. */
    void (*compute)(const void *context, uint64_t row, double *numbers);
    const void *context;
};

/* Returns points without rows, whose scales are 1. */
struct axes_points axes_points_none(size_t axes);
/* Returns the points of a grid whose axes begin at 0 and have step 1. */
struct axes_points axes_points_grid(size_t axes, const uint64_t *count);
/* The numbers of a row, one for each axis, before they are scaled. rest is what a number lacks
 * where first + step k is no double: at most half an ULP of it. */
struct axes_place {
    double number[AXES_MAX], rest[AXES_MAX];
};

void axes_points_at(const struct axes_points *points, uint64_t row, struct axes_place *place);
/* Whether first and step are whole on every axis, so that the numbers of a grid are doubles. */
bool axes_points_are_whole(const struct axes_points *points);
/* Returns the number times the scale of its axis. */
double axes_points_scaled(const struct axes_points *points, size_t axis, double number);

/* The frequencies of `count` pairs, first, first + step, ..., which turn by one axis:
 *
 *     geometric:    w_i = k b^(power i / (of - less)), b = base growth^(growth_power) / under
 *     natural:      w_i = k e^(power i / (of - less))
 *     pixel-linear: w_i = k (1 + i (b/2 - 1) / of)
 *     still:        w_i = 0                              k = times / divisor (pi if set) */
enum axes_ladder_kind { AXES_GEOMETRIC, AXES_PIXEL_LINEAR, AXES_STILL, AXES_NATURAL };
struct axes_ladder {
    enum axes_ladder_kind kind;
    size_t axis, first, step, count;
    double base, power, of, less;                   /* less: in the exact profile only */
    double growth, growth_number, growth_of, under; /* growth_power = number / of */
    double times, divisor;
    bool pi;
    double offset;      /* geometric: w_i is that of i + offset */
    bool short_periods; /* geometric: the period divisor / b^(power i / of), of which w_i is
                         * times / period, is rounded to bfloat16 */
};

/* Returns the ladder that most encodings have: w_i = base^(-i / of). */
struct axes_ladder axes_ladder_open(size_t axis, size_t first, size_t step, size_t count,
                                    double base, double of);
/* Sets out[first + step i] of each ladder to its frequency, times the scale of the ladder's
 * axis unless scale is NULL. Returns false when out of memory. */
bool axes_ladder_build(struct phase_freq *out, const struct axes_ladder *ladders, size_t count,
                       const struct axes_scale *scale);
/* Computes a ladder as double and float32 pipelines do: 1 / pow(base, 2i/d), 1 / powf(...);
 * without scales. */
void axes_ladder_f64(double *out, const struct axes_ladder *ladder);
void axes_ladder_f32(float *out, const struct axes_ladder *ladder);

/* A table to fill: cosines (slot 0) and sines (slot 1) in `cols` columns; column c shows pair
 * column[c]. */
struct axes {
    struct axes_points points;
    size_t pairs;
    const struct rotation *rotation; /* frequencies times scales, amplitude, profile */
    const unsigned char *axis;       /* axis of each pair; NULL: freq is dense, [axes][pairs] */
    const signed char *sign;         /* sign of each dense frequency */
    size_t cols;
    const uint32_t *column;
};

/* Returns the angle of a pair in radians. */
double axes_angle(const struct axes *axes, const struct axes_place *place, size_t pair);
/* Writes the cosines and sines of pairs [low, high) at a place to cosine[low] .. and
 * sine[low] ..; those of a pair do not depend on its neighbours. */
void axes_waves(const struct axes *axes, const struct axes_place *place, size_t low,
                size_t high, double *cosine, double *sine);
/* Returns the operations that one sine or cosine takes. */
double axes_cost(const struct axes *axes);
/* Writes the cosines and sines of pairs [low, high) of a row to cosine[0] .. and sine[0] ..;
 * columns are not used. */
void axes_row(const struct axes *axes, uint64_t row, size_t low, size_t high, double *cosine,
              double *sine);

extern const struct pe_filler axes_filler;       /* cosines and sines; state: struct axes */
extern const struct pe_filler axes_both_filler;  /* 2 * cols columns: sines, then cosines */
extern const struct pe_filler axes_angle_filler; /* angles, one column for each pair */
extern const struct pe_filler
    axes_coordinate_filler; /* scaled coordinates, one column an axis */
