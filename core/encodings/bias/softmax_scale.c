/* SPDX-License-Identifier: Apache-2.0
 * softmax_scale.c - the factor of scores before softmax, by the rules of models.
 *
 *     sqrt: d^-1/2        one: 1              scalar: query_pre_attn_scalar^-1/2
 *     mup: 1/d            multiplier: attention_multiplier
 *     deepseek: d^-1/2 (0.1 mscale_all_dim ln(factor) + 1)^2
 *     swinv2: exp(min(logit_scale, ln 100))   deberta: (d (1 + terms))^-1/2
 *
 * Vaswani et al. 2017; T5; Gemma; Granite; Yang et al. 2022 (muP); DeepSeek-V2; Swin v2;
 * DeBERTa.
 */
#include "core/encoding.h"

#include <math.h>

#include "core/math/number/elementary.h"
#include "core/math/precomputed.h"

enum { SCALE };
enum { SQRT, ONE, SCALAR, MULTIPLIER, MUP, DEEPSEEK, SWINV2, DEBERTA };

struct softmax_scale {
    int convention;
    int64_t dim, terms;
    double query_pre_attn_scalar, attention_multiplier, factor, mscale_all_dim;
    struct pe_reals logit_scale;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct softmax_scale, convention),
     PE_CHOICES(
         PE_ONE_AT_WITH(SQRT, "sqrt", "dim^-0.5: most models", "dim=64"),
         PE_ONE_AT(ONE, "one", "1, no scale: T5"),
         PE_ONE_AT_WITH(SCALAR, "scalar", "query_pre_attn_scalar^-0.5: Gemma",
                        "query_pre_attn_scalar=256"),
         PE_ONE_AT_WITH(MULTIPLIER, "multiplier", "attention_multiplier: Granite",
                        "attention_multiplier=0.0078125"),
         PE_ONE_AT_WITH(MUP, "mup", "1/dim: muP", "dim=64"),
         PE_ONE_AT_WITH(
             DEEPSEEK, "deepseek",
             "dim^-0.5 times the square of YaRN's attention factor: DeepSeek V2 and V3",
             "dim=64"),
         PE_ONE_AT(SWINV2, "swinv2", "exp(min(logit_scale, ln 100)), one a head: Swin V2"),
         PE_ONE_AT_WITH(DEBERTA, "deberta", "(dim (1 + terms))^-0.5: DeBERTa", "dim=64")),
     .summary = "model whose factor is taken"},
    {PE_FIELD(struct softmax_scale, dim), .type = PE_INT, .required = true, .min = 1,
     .max = 65536, .when = "convention=sqrt|mup|deepseek|deberta",
     .summary =
         "width of a head (head_dim); in latent attention that of both parts, nope + rope"},
    {PE_FIELD(struct softmax_scale, query_pre_attn_scalar), .type = PE_REAL, .required = true,
     .min = 1e-18, .max = 1e18, .when = "convention=scalar",
     PE_OWN("transformers", SHAPE, BASIC),
     .summary = "number that Gemma takes in place of the width of a head"},
    {PE_FIELD(struct softmax_scale, attention_multiplier), .type = PE_REAL, .required = true,
     .min = -1e18, .max = 1e18, .when = "convention=multiplier",
     PE_OWN("transformers", WEIGHTS, BASIC),
     .summary = "factor of Granite, which is taken as it is"},
    {PE_FIELD(struct softmax_scale, factor), .type = PE_REAL, .min = 1e-18, .max = 1e18,
     .preset = 1, .when = "convention=deepseek",
     .summary = "factor by which YaRN lengthens the context"},
    {PE_FIELD(struct softmax_scale, mscale_all_dim), .type = PE_REAL, .min = 0, .max = 1e6,
     .when = "convention=deepseek",
     .summary = "coefficient of YaRN's attention factor, as mscale_all_dim of DeepSeek"},
    {PE_FIELD(struct softmax_scale, terms), .type = PE_INT, .min = 0, .max = 2, .preset = 2,
     .when = "convention=deberta",
     .summary = "number of relative terms in the scores (c2p, p2c)"},
    {PE_FIELD(struct softmax_scale, logit_scale), .type = PE_REALS, .required = true,
     .min = -700, .max = 1e18, .when = "convention=swinv2",
     PE_OWN("transformers", WEIGHTS, BASIC),
     .summary = "learned logarithms of the factors, one a head"},
};

