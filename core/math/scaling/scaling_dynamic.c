/* SPDX-License-Identifier: Apache-2.0
 * scaling_dynamic.c - dynamic NTK: a base for the length L at hand (emozilla 2023, Hugging
 * Face):
 *
 *     theta' = theta (s L / M - (s - 1))^(r/(r-2))  for L > M, else theta
 *
 * One L an answer: the service is stateless, so seq_len is given. Variants: alpha (vLLM,
 * Hunyuan): theta factor^(r/(r-2)) whatever L; qwen (Qwen-1): theta alpha^(r/(r-2)) with the
 * whole number alpha = max(2^ceil(log2(L/M) + 1) - 1, 1). */
#include <math.h>

#include "core/math/scaling/scaling_exact.h"

/* Returns the alpha of Qwen-1 in whole numbers: 2P - 1, where P is the smallest power of two
 * not below L/M. */
static double qwen_alpha(const struct scaling *s)
{
    double power = 1;

    if (s->seq_len <= s->max_position_embeddings)
        return 1;
    while (power * s->max_position_embeddings < s->seq_len)
        power *= 2;
    return 2 * power - 1;
}

static void resolve(struct scaling *s, struct pe_errors *errors)
{
    if (s->scaling_variant < 0)
        s->scaling_variant = VARIANT_HF;
    if (s->scaling_variant < VARIANT_HF || s->scaling_variant > VARIANT_QWEN)
        pe_fail(errors, PE_CONFLICT, "scaling_variant",
                "must be hf, alpha or qwen with scaling=dynamic");
    if (s->scaling_variant != VARIANT_QWEN && isnan(s->factor))
        pe_fail(errors, PE_MISSING_PARAMETER, "factor", "is required with scaling=dynamic");
    if (s->scaling_variant == VARIANT_QWEN && !isnan(s->factor))
        pe_fail(errors, PE_CONFLICT, "factor",
                "has no effect with scaling_variant=qwen, which takes it from seq_len");
    if (s->scaling_variant != VARIANT_ALPHA && isnan(s->seq_len))
        pe_fail(errors, PE_MISSING_PARAMETER, "seq_len",
                "is required with scaling=dynamic: the length that chooses the frequencies");
    if (s->scaling_variant != VARIANT_ALPHA && isnan(s->max_position_embeddings))
        pe_fail(errors, PE_MISSING_PARAMETER, "max_position_embeddings",
                "is required with scaling=dynamic: the trained length");
    if (s->scaling_variant == VARIANT_ALPHA &&
        (!isnan(s->seq_len) || !isnan(s->max_position_embeddings)))
        pe_fail(errors, PE_CONFLICT, isnan(s->seq_len) ? "max_position_embeddings" : "seq_len",
                "has no effect with scaling_variant=alpha, which knows no length");
    if (s->rotary_dim < 4)
        pe_fail(errors, PE_CONFLICT, "rotary_dim",
                "must be at least 4 with scaling=dynamic, whose exponent is r/(r-2)");
    if (s->scaling_variant == VARIANT_QWEN && errors->count == 0)
        s->alpha = qwen_alpha(s);
}

/* Sets exact->a to the exact number that is raised to r/(r-2). */
static void stretch(struct scaling_exact *exact)
{
    const struct scaling *s = exact->s;

    if (s->scaling_variant == VARIANT_QWEN) {
        mpfr_set_d(exact->a, s->alpha, MPFR_RNDN);
    } else if (s->scaling_variant == VARIANT_ALPHA) {
        mpfr_set_d(exact->a, s->factor, MPFR_RNDN);
    } else if (s->seq_len <= s->max_position_embeddings) {
        mpfr_set_ui(exact->a, 1, MPFR_RNDN);
    } else {
        mpfr_set_d(exact->a, s->factor, MPFR_RNDN);
        mpfr_mul_d(exact->a, exact->a, s->seq_len, MPFR_RNDN);
        mpfr_div_d(exact->a, exact->a, s->max_position_embeddings, MPFR_RNDN);
        mpfr_sub_d(exact->a, exact->a, s->factor, MPFR_RNDN);
        mpfr_add_ui(exact->a, exact->a, 1, MPFR_RNDN);
    }
}

static void begin(struct scaling_exact *exact)
{
    double r = (double)exact->s->rotary_dim;

    stretch(exact);
    scaling_power(exact->a, exact->a, r, r - 2);
    mpfr_mul(exact->base, exact->base, exact->a, MPFR_RNDN);
}

/* Returns the base as the frameworks compute it, in double. */
static double f64_base(const struct scaling *s)
{
    double r = (double)s->rotary_dim, by = 1;

    if (s->scaling_variant == VARIANT_QWEN)
        by = s->alpha;
    else if (s->scaling_variant == VARIANT_ALPHA)
        by = s->factor;
    else if (s->seq_len > s->max_position_embeddings)
        by = s->factor * s->seq_len / s->max_position_embeddings - (s->factor - 1);
    return s->base * scaling_pow(by, r / (r - 2));
}

/* In Hugging Face's forward the length is a tensor, so each step is a float32 operation but the
 * power, which is taken in double and rounded. */
static float f32_base(const struct scaling *s)
{
    double r = (double)s->rotary_dim;
    float by;

    if (s->scaling_variant != VARIANT_HF || s->seq_len <= s->max_position_embeddings)
        return (float)f64_base(s);
    by = (float)s->seq_len * (float)s->factor;
    by = by / (float)s->max_position_embeddings;
    by = by - (float)(s->factor - 1);
    by = (float)scaling_pow((double)by, r / (r - 2));
    return by * (float)s->base;
}

const struct scaling_rule scaling_dynamic = {
    .resolve = resolve,
    .begin = begin,
    .f32_base = f32_base,
};
