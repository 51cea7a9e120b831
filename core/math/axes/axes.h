/* SPDX-License-Identifier: Apache-2.0
 * axes.h - rotations by several coordinates at once: rows of images, video, text beside them.
 * Pair i turns by angle_i = sum over axes a of F[a,i] p_a; most encodings have one axis a pair.
 * Presets differ in who turns by what, and in where the coordinates come from: axes_points. */
#ifndef PE_MATH_AXES_H
#define PE_MATH_AXES_H

#include "core/encoding.h"
#include "core/math/rotation/rotation.h"

enum { AXES_MAX = 8 };

/* A coordinate is a number (mostly whole) times multiplier / divisor * sqrt(root), so that
 * centred and normalised coordinates are exact. Each factor is 1 unless it is set. */
struct axes_scale {
    double multiplier, divisor, root;
};

/* Where the coordinates of a row come from: lists (one an axis, read side by side), the rows of
 * a matrix, or a walk over a grid whose last axis is the fastest. */
struct axes_points {
    size_t axes;
    uint64_t rows;   /* of the answer */
    uint64_t before; /* rows of zeros before the first point (class token); rows after the last
                      * point are zeros too */
    bool lists;      /* list[] is meant; an axis without one stays at 0 */
    const struct pe_positions *list[AXES_MAX];
    const struct pe_reals *ids;             /* rows x axes, or NULL */
    uint64_t count[AXES_MAX];               /* grid: k = 0 .. count-1 */
    double first[AXES_MAX], step[AXES_MAX]; /* a number is first + step k, k as given */
    uint64_t merge;               /* the last two axes in blocks of merge x merge; 0, 1: no */
    const struct pe_reals *grids; /* rows t,h,w walked one after the other, or NULL; their
                                   * first axis (of time) is no coordinate */
    struct axes_scale scale[AXES_MAX];
    /* computes the numbers of a row; NULL: one of the sources above has them */
    void (*compute)(const void *context, uint64_t row, double *numbers);
    const void *context;
};

/* Points of no rows, scales 1. */
struct axes_points axes_points_none(size_t axes);
/* A grid of n axes from 0 by 1. */
struct axes_points axes_points_grid(size_t axes, const uint64_t *count);
/* Read the numbers of a row, one for each axis; they are not scaled yet. */
void axes_points_at(const struct axes_points *points, uint64_t row, double *numbers);
/* number times the scale of its axis. */
double axes_points_scaled(const struct axes_points *points, size_t axis, double number);

/* Frequencies of pairs first, first + step, ... (count of them), which turn by one axis:
 *
 *     geometric:    w_i = k b^(power i / (of - less)), b = base growth^(growth_power) / under
 *     natural:      w_i = k e^(power i / (of - less))
 *     pixel-linear: w_i = k (1 + i (b/2 - 1) / of)
 *     still:        w_i = 0                              k = times / divisor (pi if set) */
enum axes_ladder_kind { AXES_GEOMETRIC, AXES_PIXEL_LINEAR, AXES_STILL, AXES_NATURAL };
struct axes_ladder {
    enum axes_ladder_kind kind;
    size_t axis, first, step, count;
    double base, power, of, less;                   /* less: exact profile only */
    double growth, growth_number, growth_of, under; /* growth_power = number / of */
    double times, divisor;
    bool pi;
    double offset; /* i counts from it: w_i of i + offset; geometric */
};

/* w_i = base^(-i / of) for pairs first ..: what most are. */
struct axes_ladder axes_ladder_open(size_t axis, size_t first, size_t step, size_t count,
                                    double base, double of);
/* out[first + step i] of each ladder, times the scale of its axis unless scale is NULL. False
 * when out of memory. */
bool axes_ladder_build(struct phase_freq *out, const struct axes_ladder *ladders, size_t count,
                       const struct axes_scale *scale);
/* Compute a ladder as double and float32 pipelines do: 1 / pow(base, 2i/d), 1 / powf(...);
 * without scales. */
void axes_ladder_f64(double *out, const struct axes_ladder *ladder);
void axes_ladder_f32(float *out, const struct axes_ladder *ladder);

/* A table to fill: cos and sin (slots 0 and 1) of `cols` columns, column c of pair
 * column[c]. */
struct axes {
    struct axes_points points;
    size_t pairs;
    const struct rotation *rotation; /* frequencies with scales, amplitude, profile */
    const unsigned char *axis;       /* [pairs]; NULL: dense, freq is [axes][pairs] */
    const signed char *sign;         /* dense: of each frequency */
    size_t cols;
    const uint32_t *column;
};

/* Cosine and sine of pairs [low, high) at these numbers, into cosine[low] .. and sine[low] ..;
 * a pair's do not depend on its neighbours. */
void axes_waves(const struct axes *axes, const double *numbers, size_t low, size_t high,
                double *cosine, double *sine);
double axes_cost(const struct axes *axes); /* of a sine or a cosine, in operations */
/* The angle of a pair in radians. */
double axes_angle(const struct axes *axes, const double *numbers, size_t pair);
/* Evaluate the pairs of a row, without columns, into cosine[0] .. and sine[0] .. */
void axes_row(const struct axes *axes, uint64_t row, size_t low, size_t high, double *cosine,
              double *sine);

extern const struct pe_filler axes_filler;            /* cos, sin: state struct axes */
extern const struct pe_filler axes_both_filler;       /* 2 cols: sines, then cosines */
extern const struct pe_filler axes_angle_filler;      /* angles, one column for each pair */
extern const struct pe_filler axes_coordinate_filler; /* scaled coordinates, one an axis */

#endif
