/* SPDX-License-Identifier: Apache-2.0
 * ladder.h - the parameters that decide the frequencies of a rotary encoding: widths, base,
 * scaling, profile. LADDER_ROWS declares them once for all encodings whose arguments embed them
 * (rope, rope/apply, mrope, xpos ...). */
#pragma once

#include "core/encoding.h"
#include "core/math/rotation/rotation.h"
#include "core/math/scaling/scaling.h"

enum ladder_profile {
    PROFILE_EXACT,
    PROFILE_F64,
    PROFILE_F32_POW,
    PROFILE_F32_EXP,
    PROFILE_F32_DIV,
    PROFILE_F32_ACC,
    PROFILE_BF16_TABLE,
};
enum ladder_target { TARGET_FREQ, TARGET_POSITION, TARGET_ANGLE };

struct ladder {
    int64_t dim, rotary_dim;
    double partial_rotary_factor;
    struct scaling scaling; /* .kind is the parameter `scaling`, .base is `base` */
    int profile, powf, scale_target, resonance, apply_attention_factor;
    bool allow_base_below_one;
};

/* Declares parameters for a struct TYPE with a member `struct ladder PART`. */
#define LADDER_ROWS(TYPE, PART)                                                                \
    {PE_FIELD_OF(TYPE, PART, dim),                                                             \
     .type = PE_INT,                                                                           \
     .required = true,                                                                         \
     .min = 2,                                                                                 \
     .max = 65536,                                                                             \
     .multiple_of = 2,                                                                         \
     .summary = "width of a head (head_dim)"},                                                 \
        LADDER_ROWS_BUT_DIM(TYPE, PART)
