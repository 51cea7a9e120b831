/* SPDX-License-Identifier: Apache-2.0
 * scaling_yarn.c - YaRN (Peng et al. 2023): pairs that turn often in the original context
 * keep their frequency, slow ones are divided, a ramp between; and a temperature on cos and
 * sin.
 *
 *     c(b) = r ln(L0 / (2 pi b)) / (2 ln theta);  low = c(beta_fast), high = c(beta_slow)
 *     keep_i = (1 - clamp((i - low)/(high - low), 0, 1)) extrapolation_factor
 *     w'_i = (w_i / s)(1 - keep_i) + w_i keep_i;  g(s, k) = 0.1 k ln s + 1 for s > 1, else 1
 *
 * Dialects differ in the attention factor, the rounding of the range and its width:
 * hf, vllm, deepseek, vllm-deepseek, gpt-oss, llama.cpp, megatron, telechat3,
 * chunkllama. grok blends logarithms, w'_i = w_i s^(keep_i - 1), and leaves cos and sin.
 * keras-hub (keras_hub/src/layers/modeling/rotary_embedding.py) ends the range at r/2 - 1, and
 * with truncate it clamps positions to L0, which is left to the caller. */
#include <math.h>

#include "core/math/number/mpfr_memory.h"
#include "core/math/scaling/scaling_exact.h"
#include "core/math/scaling/scaling_yarn.h"

/* What distinguishes a dialect of YaRN. */
struct yarn_dialect {
    const char *name;
    bool truncates;        /* default of truncate */
    bool truncate_is_free; /* the parameter truncate may be given */
    bool reads_mscale, reads_attention_factor, reads_attn_factor;
    double mscale, mscale_all_dim; /* defaults of the parameters; 0: absent */
    unsigned percent;              /* the factor 0.1 of g, in percent; 0: A is 1 */
    double original;               /* default of the original length; 0: none */
    bool at_least_narrow;          /* g has no guard for s <= 1, the range is never empty */
    bool asserts_inside;           /* the range must lie within the pairs; others clamp it */
    bool ends_at_pairs;            /* the range is clamped to r/2 - 1 */
    bool clamps_positions; /* positions are clamped to the original length when truncating */
    bool blends_logarithms;
    bool in_doubles; /* the dialect has no known float32 steps */
};

static const struct yarn_dialect dialects[] = {
    [DIALECT_HF] = {"hf", true, true, true, true, true, 0, 0, .percent = 10},
    [DIALECT_VLLM] = {"vllm", true, true, false, false, true, 0, 0, .percent = 10},
    [DIALECT_DEEPSEEK] = {"deepseek", true, false, true, false, false, 1, 0, .percent = 10},
    [DIALECT_VLLM_DEEPSEEK] = {"vllm-deepseek", true, false, true, false, true, 1, 0,
                               .percent = 10},
    [DIALECT_GPT_OSS] = {"gpt-oss", false, false, false, false, false, 0, 0, .percent = 10,
                         .asserts_inside = true},
    [DIALECT_LLAMA_CPP] = {"llama.cpp", true, false, false, false, true, 0, 0, .percent = 10,
                           .at_least_narrow = true},
    [DIALECT_MEGATRON] = {"megatron", true, true, true, false, false, 1, 0, .percent = 10},
    [DIALECT_TELECHAT3] = {"telechat3", true, true, false, false, true, 0, 0, .percent = 7},
    [DIALECT_CHUNKLLAMA] = {"chunkllama", true, true, false, false, true, 0, 0, .percent = 5},
    [DIALECT_GROK] = {"grok", true, false, false, false, false, 0, 0, .original = 8192,
                      .blends_logarithms = true, .in_doubles = true},
    [DIALECT_KERAS_HUB] = {"keras-hub", false, true, false, false, false, 0, 0, .percent = 10,
                           .at_least_narrow = true, .ends_at_pairs = true,
                           .clamps_positions = true, .in_doubles = true},
};

/* Returns the dialect; ntk-by-parts calls this too, and has none. */
static const struct yarn_dialect *dialect_of(const struct scaling *s)
{
    return &dialects[s->dialect < 0 ? DIALECT_HF : s->dialect];
}

bool scaling_yarn_has_f32(const struct scaling *s)
{
    return !dialect_of(s)->in_doubles;
}

static void refuse(struct pe_errors *errors, const char *name, const char *dialect)
{
    pe_fail(errors, PE_CONFLICT, name, "has no effect with dialect=%s; leave it out", dialect);
}

/* Gets the pairs that make `fast` and `slow` turns in the original context, in double as Python
 * computes them. */
