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
     .summary = "width of a head (head_dim in Hugging Face configs)"},                         \
        LADDER_ROWS_BUT_DIM(TYPE, PART)
/* Declares the ladder's parameters without dim, for encodings that take it from tensors. A row
 * says in `.when` for which rules of `scaling` it is read; core/math/scaling has the rules. */
#define LADDER_ROWS_BUT_DIM(TYPE, PART)                                                        \
    {PE_FIELD_OF(TYPE, PART, rotary_dim),                                                      \
     .type = PE_INT,                                                                           \
     .optional = true,                                                                         \
     .min = 2,                                                                                 \
     .max = 65536,                                                                             \
     .multiple_of = 2,                                                                         \
     .summary = "first columns of a head that are turned; all of dim by default"},             \
        {PE_FIELD_OF(TYPE, PART, partial_rotary_factor),                                       \
         .type = PE_REAL,                                                                      \
         .optional = true,                                                                     \
         .above_min = true,                                                                    \
         .max = 1,                                                                             \
         .summary = "rotary_dim as a share of dim (rotary_pct, partial_rotary_factor)"},       \
        {PE_FIELD_OF(TYPE, PART.scaling, base), .type = PE_REAL, .min = 1e-18, .max = 1e18,    \
         .preset = 10000},                                                                     \
        {.name = "scaling",                                                                    \
         .offset = offsetof(TYPE, PART.scaling.kind),                                          \
         .type = PE_CHOICE,                                                                    \
         .choices = ladder_scalings},                                                          \
        LADDER_REAL(TYPE, PART, factor, 1e-18, "!scaling=none|factors|ggml"),                  \
        LADDER_REAL(TYPE, PART, original_max_position_embeddings, 1,                           \
                    "scaling=ntk-by-parts|yarn|deepseek_yarn|longrope|llama3|ggml"),           \
        LADDER_REAL(TYPE, PART, max_position_embeddings, 1,                                    \
                    "scaling=dynamic|ntk-by-parts|yarn|deepseek_yarn|longrope"),               \
        LADDER_REAL(TYPE, PART, seq_len, 1, "scaling=dynamic|longrope"),                       \
        LADDER_CHOICE(TYPE, PART, scaling_variant, ladder_variants,                            \
                      "scaling=ntk|dynamic|ntk-by-parts"),                                     \
        LADDER_CHOICE(TYPE, PART, dialect, ladder_dialects, "scaling=yarn|deepseek_yarn"),     \
        LADDER_CHOICE(TYPE, PART, truncate, ladder_flags, "scaling=ntk-by-parts|yarn"),        \
        LADDER_REAL(TYPE, PART, beta_fast, 1e-18,                                              \
                    "scaling=ntk-by-parts|yarn|deepseek_yarn|ggml"),                           \
        LADDER_REAL(TYPE, PART, beta_slow, 1e-18,                                              \
                    "scaling=ntk-by-parts|yarn|deepseek_yarn|ggml"),                           \
        LADDER_REAL(TYPE, PART, mscale, 0, "scaling=yarn|deepseek_yarn"),                      \
        LADDER_REAL(TYPE, PART, mscale_all_dim, 0, "scaling=yarn|deepseek_yarn"),              \
        LADDER_REAL(TYPE, PART, attention_factor, 1e-18, "scaling=yarn|longrope"),             \
        LADDER_REAL(TYPE, PART, attn_factor, 1e-18, "scaling=yarn|deepseek_yarn|ggml"),        \
        LADDER_SHARE(TYPE, PART, extrapolation_factor,                                         \
                     "scaling=ntk-by-parts|yarn|deepseek_yarn"),                               \
        LADDER_REAL(TYPE, PART, low_freq_factor, 1e-18, "scaling=llama3"),                     \
        LADDER_REAL(TYPE, PART, high_freq_factor, 1e-18, "scaling=llama3"),                    \
        LADDER_REAL(TYPE, PART, mixed_b, 0, "scaling=ntk&scaling_variant=mixed"),              \
        LADDER_SHARE(TYPE, PART, ntk_factor, "scaling=ntk-by-parts&scaling_variant=part-ntk"), \
        LADDER_LIST(TYPE, PART, beta, "scaling=ntk-by-parts&scaling_variant=part-ntk",         \
                    .summary = "turns between which part-ntk blends first, as 1.25,0.75"),     \
        LADDER_LIST(TYPE, PART, gamma, "scaling=ntk-by-parts&scaling_variant=part-ntk",        \
                    .summary = "turns between which part-ntk blends next, as 16,2"),           \
        LADDER_CHOICE(TYPE, PART, longrope_list, ladder_lists, "scaling=longrope"),            \
        LADDER_LIST(TYPE, PART, short_factor, "scaling=longrope", .summary = NULL),            \
        LADDER_LIST(TYPE, PART, long_factor, "scaling=longrope", .summary = NULL),             \
        LADDER_REAL(TYPE, PART, short_mscale, 1e-18, "scaling=longrope"),                      \
        LADDER_REAL(TYPE, PART, long_mscale, 1e-18, "scaling=longrope"),                       \
        LADDER_CHOICE(TYPE, PART, magnitude, ladder_magnitudes, "scaling=longrope"),           \
        LADDER_LIST(TYPE, PART, freq_factors, "scaling=factors|ggml", .summary = NULL),        \
        LADDER_REAL(TYPE, PART, freq_scale, 1e-18, "scaling=ggml"),                            \
        LADDER_SHARE(TYPE, PART, ext_factor, "scaling=ggml"),                                  \
        {PE_FIELD_OF(TYPE, PART, resonance), .type = PE_CHOICE, .optional = true,              \
         .choices = ladder_flags},                                                             \
        {PE_FIELD_OF(TYPE, PART, profile), .type = PE_CHOICE, .choices = ladder_profiles},     \
        {PE_FIELD_OF(TYPE, PART, powf), .type = PE_CHOICE, .optional = true,                   \
         .choices = ladder_powfs, .when = "profile=f32-pow|bf16-table"},                       \
        {PE_FIELD_OF(TYPE, PART, scale_target), .type = PE_CHOICE, .optional = true,           \
         .choices = ladder_targets,                                                            \
         .when = "scaling=linear|factors&profile=f32-pow|f32-exp|f32-div|bf16-table"},         \
        {PE_FIELD_OF(TYPE, PART, apply_attention_factor), .type = PE_CHOICE, .optional = true, \
         .choices = ladder_attention_flags,                                                    \
         .summary = "whether cos and sin are multiplied by the attention factor of the rule"}, \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, allow_base_below_one), .type = PE_BOOL, .optional = true       \
    }

