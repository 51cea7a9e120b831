/* SPDX-License-Identifier: Apache-2.0
 * frequency_exact.h - frequencies as numbers of MPFR, for the files that change ladders
 * before they become fixed point (core/math/scaling). */
#pragma once

#include <mpfr.h>

#include "core/math/trig/frequency.h"

enum { FREQUENCY_PRECISION = 512 };

/* Convert the frequency w (radians per position, 0 or below 2^192, of FREQUENCY_PRECISION
 * bits). */
void frequency_take(struct phase_freq *out, mpfr_t w);
