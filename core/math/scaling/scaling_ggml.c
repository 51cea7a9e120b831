/* SPDX-License-Identifier: Apache-2.0
 * scaling_ggml.c - the parameter set of ggml_rope_ext (llama.cpp), which works on the angle:
 *
 *     e_i = p theta^(-2i/r) / ff_i,   angle = freq_scale e_i (1 - mix_i) + e_i mix_i
 *     mix_i = ext_factor (1 - clamp((i - low) / max(0.001, high - low), 0, 1))
 *
 * low and high by YaRN's range, always truncated; cos and sin carry attn_factor, times 1 +
 * 0.1 ln(1/freq_scale) where ext_factor is not 0. ggml holds every real as float32, so they
 * are rounded to it first (ggml ops.cpp, rope_yarn). */
#include <math.h>

#include "core/math/scaling/scaling_exact.h"

static double single(double value)
{
    return (double)(float)value;
}

static void resolve(struct scaling *s, struct pe_errors *errors)
{
    s->freq_scale = single(isnan(s->freq_scale) ? 1 : s->freq_scale);
    s->ext_factor = single(isnan(s->ext_factor) ? 0 : s->ext_factor);
    s->attn_factor = single(isnan(s->attn_factor) ? 1 : s->attn_factor);
    s->beta_fast = single(isnan(s->beta_fast) ? 32 : s->beta_fast);
    s->beta_slow = single(isnan(s->beta_slow) ? 1 : s->beta_slow);
    if (s->ext_factor == 0) {
        s->beta_fast = s->beta_slow = NAN; /* ext_factor is 0, so the range has no effect */
        s->original_max_position_embeddings = NAN;
    } else if (isnan(s->original_max_position_embeddings)) {
        pe_fail(errors, PE_MISSING_PARAMETER, "original_max_position_embeddings",
                "is required with ext_factor other than 0 (n_ctx_orig)");
    }
    if (s->ext_factor != 0 && s->base == 1)
        pe_fail(errors, PE_CONFLICT, "base", "must not be 1: a range of pairs needs ln(base)");
    if (s->ext_factor != 0 && s->beta_fast < s->beta_slow)
        pe_fail(errors, PE_CONFLICT, "beta_fast", "must be at least beta_slow, %g; got %g",
                s->beta_slow, s->beta_fast);
    if (s->freq_factors.rows > 0 && s->freq_factors.cols != s->rotary_dim / 2)
        pe_fail(errors, PE_CONFLICT, "freq_factors",
                "must have one divisor a pair, %zu; got %zu", s->rotary_dim / 2,
                s->freq_factors.cols);
}

static void begin(struct scaling_exact *exact)
{
    const struct scaling *s = exact->s;

    if (s->ext_factor == 0)
        return;
    scaling_range(exact, s->beta_fast, s->beta_slow, true);
    mpfr_sub(exact->b, exact->high, exact->low, MPFR_RNDN);
    if (mpfr_cmp_d(exact->b, 0.001) < 0)
        mpfr_add_d(exact->high, exact->low, 0.001, MPFR_RNDN);
}

static void change(struct scaling_exact *exact, size_t i)
{
    const struct scaling *s = exact->s;

    if (s->freq_factors.rows > 0)
        mpfr_div_d(exact->w, exact->w, single(s->freq_factors.values[i]), MPFR_RNDN);
    if (s->ext_factor == 0) {
        mpfr_mul_d(exact->w, exact->w, s->freq_scale, MPFR_RNDN);
        return;
    }
    scaling_ramp(exact, i);
    mpfr_ui_sub(exact->a, 1, exact->a, MPFR_RNDN);
    mpfr_mul_d(exact->a, exact->a, s->ext_factor, MPFR_RNDN); /* a is now mix_i */
    mpfr_ui_sub(exact->b, 1, exact->a, MPFR_RNDN);
    mpfr_mul_d(exact->b, exact->b, s->freq_scale, MPFR_RNDN);
    mpfr_add(exact->b, exact->b, exact->a, MPFR_RNDN);
    mpfr_mul(exact->w, exact->w, exact->b, MPFR_RNDN);
}

static double attention(const struct scaling *s)
{
    if (s->ext_factor == 0)
        return s->attn_factor;
    return s->attn_factor * (1 - 0.1 * scaling_log(s->freq_scale));
}

const struct scaling_rule scaling_ggml = {
    .resolve = resolve,
    .begin = begin,
    .change = change,
    .attention = attention,
};