static void pairs_of_turns(const struct scaling *s, double fast, double slow, double *first,
                           double *last)
{
    double r = (double)s->rotary_dim, two_pi = 2 * 0x1.921fb54442d18p+1,
           ln = scaling_log(s->base);

    *first = r * scaling_log(s->original_max_position_embeddings / (fast * two_pi)) / (2 * ln);
    *last = r * scaling_log(s->original_max_position_embeddings / (slow * two_pi)) / (2 * ln);
}

static void check_inside(const struct scaling *s, struct pe_errors *errors)
{
    double low, high, pairs = (double)s->rotary_dim / 2;

    pairs_of_turns(s, s->beta_fast, s->beta_slow, &low, &high);
    if (!(low > 0 && low < high && high < pairs - 1))
        pe_fail(errors, PE_CONFLICT, "dialect",
                "must not be %s here: it wants the range of pairs inside 0..%g, and has "
                "%g..%g; hf clamps it",
                dialect_of(s)->name, pairs - 1, low, high);
}

static void check_positions(const struct scaling *s, struct pe_errors *errors)
{
    if (dialect_of(s)->clamps_positions && s->truncate == 1 &&
        s->last_position - 1 > s->original_max_position_embeddings)
        pe_fail(errors, PE_CONFLICT, "truncate",
                "makes Keras Hub clamp positions to original_max_position_embeddings, %g; ask "
                "for positions up to it",
                s->original_max_position_embeddings);
}

static void check_dialect(const struct scaling *s, struct pe_errors *errors)
{
    const struct yarn_dialect *d = dialect_of(s);

    if (!d->truncate_is_free && s->truncate >= 0 && s->truncate != d->truncates)
        refuse(errors, "truncate", d->name);
    if (!d->reads_mscale && !isnan(s->mscale))
        refuse(errors, "mscale", d->name);
    if (!d->reads_mscale && !isnan(s->mscale_all_dim))
        refuse(errors, "mscale_all_dim", d->name);
    if (!d->reads_attention_factor && !isnan(s->attention_factor))
        refuse(errors, "attention_factor", d->name);
    if (!d->reads_attn_factor && !isnan(s->attn_factor))
        refuse(errors, "attn_factor", d->name);
}

void scaling_yarn_range(struct scaling *s, struct pe_errors *errors)
{
    if (isnan(s->original_max_position_embeddings))
        pe_fail(errors, PE_MISSING_PARAMETER, "original_max_position_embeddings",
                "is required with this scaling: the length before it");
    if (isnan(s->factor) && !isnan(s->max_position_embeddings))
        s->factor = s->max_position_embeddings / s->original_max_position_embeddings;
    if (isnan(s->factor))
        pe_fail(errors, PE_MISSING_PARAMETER, "factor",
                "is required with this scaling, or max_position_embeddings");
    s->max_position_embeddings = NAN; /* factor now has the effect of max_position_embeddings */
    if (isnan(s->beta_fast))
        s->beta_fast = 32;
    if (isnan(s->beta_slow))
        s->beta_slow = 1;
    if (s->beta_fast < s->beta_slow)
        pe_fail(errors, PE_CONFLICT, "beta_fast", "must be at least beta_slow, %g; got %g",
                s->beta_slow, s->beta_fast);
    if (s->base == 1)
        pe_fail(errors, PE_CONFLICT, "base", "must not be 1: a range of pairs needs ln(base)");
    if (isnan(s->extrapolation_factor))
        s->extrapolation_factor = 1;
    if (s->truncate < 0)
        s->truncate = 1;
}

static void resolve(struct scaling *s, struct pe_errors *errors)
{
    const struct yarn_dialect *d = dialect_of(s);

    if (s->dialect < 0)
        s->dialect = DIALECT_HF;
    check_dialect(s, errors);
    if (s->truncate < 0)
        s->truncate = d->truncates;
    if (d->mscale > 0 && isnan(s->mscale))
        s->mscale = d->mscale;
    if (d->mscale > 0 && isnan(s->mscale_all_dim))
        s->mscale_all_dim = d->mscale_all_dim;
    if (d->original > 0 && isnan(s->original_max_position_embeddings))
        s->original_max_position_embeddings = d->original;
    /* attention_factor replaces the parameters that would make it */
    if (!isnan(s->attention_factor))
        s->mscale = s->mscale_all_dim = s->attn_factor = NAN;
    scaling_yarn_range(s, errors);
    if (d->asserts_inside && errors->count == 0)
        check_inside(s, errors);
    check_positions(s, errors);
}

static void part_bounds(struct scaling_exact *exact)
{
    const unsigned long last = exact->s->rotary_dim / 2 - 1;

    if (dialect_of(exact->s)->ends_at_pairs && mpfr_cmp_ui(exact->high, last) > 0)
        mpfr_set_ui(exact->high, last, MPFR_RNDN);
    mpfr_sub(exact->b, exact->high, exact->low, MPFR_RNDN);
    if (dialect_of(exact->s)->at_least_narrow && mpfr_cmp_d(exact->b, 0.001) < 0)
        mpfr_add_d(exact->high, exact->low, 0.001, MPFR_RNDN);
    else if (mpfr_equal_p(exact->low, exact->high))
        mpfr_add_d(exact->high, exact->high, 0.001, MPFR_RNDN);
}

