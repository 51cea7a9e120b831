/* SPDX-License-Identifier: Apache-2.0
 * scaling_llama3.c - Llama 3.1's scaling, by wavelength lambda = 2 pi / w against the
 * original context: shorter than L0/high: kept; longer than L0/low: divided; between:
 * blended with smooth = (L0/lambda - low)/(high - low) (transformers
 * modeling_rope_utils.py). */
#include <math.h>

#include "core/math/scaling/scaling_exact.h"

static void resolve(struct scaling *s, struct pe_errors *errors)
{
    if (isnan(s->factor))
        s->factor = 8;
    if (isnan(s->low_freq_factor))
        s->low_freq_factor = 1;
    if (isnan(s->high_freq_factor))
        s->high_freq_factor = 4;
    if (isnan(s->original_max_position_embeddings))
        s->original_max_position_embeddings = 8192;
    if (s->high_freq_factor < s->low_freq_factor)
        pe_fail(errors, PE_CONFLICT, "high_freq_factor",
                "must be at least low_freq_factor, %g; got %g", s->low_freq_factor,
                s->high_freq_factor);
}

/* The two branches are strict and come first, so that equal factors never divide by zero. */
static void change(struct scaling_exact *exact, size_t i)
{
    const struct scaling *s = exact->s;

    mpfr_const_pi(exact->a, MPFR_RNDN); /* turns = L0 w / 2 pi = L0 / lambda */
    mpfr_mul_2ui(exact->a, exact->a, 1, MPFR_RNDN);
    mpfr_d_div(exact->a, s->original_max_position_embeddings, exact->a, MPFR_RNDN);
    mpfr_mul(exact->a, exact->a, exact->w, MPFR_RNDN);
    if (mpfr_cmp_d(exact->a, s->high_freq_factor) > 0)
        return;
    if (mpfr_cmp_d(exact->a, s->low_freq_factor) < 0) {
        mpfr_div_d(exact->w, exact->w, s->factor, MPFR_RNDN);
        return;
    }
    if (s->high_freq_factor == s->low_freq_factor)
        return;
    mpfr_set_d(exact->b, s->high_freq_factor, MPFR_RNDN);
    mpfr_sub_d(exact->b, exact->b, s->low_freq_factor, MPFR_RNDN);
    mpfr_sub_d(exact->a, exact->a, s->low_freq_factor, MPFR_RNDN);
    mpfr_div(exact->a, exact->a, exact->b, MPFR_RNDN);
    scaling_blend(exact);
}

static float f32_blend(const struct scaling *s, float w, float wavelength)
{
    float original = (float)s->original_max_position_embeddings;
    float width = (float)(s->high_freq_factor - s->low_freq_factor);
    float per = 1.0F / wavelength, turns = per * original;
    float above = turns - (float)s->low_freq_factor, smooth = above / width;
    float rest = 1.0F - smooth, divided = rest * w, kept = smooth * w;

    divided = divided / (float)s->factor;
    return divided + kept;
}

static void f32_change(const struct scaling *s, const float *p, float *w, size_t count)
{
    const float two_pi = 0x1.921fb6p+2F;
    float shortest = (float)(s->original_max_position_embeddings / s->high_freq_factor);
    float longest = (float)(s->original_max_position_embeddings / s->low_freq_factor);

    for (size_t i = 0; i < count; i++) {
        float plain = 1.0F / p[i], inverse = 1.0F / plain, wavelength = inverse * two_pi;

        if (wavelength < shortest)
            w[i] = plain;
        else if (wavelength > longest)
            w[i] = plain / (float)s->factor;
        else if (s->high_freq_factor == s->low_freq_factor)
            w[i] = plain;
        else
            w[i] = f32_blend(s, plain, wavelength);
    }
}

const struct scaling_rule scaling_llama3 = {
    .resolve = resolve,
    .change = change,
    .f32_change = f32_change,
};
