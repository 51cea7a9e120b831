/* SPDX-License-Identifier: Apache-2.0
 * frequency.h - geometric ladders of frequencies, exact and as float32 profiles take them.
 * The only users of MPFR in core are the .c files of this folder. All functions may run in
 * many threads at once. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/math/number/dd.h"
#include "core/math/trig/phase.h"

/* w_i = multiplier / divisor * min_scale * (base / min_scale)^(-i / denominator) radians per
 * position, i = 0..count-1, each below 2^192.
 * geometric-open over dim columns: denominator = dim/2 (a real: dim may be odd).
 * geometric-closed: denominator = count - 1 (count 1: w_0 = 1 whatever the base). */
struct frequency_ladder {
    double base;        /* 1e-18 .. 1e18 */
    double denominator; /* > 0; not read when count is 1 */
    size_t count;
    double multiplier; /* > 0: positions are multiplied by it (sinusoidal scale) */
    double divisor;    /* > 0: linear scaling factor */
    double min_scale;  /* > 0, or 0 for none: tensor2tensor's min_timescale */
};

/* Fills out[count] by one mpfr_pow; the 256 bits of fraction of each frequency are right but
 * for the last. Returns false when out of memory. */
bool frequency_build(struct phase_freq *out, const struct frequency_ladder *ladder);

/* Takes factor * w radians per position, factor >= 0, w >= 0 a double-double, and half of it.
 * Returns false when out of memory. */
bool frequency_of(struct phase_freq *whole, struct phase_freq *half, struct dd w,
                  double factor);

/* Fills w_c = sqrt(count)^(-c sqrt(count) / (count - 1)), c = 0..count-1. Returns false when
 * out of memory. */
bool frequency_root_ladder(struct phase_freq *out, size_t count);

/* Fills the powers from which profiles start, correctly rounded, i = 0..count-1: p_i =
 * powf(base, fl(fl(2i) / fl(dim))); expf(fl(fl(2i) * fl(-ln(base) / dim))); pow(base, 2i / dim)
 * in double. */
void frequency_f32_powers(float *out, size_t count, float base, size_t dim);
float frequency_f32_power(float base, float exponent);
void frequency_f32_exps(float *out, size_t count, double base, size_t dim);
void frequency_f64_powers(double *out, size_t count, double base, size_t dim);

/* Computes base^(scale * number / of) as a double-double, right to 2^-104 relative; for
 * slopes. */
void frequency_pow_ratio(double base, double scale, double number, double of, double *hi,
                         double *lo);

/* Computes out[i] = base^(scale * (first + i * step) / of), hi and lo, right to 2^-104 relative
 * for counts up to 2^16, by one power and a multiplication each; for slopes. */
void frequency_pow_ladder(double base, double scale, double of, size_t first, size_t step,
                          size_t count, double (*out)[2]);
