/* SPDX-License-Identifier: Apache-2.0
 * scaling_proportional.c - p-RoPE (Barbero et al. 2024; Gemma 4): exponents by the whole
 * head, the fastest fraction of the pairs turns, the rest stands still (frequency 0: cos 1,
 * sin 0). */
#include <math.h>

#include "core/math/scaling/scaling_exact.h"

static void resolve(struct scaling *s, struct pe_errors *errors)
{
    if (isnan(s->factor))
        s->factor = 1;
}

static void change(struct scaling_exact *exact, size_t i)
{
    if (i >= exact->s->real_pairs)
        mpfr_set_zero(exact->w, 1);
    else
        mpfr_div_d(exact->w, exact->w, exact->s->factor, MPFR_RNDN);
}

static void f32_change(const struct scaling *s, const float *p, float *w, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        float plain = 1.0F / p[i];

        w[i] = i < s->real_pairs ? plain / (float)s->factor : 0.0F;
    }
}

const struct scaling_rule scaling_proportional = {
    .resolve = resolve,
    .change = change,
    .f32_change = f32_change,
};
