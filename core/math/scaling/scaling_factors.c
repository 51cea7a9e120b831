/* SPDX-License-Identifier: Apache-2.0
 * scaling_factors.c - explicit divisors: w' = w / f_i (ggml's freq_factors, GGUF
 * rope_freqs). */
#include "core/math/scaling/scaling_exact.h"

static void resolve(struct scaling *s, struct pe_errors *errors)
{
    if (s->freq_factors.rows == 0)
        pe_fail(errors, PE_MISSING_PARAMETER, "freq_factors",
                "is required with scaling=factors: one divisor a pair");
    else if (s->freq_factors.cols != s->rotary_dim / 2)
        pe_fail(errors, PE_CONFLICT, "freq_factors",
                "must have one divisor a pair, %zu; got %zu", s->rotary_dim / 2,
                s->freq_factors.cols);
}

static void change(struct scaling_exact *exact, size_t i)
{
    mpfr_div_d(exact->w, exact->w, exact->s->freq_factors.values[i], MPFR_RNDN);
}

static void f32_change(const struct scaling *s, const float *p, float *w, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        float divided = (float)s->freq_factors.values[i] * p[i];

        w[i] = 1.0F / divided;
    }
}

const struct scaling_rule scaling_factors = {
    .resolve = resolve,
    .change = change,
    .f32_change = f32_change,
};
