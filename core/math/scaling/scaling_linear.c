/* SPDX-License-Identifier: Apache-2.0
 * scaling_linear.c - position interpolation: w / s (Chen et al. 2023, Extending Context
 * Window by Positional Interpolation). */
#include <math.h>

#include "core/math/scaling/scaling_exact.h"

static void resolve(struct scaling *s, struct pe_errors *errors)
{
    if (isnan(s->factor))
        pe_fail(errors, PE_MISSING_PARAMETER, "factor", "is required with scaling=linear");
}

static void change(struct scaling_exact *exact, size_t i)
{
    mpfr_div_d(exact->w, exact->w, exact->s->factor, MPFR_RNDN);
}

static void f32_change(const struct scaling *s, const float *p, float *w, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        float plain = 1.0F / p[i];

        w[i] = plain / (float)s->factor;
    }
}

const struct scaling_rule scaling_linear = {
    .resolve = resolve,
    .change = change,
    .f32_change = f32_change,
};
