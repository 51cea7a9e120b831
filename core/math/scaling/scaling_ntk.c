/* SPDX-License-Identifier: Apache-2.0
 * scaling_ntk.c - NTK-aware scaling: a larger base, so that the fastest pair stays and the
 * slowest is divided by the factor (bloc97 2023). theta' = theta s^(r/(r-2)); the variants
 * that disagree: fixed (bojone, vLLM's "ntk"): (theta s)^(-2i/r) / s^(2/r); mixed:
 * theta^(-2i/r) / exp(a (i+1)^b), a = ln s / m^b; plain (diffusers): theta' = theta s. */
#include <math.h>

#include "core/math/scaling/scaling_exact.h"

static void resolve(struct scaling *s, struct pe_errors *errors)
{
    if (s->scaling_variant < 0)
        s->scaling_variant = VARIANT_AWARE;
    if (s->scaling_variant > VARIANT_PLAIN)
        pe_fail(errors, PE_CONFLICT, "scaling_variant",
                "must be aware, fixed, mixed or plain with scaling=ntk");
    if (isnan(s->factor))
        pe_fail(errors, PE_MISSING_PARAMETER, "factor", "is required with scaling=ntk");
    if (s->scaling_variant == VARIANT_AWARE && s->rotary_dim < 4)
        pe_fail(errors, PE_CONFLICT, "rotary_dim",
                "must be at least 4 with scaling=ntk, whose exponent is r/(r-2)");
    if (s->scaling_variant == VARIANT_MIXED && isnan(s->mixed_b))
        pe_fail(errors, PE_MISSING_PARAMETER, "mixed_b",
                "is required with scaling_variant=mixed");
    if (s->scaling_variant != VARIANT_MIXED && !isnan(s->mixed_b))
        pe_fail(errors, PE_CONFLICT, "mixed_b", "has no effect without scaling_variant=mixed");
}

static void begin(struct scaling_exact *exact)
{
    const struct scaling *s = exact->s;

    if (s->scaling_variant == VARIANT_MIXED) { /* low is ln s */
        mpfr_set_d(exact->low, s->factor, MPFR_RNDN);
        mpfr_log(exact->low, exact->low, MPFR_RNDN);
        return;
    }
    mpfr_set_d(exact->a, s->factor, MPFR_RNDN);
    if (s->scaling_variant == VARIANT_AWARE)
        scaling_power(exact->a, exact->a, (double)s->rotary_dim, (double)s->rotary_dim - 2);
    mpfr_mul(exact->base, exact->base, exact->a, MPFR_RNDN);
    mpfr_set_d(exact->low, s->factor, MPFR_RNDN); /* low is s^(2/r), for fixed */
    scaling_power(exact->low, exact->low, 2, (double)s->rotary_dim);
}

static void change(struct scaling_exact *exact, size_t i)
{
    const struct scaling *s = exact->s;

    if (s->scaling_variant == VARIANT_FIXED)
        mpfr_div(exact->w, exact->w, exact->low, MPFR_RNDN);
    if (s->scaling_variant != VARIANT_MIXED)
        return;
    mpfr_set_ui(exact->a, 2 * (i + 1), MPFR_RNDN); /* a (i+1)^b = ln s ((i+1)/m)^b */
    mpfr_div_ui(exact->a, exact->a, s->rotary_dim, MPFR_RNDN);
    scaling_power(exact->a, exact->a, s->mixed_b, 1);
    mpfr_mul(exact->a, exact->a, exact->low, MPFR_RNDN);
    mpfr_exp(exact->a, exact->a, MPFR_RNDN);
    mpfr_div(exact->w, exact->w, exact->a, MPFR_RNDN);
}

/* Returns the changed theta, computed in double and rounded once, as the frameworks do. */
static double f64_base(const struct scaling *s)
{
    double r = (double)s->rotary_dim;

    if (s->scaling_variant == VARIANT_AWARE)
        return s->base * scaling_pow(s->factor, r / (r - 2));
    return s->scaling_variant == VARIANT_MIXED ? s->base : s->base * s->factor;
}

static float f32_base(const struct scaling *s)
{
    return (float)f64_base(s);
}

static void f32_change(const struct scaling *s, const float *p, float *w, size_t count)
{
    float root = (float)scaling_pow(s->factor, 2 / (double)s->rotary_dim);

    for (size_t i = 0; i < count; i++) {
        w[i] = 1.0F / p[i];
        if (s->scaling_variant == VARIANT_FIXED)
            w[i] = w[i] / root;
        if (s->scaling_variant == VARIANT_MIXED) {
            double share = (double)(2 * (i + 1)) / (double)s->rotary_dim,
                   by = scaling_log(s->factor) * scaling_pow(share, s->mixed_b);

            w[i] = w[i] / (float)scaling_exp(by);
        }
    }
}

const struct scaling_rule scaling_ntk = {
    .resolve = resolve,
    .begin = begin,
    .change = change,
    .f32_base = f32_base,
    .f32_change = f32_change,
};
