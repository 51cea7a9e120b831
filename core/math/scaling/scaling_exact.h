/* SPDX-License-Identifier: Apache-2.0
 * scaling_exact.h - a scaling rule at work in MPFR, for the rules' files alone. */
#ifndef PE_MATH_SCALING_EXACT_H
#define PE_MATH_SCALING_EXACT_H

#include <mpfr.h>

#include "core/math/scaling/scaling.h"

enum { SCALING_PRECISION = 512 }; /* as frequency.c's: 256 bits of fraction survive */

struct scaling_exact {
    const struct scaling *s;
    size_t pairs;
    mpfr_t base;      /* theta; begin may change it */
    mpfr_t w;         /* the frequency at hand */
    mpfr_t low, high; /* of begin, for change */
    mpfr_t a, b, c;   /* scratch */
};

/* pow, log and exp of doubles, rounded correctly: no libm's last bit decides an answer. */
double scaling_pow(double base, double exponent);
double scaling_log(double value);
double scaling_exp(double value);

/* out = base^(number / of). */
void scaling_power(mpfr_t out, mpfr_t base, double number, double of);
/* Index at which a pair makes b turns in the original context:
 * c(b) = r ln(L0 / (2 pi b)) / (2 ln theta). */
void scaling_correction(struct scaling_exact *exact, mpfr_t out, double turns);
/* w = keep * w + (1 - keep) * w / factor, with keep in exact->a. */
void scaling_blend(struct scaling_exact *exact);
/* ramp: clamp((i - low) / (high - low), 0, 1) into exact->a. */
void scaling_ramp(struct scaling_exact *exact, size_t i);
/* low and high of yarn steps 1-3 for turns fast and slow, not yet parted where equal. */
void scaling_range(struct scaling_exact *exact, double fast, double slow, bool truncate);

#endif