/* A parameter of struct scaling, of which names.def says the meaning. */
#define LADDER_REAL(TYPE, PART, FIELD, LEAST, WHEN)                                            \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART.scaling, FIELD), .type = PE_REAL, .optional = true,             \
                                                .min = (LEAST), .max = 1e18, .when = (WHEN)    \
    }
#define LADDER_SHARE(TYPE, PART, FIELD, WHEN)                                                  \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART.scaling, FIELD), .type = PE_REAL, .optional = true, .max = 1,   \
                                                .when = (WHEN)                                 \
    }
#define LADDER_CHOICE(TYPE, PART, FIELD, CHOICES, WHEN)                                        \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART.scaling, FIELD), .type = PE_CHOICE, .optional = true,           \
                                                .choices = (CHOICES), .when = (WHEN)           \
    }
#define LADDER_LIST(TYPE, PART, FIELD, WHEN, ...)                                              \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART.scaling, FIELD), .type = PE_REALS, .min = 1e-18, .max = 1e18,   \
                                                .when = (WHEN), __VA_ARGS__                    \
    }

/* The names of the ladder's parameters, for the `uses` of outputs that depend on the
 * frequencies. */
#define LADDER_NAMES                                                                           \
    "dim", "rotary_dim", "partial_rotary_factor", "base", "scaling", "factor",                 \
        "original_max_position_embeddings", "max_position_embeddings", "seq_len",              \
        "scaling_variant", "dialect", "truncate", "beta_fast", "beta_slow", "mscale",          \
        "mscale_all_dim", "attention_factor", "attn_factor", "extrapolation_factor",           \
        "low_freq_factor", "high_freq_factor", "mixed_b", "ntk_factor", "beta", "gamma",       \
        "longrope_list", "short_factor", "long_factor", "short_mscale", "long_mscale",         \
        "magnitude", "freq_factors", "freq_scale", "ext_factor", "resonance", "profile",       \
        "powf", "scale_target", "apply_attention_factor", "allow_base_below_one"

extern const struct pe_choice ladder_scalings[], ladder_variants[], ladder_dialects[],
    ladder_flags[], ladder_attention_flags[], ladder_lists[], ladder_magnitudes[],
    ladder_profiles[], ladder_powfs[], ladder_targets[];

/* For the resolve hook; last_position is the largest position asked for + 1 (NaN: none).
 * Reports what is missing or contradicts, fills the defaults of the scaling in use and leaves
 * all others absent. */
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