/* Declares the ladder's parameters without dim, for encodings that take it from tensors. */
#define LADDER_ROWS_BUT_DIM(TYPE, PART)                                                        \
    {PE_FIELD_OF(TYPE, PART, rotary_dim),                                                      \
     .type = PE_INT,                                                                           \
     .optional = true,                                                                         \
     .min = 2,                                                                                 \
     .max = 65536,                                                                             \
     .multiple_of = 2,                                                                         \
     .summary = "coordinates that rotate, the first of the head; dim by default"},             \
        {PE_FIELD_OF(TYPE, PART, partial_rotary_factor),                                       \
         .type = PE_REAL,                                                                      \
         .optional = true,                                                                     \
         .above_min = true,                                                                    \
         .max = 1,                                                                             \
         .summary = "rotary_dim as a fraction of dim (rotary_pct)"},                           \
        {PE_FIELD_OF(TYPE, PART.scaling, base),                                                \
         .type = PE_REAL,                                                                      \
         .min = 1e-18,                                                                         \
         .max = 1e18,                                                                          \
         .preset = 10000,                                                                      \
         .summary = "base of the geometric frequencies (theta, rope_theta)"},                  \
        {.name = "scaling",                                                                    \
         .offset = offsetof(TYPE, PART.scaling.kind),                                          \
         .type = PE_CHOICE,                                                                    \
         .choices = ladder_scalings,                                                           \
         .summary = "how frequencies are changed for a longer "                                \
                    "context (rope_type)"},                                                    \
        LADDER_REAL(TYPE, PART, factor, 1e-18, "scaling factor s"),                            \
        LADDER_REAL(TYPE, PART, original_max_position_embeddings, 1,                           \
                    "context before scaling (L0, original context length)"),                   \
        LADDER_REAL(TYPE, PART, max_position_embeddings, 1, "context the model states"),       \
        LADDER_REAL(TYPE, PART, seq_len, 1, "length that chooses the frequencies"),            \
        {PE_FIELD_OF(TYPE, PART.scaling, scaling_variant), .type = PE_CHOICE,                  \
         .optional = true, .choices = ladder_variants,                                         \
         .summary = "which of the rules of that name"},                                        \
        {PE_FIELD_OF(TYPE, PART.scaling, dialect), .type = PE_CHOICE, .optional = true,        \
         .choices = ladder_dialects, .summary = "whose reading of YaRN"},                      \
        {PE_FIELD_OF(TYPE, PART.scaling, truncate), .type = PE_CHOICE, .optional = true,       \
         .choices = ladder_flags, .summary = "round YaRN's range to whole pairs"},             \
        LADDER_REAL(TYPE, PART, beta_fast, 1e-18, "turns in L0 from which pairs are kept"),    \
        LADDER_REAL(TYPE, PART, beta_slow, 1e-18,                                              \
                    "turns in L0 below which pairs are divided"),                              \
        LADDER_REAL(TYPE, PART, mscale, 0, "YaRN's temperature, numerator"),                   \
        LADDER_REAL(TYPE, PART, mscale_all_dim, 0, "YaRN's temperature, denominator"),         \
        LADDER_REAL(TYPE, PART, attention_factor, 1e-18,                                       \
                    "what cos and sin are multiplied by"),                                     \
        LADDER_REAL(TYPE, PART, attn_factor, 1e-18, "multiplies the attention factor"),        \
        LADDER_SHARE(TYPE, PART, extrapolation_factor, "multiplies the share that is kept"),   \
        LADDER_REAL(TYPE, PART, low_freq_factor, 1e-18,                                        \
                    "llama3: turns below which is divided"),                                   \
        LADDER_REAL(TYPE, PART, high_freq_factor, 1e-18, "llama3: turns above which is kept"), \
        LADDER_REAL(TYPE, PART, mixed_b, 0, "ntk, variant mixed: exponent b"),                 \
        LADDER_SHARE(TYPE, PART, ntk_factor, "part-ntk: multiplies the first share"),          \
        LADDER_LIST(TYPE, PART, beta, "part-ntk: turns of the first range, 1.25,0.75"),        \
        LADDER_LIST(TYPE, PART, gamma, "part-ntk: turns of the second range, 16,2"),           \
        {PE_FIELD_OF(TYPE, PART.scaling, which), .type = PE_CHOICE, .optional = true,          \
         .choices = ladder_lists, .summary = "longrope: which list"},                          \
        LADDER_LIST(TYPE, PART, short_factor, "longrope: divisors for short contexts"),        \
        LADDER_LIST(TYPE, PART, long_factor, "longrope: divisors for long contexts"),          \
        LADDER_REAL(TYPE, PART, short_mscale, 1e-18, "longrope: attention factor when short"), \
        LADDER_REAL(TYPE, PART, long_mscale, 1e-18, "longrope: attention factor when long"),   \
        {PE_FIELD_OF(TYPE, PART.scaling, magnitude), .type = PE_CHOICE, .optional = true,      \
         .choices = ladder_magnitudes, .summary = "longrope: rule of the attention factor"},   \
        LADDER_LIST(TYPE, PART, freq_factors, "divisors, one a pair (GGUF rope_freqs)"),       \
        LADDER_REAL(TYPE, PART, freq_scale, 1e-18,                                             \
                    "ggml: multiplies interpolated angles (1/s)"),                             \
        LADDER_SHARE(TYPE, PART, ext_factor, "ggml: share of YaRN's blend, 0 or 1"),           \
        {PE_FIELD_OF(TYPE, PART, resonance), .type = PE_CHOICE, .optional = true,              \
         .choices = ladder_flags, .summary = "round wavelengths to whole positions"},          \
        {PE_FIELD_OF(TYPE, PART, profile), .type = PE_CHOICE, .choices = ladder_profiles,      \
         .summary = "whose arithmetic"},                                                       \
        {PE_FIELD_OF(TYPE, PART, powf), .type = PE_CHOICE, .optional = true,                   \
         .choices = ladder_powfs, .summary = "f32-pow: whose powf"},                           \
        {PE_FIELD_OF(TYPE, PART, scale_target), .type = PE_CHOICE, .optional = true,           \
         .choices = ladder_targets,                                                            \
         .summary = "float32 profiles of linear and factors: what is divided"},                \
        {PE_FIELD_OF(TYPE, PART, apply_attention_factor), .type = PE_CHOICE, .optional = true, \
         .choices = ladder_flags,                                                              \
         .summary = "0: leave the attention factor out of cos and sin"},                       \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, allow_base_below_one),                                         \
            .type = PE_BOOL, .optional = true,                                                 \
            .summary = "accept a base below 1 (frequencies that grow)"                         \
    }

#define LADDER_REAL(TYPE, PART, FIELD, LEAST, SUMMARY)                                         \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART.scaling, FIELD), .type = PE_REAL, .optional = true,             \
                                                .min = (LEAST), .max = 1e18,                   \
                                                .summary = (SUMMARY)                           \
    }
