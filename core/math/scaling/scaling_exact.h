/* SPDX-License-Identifier: Apache-2.0
 * scaling_exact.h - a scaling rule at work in MPFR, for the rules' files alone. */
#pragma once

#include <mpfr.h>

#include "core/math/scaling/scaling.h"

enum { SCALING_PRECISION = 512 }; /* bits as in frequency.c: 256 bits of fraction survive */

struct scaling_exact {
    const struct scaling *s;
    size_t pairs;
    mpfr_t base;                    /* theta, which the hook begin may change */
    mpfr_t w;                       /* the frequency that is being changed */
    mpfr_t low, high;               /* set by the hook begin for the hook change, */
    mpfr_t second_low, second_high; /* and the second range of a rule that has two */
    mpfr_t a, b, c;                 /* scratch */
};

/* Returns the power, logarithm or exponential of doubles, correctly rounded, so that no libm's
 * last bit decides an answer. */
double scaling_pow(double base, double exponent);
double scaling_log(double value);
double scaling_exp(double value);

/* Computes out = base^(number / of). */
void scaling_power(mpfr_t out, mpfr_t base, double number, double of);
/* Replaces w by keep * w + (1 - keep) * w / factor, where exact->a is keep. */
void scaling_blend(struct scaling_exact *exact);
/* Sets exact->a to the ramp clamp((i - low) / (high - low), 0, 1). */
void scaling_ramp(struct scaling_exact *exact, size_t i);
/* Sets low and high as steps 1-3 of yarn do, for the turns fast and slow; equal ones are not
 * parted yet. */
void scaling_range(struct scaling_exact *exact, double fast, double slow, bool truncate);
