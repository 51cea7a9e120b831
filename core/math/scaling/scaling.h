/* SPDX-License-Identifier: Apache-2.0
 * scaling.h - how RoPE's frequencies are changed for a longer context. A rule
 * is one file and one line of scalings.def: its defaults, the exact change of
 * each frequency, the float32 steps of the frameworks, and the attention factor. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/posenc.h"

enum scaling_kind {
#define SCALING(ID, NAME, ALIAS, ALIAS2, SUMMARY, START) SCALING_##ID,
#include "core/math/scaling/scalings.def"
#undef SCALING
    SCALING_COUNT
};

/* Variants and dialects: choices of parameters, in the order of their rows. */
enum scaling_variant {
    VARIANT_AWARE,
    VARIANT_FIXED,
    VARIANT_MIXED,
    VARIANT_PLAIN, /* variants of ntk */
    VARIANT_HF,
    VARIANT_ALPHA,
    VARIANT_QWEN, /* variants of dynamic */
    VARIANT_YARN,
    VARIANT_PART_NTK, /* variants of ntk-by-parts */
};
enum scaling_dialect {
    DIALECT_HF,
    DIALECT_VLLM,
    DIALECT_DEEPSEEK,
    DIALECT_VLLM_DEEPSEEK,
    DIALECT_GPT_OSS,
    DIALECT_LLAMA_CPP,
    DIALECT_MEGATRON,
    DIALECT_TELECHAT3,
    DIALECT_CHUNKLLAMA,
    DIALECT_GROK,
    DIALECT_KERAS_HUB,
};
enum longrope_list { LONGROPE_AUTO, LONGROPE_SHORT, LONGROPE_LONG };
enum scaling_magnitude { MAGNITUDE_SU, MAGNITUDE_YARN };

/* Parameters of all rules under their Hugging Face names. An absent one is NaN, -1 or a list of
 * 0 rows; a rule's resolve sets the parameters that the rule uses. */
struct scaling {
    int kind, scaling_variant, dialect, truncate, longrope_list, magnitude;
    double factor, original_max_position_embeddings, max_position_embeddings, seq_len;
    double beta_fast, beta_slow, mscale, mscale_all_dim, attention_factor, attn_factor;
    double extrapolation_factor, low_freq_factor, high_freq_factor, mixed_b, ntk_factor;
    double short_mscale, long_mscale, freq_scale, ext_factor;
    struct pe_reals beta, gamma, short_factor, long_factor, freq_factors;

    /* Sets by the code that evaluates the rule; they are no parameters: */
    double base;          /* theta */
    size_t rotary_dim;    /* r; the ladder has r/2 pairs */
    size_t real_pairs;    /* pairs that turn, for proportional */
    double alpha;         /* alpha of dynamic's variant qwen, set by its resolve */
    double last_position; /* largest position asked for + 1, NaN if none; for `resolve` alone */
};

/* The state of a rule while it is applied: theta and frequencies as numbers of MPFR
 * (scaling_exact.h). */
struct scaling_exact;

struct scaling_rule {
    /* Fills defaults, report what is missing or contradicts. May be NULL. */
    void (*resolve)(struct scaling *s, struct pe_errors *errors);
    /* Changes theta before the ladder is built; prepare bounds. May be NULL. */
    void (*begin)(struct scaling_exact *exact);
    /* Changes w_i = theta'^(-2i/r) in place. May be NULL. */
    void (*change)(struct scaling_exact *exact, size_t i);
    /* Returns theta as the float32 ladder takes it. NULL: fl(base). */
    float (*f32_base)(const struct scaling *s);
    /* Computes w from p_i = powf(theta', fl(2i/r)), one float32 operation a step. NULL: w is
     * 1 / p. */
    void (*f32_change)(const struct scaling *s, const float *p, float *w, size_t count);
    /* Returns the factor of cos and sin. NULL: 1. */
    double (*attention)(const struct scaling *s);
};

const struct scaling_rule *scaling_rule(int kind);
const char *scaling_name(int kind); /* Returns the name of a rule, such as "llama3". */

/* Returns the base that the rule amounts to (base itself where the rule changes none),
 * correctly rounded. */
double scaling_effective_base(const struct scaling *s);

/* Returns the base at which the slowest of r/2 pairs, r > 2, turns once in `context` positions:
 * (context / 2 pi)^(r/(r-2)), correctly rounded. */
double scaling_least_base(size_t rotary_dim, double context);

struct phase_freq;
/* Fills out with exact frequencies, count = r/2 (or more for proportional: the whole head's
 * pairs). Returns false when out of memory. resonance rounds each wavelength to a whole number
 * of positions. */
bool scaling_build(struct phase_freq *out, size_t count, const struct scaling *s,
                   bool resonance);
