/* SPDX-License-Identifier: Apache-2.0
 * wavelength.h - what frequencies tell about themselves: wavelengths and frequencies as
 * numbers, and sums of cosines. */
#ifndef PE_MATH_WAVELENGTH_H
#define PE_MATH_WAVELENGTH_H

#include <stddef.h>

#include "core/encoding.h"
#include "core/math/trig/phase.h"

/* 2 pi / w in positions, within 0.51 ULP of double; w is freq's hi + lo. */
double wavelength_of(const struct phase_freq *freq);

/* 2 pi / w < context, decided in double-double; a wavelength within 2^-90 of the context is
 * as long as it. */
bool wavelength_below(const struct phase_freq *freq, double context);

/* Sum over pairs of cos(distance * w_i), and of 4 sin^2(distance * w_i / 2), which is the
 * squared distance of two rows; compensated sums. */
double wavelength_cosines(const struct phase_freq *freq, size_t pairs, double distance);
double wavelength_chords(const struct phase_freq *freq, size_t pairs, double distance);

/* Sums over all pairs are bounded, so that no request holds a thread. */
void wavelength_check_sums(double sums, size_t pairs, struct pe_errors *errors);

/* A vector of doubles as an output (pairs columns): state is the vector. */
extern const struct pe_filler wavelength_vector_filler;

#endif
