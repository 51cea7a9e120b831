/* SPDX-License-Identifier: Apache-2.0
 * scaling_longrope.c - LongRoPE ("su"; Ding et al. 2024): searched divisors, one list for
 * short and one for long contexts: w' = w / f_i; one list for all positions of an answer.
 * Attention factor sqrt(1 + ln F / ln L0) (su), or 0.1 ln F + 1 (yarn), F the growth of the
 * context. */
#include <math.h>

#include "core/math/scaling/scaling_exact.h"

static const struct pe_reals *chosen(const struct scaling *s)
{
    return s->longrope_list == LONGROPE_LONG ? &s->long_factor : &s->short_factor;
}

static double chosen_mscale(const struct scaling *s)
{
    return s->longrope_list == LONGROPE_LONG ? s->long_mscale : s->short_mscale;
}

/* Replaces auto by the list that the length chooses, so that the canonical form names it. */
static void choose(struct scaling *s, struct pe_errors *errors)
{
    double length = isnan(s->seq_len) ? s->last_position : s->seq_len;

    if (s->longrope_list < 0)
        s->longrope_list = LONGROPE_AUTO;
    if (s->longrope_list != LONGROPE_AUTO && !isnan(s->seq_len))
        pe_fail(errors, PE_CONFLICT, "seq_len", "has no effect unless longrope_list=auto");
    if (s->longrope_list == LONGROPE_AUTO && isnan(length))
        pe_fail(errors, PE_MISSING_PARAMETER, "seq_len",
                "is required where there are no positions, or longrope_list=short, or "
                "longrope_list=long");
    if (s->longrope_list == LONGROPE_AUTO)
        s->longrope_list =
            length > s->original_max_position_embeddings ? LONGROPE_LONG : LONGROPE_SHORT;
    s->seq_len = NAN; /* longrope_list now has the effect of seq_len */
}

static void check_list(const struct scaling *s, const char *name, const struct pe_reals *list,
                       struct pe_errors *errors)
{
    if (list->rows > 0 && list->cols != s->rotary_dim / 2)
        pe_fail(errors, PE_CONFLICT, name, "must have one factor a pair, %zu; got %zu",
                s->rotary_dim / 2, list->cols);
}

static void resolve(struct scaling *s, struct pe_errors *errors)
{
    if (isnan(s->original_max_position_embeddings))
        pe_fail(errors, PE_MISSING_PARAMETER, "original_max_position_embeddings",
                "is required with scaling=longrope");
    if (s->original_max_position_embeddings <= 1)
        pe_fail(errors, PE_OUT_OF_RANGE, "original_max_position_embeddings",
                "must be above 1 with scaling=longrope, which divides by its logarithm");
    choose(s, errors);
    check_list(s, "short_factor", &s->short_factor, errors);
    check_list(s, "long_factor", &s->long_factor, errors);
    if (chosen(s)->rows == 0)
        pe_fail(errors, PE_MISSING_PARAMETER,
                s->longrope_list == LONGROPE_LONG ? "long_factor" : "short_factor",
                "is required: this answer uses it (longrope_list=%s)",
                s->longrope_list == LONGROPE_LONG ? "long" : "short");
    if (isnan(s->factor) && !isnan(s->max_position_embeddings))
        s->factor = s->max_position_embeddings / s->original_max_position_embeddings;
    s->max_position_embeddings = NAN; /* factor now has the effect of max_position_embeddings */
    if (isnan(s->factor) && isnan(s->attention_factor) && isnan(chosen_mscale(s)))
        pe_fail(errors, PE_MISSING_PARAMETER, "max_position_embeddings",
                "is required with scaling=longrope, or factor, or attention_factor");
    if (s->magnitude < 0)
        s->magnitude = MAGNITUDE_SU;
}

static void change(struct scaling_exact *exact, size_t i)
{
    mpfr_div_d(exact->w, exact->w, chosen(exact->s)->values[i], MPFR_RNDN);
}

static void f32_change(const struct scaling *s, const float *p, float *w, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        float divided = (float)chosen(s)->values[i] * p[i];

        w[i] = 1.0F / divided;
    }
}

static double attention(const struct scaling *s)
{
    double mscale = chosen_mscale(s);

    if (!isnan(mscale))
        return mscale;
    if (!isnan(s->attention_factor))
        return s->attention_factor;
    if (s->factor <= 1)
        return 1;
    if (s->magnitude == MAGNITUDE_YARN)
        return 0.1 * scaling_log(s->factor) + 1;
    return sqrt(1 + scaling_log(s->factor) / scaling_log(s->original_max_position_embeddings));
}

const struct scaling_rule scaling_longrope = {
    .resolve = resolve,
    .change = change,
    .f32_change = f32_change,
    .attention = attention,
};
