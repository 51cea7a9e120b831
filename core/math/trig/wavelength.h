/* SPDX-License-Identifier: Apache-2.0
 * wavelength.h - facts about frequencies: wavelengths and frequencies as numbers, and sums of
 * cosines. */
#pragma once

#include <stddef.h>

#include "core/encoding.h"
#include "core/math/trig/phase.h"

/* Computes 2 pi / w in positions, within 0.51 ULP of double; w is hi + lo of freq. */
double wavelength_of(const struct phase_freq *freq);

/* Decides 2 pi / w < context in double-double; a wavelength within 2^-90 of the context counts
 * as equal. */
bool wavelength_below(const struct phase_freq *freq, double context);

/* Sums cos(distance * w_i) over pairs, and 4 sin^2(distance * w_i / 2), which is the squared
 * distance of two rows; compensated sums. */
double wavelength_cosines(const struct phase_freq *freq, size_t pairs, double distance);
double wavelength_chords(const struct phase_freq *freq, size_t pairs, double distance);

/* Refuse too many sums over all pairs, so that no request holds a thread. */
void wavelength_check_sums(double sums, size_t pairs, struct pe_errors *errors);

/* Shows a vector of doubles as an output (pairs columns); the state is the vector. */
extern const struct pe_filler wavelength_vector_filler;