static const struct pe_output outputs[] = {
    [SCALE] = {PE_OUTPUT("scale", PE_F32, "heads"), .label = "Scale",
               .summary = "factor on the attention scores; with swinv2 one a head",
               .by_default = true, .bound = "0.501 ULP; f64 4 ULP"},
};

/* ---- values ------------------------------------------------------------------------------ */

/* Returns (0.1 mscale_all_dim ln(factor) + 1)^2, or 1 where nothing is scaled. */
static double temperature(const struct softmax_scale *s)
{
    struct dd log;
    double root;

    if (s->factor <= 1)
        return 1;
    log = elementary_multiply(elementary_log(s->factor), (struct dd){s->mscale_all_dim, 0});
    root = 0.1 * log.hi + 1;
    return root * root;
}

static double scale_of(const struct softmax_scale *s, size_t head)
{
    const double exponent = s->convention == SWINV2 ? s->logit_scale.values[head] : 0;

    switch (s->convention) {
    case ONE:
        return 1;
    case SCALAR:
        return 1 / sqrt(s->query_pre_attn_scalar);
    case MULTIPLIER:
        return s->attention_multiplier;
    case MUP:
        return 1 / (double)s->dim;
    case DEEPSEEK:
        return temperature(s) / sqrt((double)s->dim);
    case SWINV2: /* from ln 100 on */
        return exponent >= 0x1.26bb1bbb55516p+2 ? 100
                                                : elementary_exp((struct dd){exponent, 0});
    case DEBERTA:
        return 1 / sqrt((double)(s->dim * (1 + s->terms)));
    default:
        return 1 / sqrt((double)s->dim);
    }
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct softmax_scale *s = values;
    const size_t heads = s->convention == SWINV2 ? s->logit_scale.cols : 1;
    double *scales = precomputed_new(build, SCALE, 1, heads);

    for (size_t i = 0; scales && i < heads; i++)
        scales[i] = scale_of(s, i);
}

const struct pe_encoding pe_encoding_softmax_scale = {
    .name = "softmax-scale",
    .title = "Scale of attention scores",
    .formula =
        "sqrt: dim^-0.5; scalar: query_pre_attn_scalar^-0.5; mup: 1/dim; deepseek: dim^-0.5 "
        "(0.1 mscale_all_dim ln(factor) + 1)^2; deberta: (dim (1 + terms))^-0.5",
    .when_to_use =
        "The factor by which scores are multiplied before softmax, by the rule of the model.",
    .what_goes_wrong =
        "Gemma 2 27B has query_pre_attn_scalar 144 with heads of 128; T5 has no scale; "
        "DeepSeek counts the square of YaRN's factor in here and leaves it out of cos and "
        "sin.",
    .picture = "convention=swinv2&logit_scale=0,0.5,1,1.5,2,2.5,3,3.5,4,4.5,5",
    .summary = "what attention scores are multiplied by before softmax",
    .source = "Vaswani et al. 2017; Gemma, Granite, DeepSeek-V2, Swin v2, DeBERTa",
    .examples =
        PE_WORDS("dim=128", "convention=scalar&query_pre_attn_scalar=256", "convention=one",
                 "convention=multiplier&attention_multiplier=0.015625", "convention=mup&dim=64",
                 "convention=deepseek&dim=192&factor=40&mscale_all_dim=1",
                 "convention=deberta&dim=64", "convention=swinv2&logit_scale=2.302585,5"),
    .family = PE_BIAS,
    PE_TABLES(struct softmax_scale, params, outputs),
    .lengths = PE_WORDS("heads=logit_scale?"),
    .prepare = prepare,
};
