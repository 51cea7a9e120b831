/* SPDX-License-Identifier: Apache-2.0
 * phase_row.h - direct evaluation for one position and many frequencies. */
#pragma once

#include <stddef.h>

#include "core/math/trig/phase.h"

/* Computes phase_sincos_scaled of freq[0..count-1] at a position, to the last bit, but three
 * times as fast for whole positions: the polynomials of many angles are computed together. */
void phase_row(const struct phase_freq *freq, size_t count, double position, double amplitude,
               double *sine, double *cosine);

/* Computes phase_sincos_at of finite float32 angles in radians, to the last bit. */
void phase_row_radians(const float *radians, size_t count, double *sine, double *cosine);