#define LADDER_SHARE(TYPE, PART, FIELD, SUMMARY)                                               \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART.scaling, FIELD), .type = PE_REAL, .optional = true, .max = 1,   \
                                                .summary = (SUMMARY)                           \
    }
#define LADDER_LIST(TYPE, PART, FIELD, SUMMARY)                                                \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART.scaling, FIELD), .type = PE_REALS, .min = 1e-18, .max = 1e18,   \
                                                .summary = (SUMMARY)                           \
    }

/* The names of the ladder's parameters, for the `uses` of outputs that depend on the
 * frequencies. */
#define LADDER_NAMES                                                                           \
    "dim", "rotary_dim", "partial_rotary_factor", "base", "scaling", "factor",                 \
        "original_max_position_embeddings", "max_position_embeddings", "seq_len",              \
        "scaling_variant", "dialect", "truncate", "beta_fast", "beta_slow", "mscale",          \
        "mscale_all_dim", "attention_factor", "attn_factor", "extrapolation_factor",           \
        "low_freq_factor", "high_freq_factor", "mixed_b", "ntk_factor", "beta", "gamma",       \
        "which", "short_factor", "long_factor", "short_mscale", "long_mscale", "magnitude",    \
        "freq_factors", "freq_scale", "ext_factor", "resonance", "profile", "powf",            \
        "scale_target", "apply_attention_factor", "allow_base_below_one"

extern const struct pe_choice ladder_scalings[], ladder_variants[], ladder_dialects[],
    ladder_flags[], ladder_lists[], ladder_magnitudes[], ladder_profiles[], ladder_powfs[],
    ladder_targets[];

/* For the resolve hook; last_position is the largest position asked for + 1 (NaN: none).
 * Reports what is missing or without effect, fills the defaults of the scaling in use and
 * leaves all others absent. */
enum pe_status ladder_resolve(struct ladder *ladder, double last_position,
                              struct pe_errors *errors);

size_t ladder_pairs(const struct ladder *ladder);
/* Writes a text of all that decides the table, as snprintf; different tables differ in it. */
size_t ladder_key(const struct ladder *ladder, bool with_fine, char *text, size_t size);
struct rotation_table *ladder_table(const struct ladder *ladder, bool with_fine);
/* Says whether a fine table pays off for this many rows of this dtype. */
bool ladder_wants_fine(const struct ladder *ladder, const struct pe_positions *pos,
                       enum pe_dtype dtype);

/* Returns the context before scaling; NaN where the scaling knows none. */
double ladder_context(const struct ladder *ladder);
/* Returns roughly the nanoseconds that ladder_table and a profile take. */
double ladder_plan_ns(const struct ladder *ladder);

/* The hooks of a table without the fine part, for encodings whose struct of values begins with
 * its ladder. */
double ladder_first_plan_ns(const struct pe_args *args, const void *values);
size_t ladder_first_table_key(const struct pe_args *args, const void *values, char *text,
                              size_t size);
void *ladder_first_table_build(const struct pe_args *args, const void *values, size_t *bytes);

/* Returns the scaling's attention factor, 1 without a scaling that says otherwise. */
double ladder_attention(const struct ladder *ladder);
/* Returns the factor of cos and sin: the attention factor, or 1 if the client leaves it out. */
double ladder_amplitude(const struct ladder *ladder);
/* Returns the base that the scaling amounts to (base where it is no change of base). */
double ladder_effective_base(const struct ladder *ladder);
/* Sets table, amplitude and the profile's part of a rotation, in the build's memory; returns
 * false when out of memory. */
bool ladder_profile_rotation(struct pe_build *build, const struct ladder *ladder,
                             const struct rotation_table *table, struct rotation *rotation);
/* Returns the frequency of a pair as the profile has it, as hi + lo radians per position. */
struct phase_freq ladder_profile_frequency(const struct rotation *rotation, size_t pair);
/* Warns where powf= asks for PyTorch's powers of a theta and width that were not measured. */
void ladder_profile_warn(struct pe_build *build, const struct ladder *ladder);
/* Notes attention_factor and effective_base; warns about the factor and the powf. */
void ladder_facts(struct pe_build *build, const struct ladder *ladder);
