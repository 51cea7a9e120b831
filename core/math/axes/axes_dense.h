/* SPDX-License-Identifier: Apache-2.0
 * axes_dense.h - frequencies of pairs that turn by every axis: F[axis][pair], either sign. */
#pragma once

#include "core/math/axes/axes.h"

/* Sets freq and sign from values[axes][pairs], times the scale of each axis. Returns false when
 * out of memory. */
bool axes_dense_build(struct phase_freq *freq, signed char *sign, const double *values,
                      size_t axes, size_t pairs, const struct axes_scale *scale);
/* Do as axes_dense_build for values in turns per unit, which are multiplied by 2 pi. */
bool axes_dense_build_turns(struct phase_freq *freq, signed char *sign, const double *values,
                            size_t axes, size_t pairs, const struct axes_scale *scale);

/* Sets out[count][axes] to golden-gate directions (Xiong 2025): unit vector number t = 1, 2,
 * ... comes from the quasi-random sequence frac(t g^-k) through the inverse error function.
 * Each component is right to the last bit of double but for its rounding. Returns false when
 * out of memory. */
bool axes_dense_directions(double *out, size_t count, size_t axes);
/* Sets out[count][2] to the directions of two axes: (cos phi, sin phi), phi = t pi (sqrt 5 -
 * 1)/2, t = 0, 1, ... Returns false when out of memory. */
bool axes_dense_angles(double *out, size_t count);