static void begin(struct scaling_exact *exact)
{
    const struct scaling *s = exact->s;

    scaling_range(exact, s->beta_fast, s->beta_slow, s->truncate == 1);
    part_bounds(exact);
}

static void change(struct scaling_exact *exact, size_t i)
{
    scaling_ramp(exact, i);
    mpfr_ui_sub(exact->a, 1, exact->a, MPFR_RNDN);
    mpfr_mul_d(exact->a, exact->a, exact->s->extrapolation_factor, MPFR_RNDN);
    if (!dialect_of(exact->s)->blends_logarithms) {
        scaling_blend(exact);
        return;
    }
    mpfr_sub_ui(exact->a, exact->a, 1, MPFR_RNDN);
    mpfr_set_d(exact->b, exact->s->factor, MPFR_RNDN);
    mpfr_pow(exact->b, exact->b, exact->a, MPFR_RNDN);
    mpfr_mul(exact->w, exact->w, exact->b, MPFR_RNDN);
}

/* ---- the float32 steps --------------------------------------------------------------- */

void scaling_yarn_f32_range(const struct scaling *s, double fast, double slow, float *low,
                            float *width)
{
    double first, last, r = (double)s->rotary_dim;

    pairs_of_turns(s, fast, slow, &first, &last);
    if (s->truncate == 1) {
        first = floor(first);
        last = ceil(last);
    }
    first = fmax(first, 0);
    last = fmin(last, r - 1);
    if (dialect_of(s)->at_least_narrow)
        last = fmax(last, first + 0.001);
    else if (first == last)
        last += 0.001;
    *low = (float)first;
    *width = (float)(last - first); /* the difference is taken in double */
}

float scaling_yarn_f32_keep(float low, float width, size_t i)
{
    float ramp = ((float)i - low) / width;

    return 1.0F - (ramp < 0.0F ? 0.0F : ramp > 1.0F ? 1.0F : ramp);
}

static void f32_change(const struct scaling *s, const float *p, float *w, size_t count)
{
    float low, width, factor = (float)s->factor;

    scaling_yarn_f32_range(s, s->beta_fast, s->beta_slow, &low, &width);
    for (size_t i = 0; i < count; i++) {
        float keep = scaling_yarn_f32_keep(low, width, i) * (float)s->extrapolation_factor;
        float scaled = factor * p[i], divided = 1.0F / scaled, plain = 1.0F / p[i];
        float first = divided * (1.0F - keep), second = plain * keep;

        w[i] = first + second;
    }
}

/* ---- the attention factor ------------------------------------------------------------ */

/* Computes out = g(s, k). */
static void magnitude(mpfr_t out, const struct scaling *s, double k)
{
    const struct yarn_dialect *d = dialect_of(s);

    mpfr_set_zero(out, 1);
    if (s->factor > 1 || d->at_least_narrow) {
        mpfr_set_d(out, s->factor, MPFR_RNDN);
        mpfr_log(out, out, MPFR_RNDN);
        mpfr_mul_d(out, out, k, MPFR_RNDN);
        mpfr_mul_ui(out, out, d->percent, MPFR_RNDN);
        mpfr_div_ui(out, out, 100, MPFR_RNDN);
    }
    mpfr_add_ui(out, out, 1, MPFR_RNDN);
}

static double attention(const struct scaling *s)
{
    bool both = s->mscale > 0 && s->mscale_all_dim > 0; /* false for NaN */
    bool ratio = both || dialect_of(s)->mscale > 0; /* the defaults of the dialect decide too */
    mpfr_t factor, by;
    double result;

    if (!isnan(s->attention_factor))
        return s->attention_factor;
    mpfr_inits2(128, factor, by, (mpfr_ptr)0);
    magnitude(factor, s, ratio ? s->mscale : 1);
    if (ratio) {
        magnitude(by, s, s->mscale_all_dim);
        mpfr_div(factor, factor, by, MPFR_RNDN);
    }
    if (!isnan(s->attn_factor))
        mpfr_mul_d(factor, factor, s->attn_factor, MPFR_RNDN);
    result = mpfr_get_d(factor, MPFR_RNDN);
    mpfr_clears(factor, by, (mpfr_ptr)0);
    mpfr_memory_drop_constants();
    return result;
}

const struct scaling_rule scaling_yarn = {
    .resolve = resolve,
    .begin = begin,
    .change = change,
    .f32_change = f32_change,
    .attention = attention,
};
