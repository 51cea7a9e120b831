/* SPDX-License-Identifier: Apache-2.0
 * scaling_ntk_by_parts.c - NTK-by-parts: YaRN's blend without its temperature (variant
 * yarn), or jquesnelle's earlier two blends (variant part-ntk): with keep(x, y) = 1 - ramp
 * between c(x) and c(y), k1 = keep(beta) ntk_factor, u = w/s (1-k1) + w_ntk k1, k2 =
 * keep(gamma) extrapolation_factor, w' = u (1-k2) + w k2. */
#include <math.h>

#include "core/math/scaling/scaling_exact.h"
#include "core/math/scaling/scaling_yarn.h"
#include "core/math/trig/frequency.h"

static const double default_beta[] = {1.25, 0.75}, default_gamma[] = {16, 2};

static void resolve(struct scaling *s, struct pe_errors *errors)
{
    if (s->scaling_variant < 0)
        s->scaling_variant = VARIANT_YARN;
    if (s->scaling_variant != VARIANT_YARN && s->scaling_variant != VARIANT_PART_NTK)
        pe_fail(errors, PE_CONFLICT, "scaling_variant",
                "must be yarn or part-ntk with scaling=ntk-by-parts");
    if (s->scaling_variant == VARIANT_YARN) {
        if (s->beta.rows > 0 || s->gamma.rows > 0 || !isnan(s->ntk_factor))
            pe_fail(errors, PE_CONFLICT,
                    s->beta.rows    ? "beta"
                    : s->gamma.rows ? "gamma"
                                    : "ntk_factor",
                    "has no effect without scaling_variant=part-ntk");
        scaling_yarn_range(s, errors);
        return;
    }
    if (!isnan(s->beta_fast) || !isnan(s->beta_slow))
        pe_fail(errors, PE_CONFLICT, isnan(s->beta_fast) ? "beta_slow" : "beta_fast",
                "has no effect with scaling_variant=part-ntk; give beta and gamma");
    if ((s->beta.rows > 0 && s->beta.cols != 2) || (s->gamma.rows > 0 && s->gamma.cols != 2))
        pe_fail(errors, PE_BAD_VALUE, s->beta.cols != 2 ? "beta" : "gamma",
                "must be two numbers, such as 1.25,0.75");
    if (s->rotary_dim < 4)
        pe_fail(errors, PE_CONFLICT, "rotary_dim", "must be at least 4 with this scaling");
    scaling_yarn_range(s, errors);
    s->beta_fast = s->beta_slow = NAN;
    if (isnan(s->ntk_factor))
        s->ntk_factor = 1;
}

static const double *bounds(const struct pe_reals *given, const double *defaults)
{
    return given->rows > 0 ? given->values : defaults;
}

/* Sets low and high to c(between[0]) and c(between[1]), which are not equal. */
static void range(struct scaling_exact *exact, const double between[2])
{
    scaling_range(exact, between[0], between[1], exact->s->truncate == 1);
    if (mpfr_equal_p(exact->low, exact->high))
        mpfr_add_d(exact->high, exact->high, 0.001, MPFR_RNDN);
}

/* Exchanges the range of beta for the one of gamma, or back. */
static void exchange_ranges(struct scaling_exact *exact)
{
    mpfr_swap(exact->low, exact->second_low);
    mpfr_swap(exact->high, exact->second_high);
}

static void begin(struct scaling_exact *exact)
{
    const struct scaling *s = exact->s;
    const double betas[2] = {s->beta_fast, s->beta_slow};
    const bool parts = s->scaling_variant == VARIANT_PART_NTK;

    if (parts) {
        range(exact, bounds(&s->gamma, default_gamma));
        exchange_ranges(exact);
    }
    range(exact, parts ? bounds(&s->beta, default_beta) : betas);
}

/* Sets exact->a to keep of the range low to high, times the factor by. */
static void keep(struct scaling_exact *exact, double by, size_t i)
{
    scaling_ramp(exact, i);
    mpfr_ui_sub(exact->a, 1, exact->a, MPFR_RNDN);
    mpfr_mul_d(exact->a, exact->a, by, MPFR_RNDN);
}

static void change_parts(struct scaling_exact *exact, size_t i)
{
    const struct scaling *s = exact->s;
    double r = (double)s->rotary_dim;
    mpfr_t ntk, inner;

    mpfr_inits2(SCALING_PRECISION, ntk, inner, (mpfr_ptr)0);
    mpfr_set_d(ntk, s->factor, MPFR_RNDN); /* w_ntk = (theta s^(r/(r-2)))^(-2i/r) */
    scaling_power(ntk, ntk, -2 * (double)i, r - 2);
    mpfr_mul(ntk, ntk, exact->w, MPFR_RNDN);
    keep(exact, s->ntk_factor, i);
    mpfr_mul(ntk, ntk, exact->a, MPFR_RNDN);
    mpfr_ui_sub(exact->a, 1, exact->a, MPFR_RNDN);
    mpfr_div_d(inner, exact->w, s->factor, MPFR_RNDN);
    mpfr_mul(inner, inner, exact->a, MPFR_RNDN);
    mpfr_add(inner, inner, ntk, MPFR_RNDN);
    exchange_ranges(exact);
    keep(exact, s->extrapolation_factor, i);
    exchange_ranges(exact);
    mpfr_mul(exact->w, exact->w, exact->a, MPFR_RNDN);
    mpfr_ui_sub(exact->a, 1, exact->a, MPFR_RNDN);
    mpfr_mul(inner, inner, exact->a, MPFR_RNDN);
    mpfr_add(exact->w, exact->w, inner, MPFR_RNDN);
    mpfr_clears(ntk, inner, (mpfr_ptr)0);
}

static void change(struct scaling_exact *exact, size_t i)
{
    if (exact->s->scaling_variant == VARIANT_PART_NTK) {
        change_parts(exact, i);
        return;
    }
    keep(exact, exact->s->extrapolation_factor, i);
    scaling_blend(exact);
}

static void f32_change(const struct scaling *s, const float *p, float *w, size_t count)
{
    double r = (double)s->rotary_dim;
    bool parts = s->scaling_variant == VARIANT_PART_NTK;
    const double *beta = bounds(&s->beta, default_beta),
                 *gamma = bounds(&s->gamma, default_gamma);
    const double ntk = parts ? s->base * scaling_pow(s->factor, r / (r - 2)) : s->base;
    float low1, width1, low2 = 0, width2 = 1, factor = (float)s->factor;

    scaling_yarn_f32_range(s, parts ? beta[0] : s->beta_fast, parts ? beta[1] : s->beta_slow,
                           &low1, &width1);
    if (parts)
        scaling_yarn_f32_range(s, gamma[0], gamma[1], &low2, &width2);
    for (size_t i = 0; i < count; i++) {
        float k1 = scaling_yarn_f32_keep(low1, width1, i) *
                   (float)(parts ? s->ntk_factor : s->extrapolation_factor);
        float scaled = factor * p[i], divided = 1.0F / scaled, plain = 1.0F / p[i],
              other = plain;

        if (parts)
            other = 1.0F / frequency_f32_power((float)ntk, (float)(2 * i) / (float)r);
        w[i] = divided * (1.0F - k1) + other * k1;
        if (parts) {
            float k2 = scaling_yarn_f32_keep(low2, width2, i) * (float)s->extrapolation_factor;

            w[i] = w[i] * (1.0F - k2) + plain * k2;
        }
    }
}

const struct scaling_rule scaling_ntk_by_parts = {
    .resolve = resolve,
    .begin = begin,
    .change = change,
    .f32_change = f32_change,
};
