/* SPDX-License-Identifier: Apache-2.0
 * ladder.c - the frequencies of rotary encodings: rules between their parameters, the shared
 * table, facts. Profiles are in ladder_profile.c, the words of choices in ladder_choices.c. */
#include "core/encodings/rotary/ladder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/math/scaling/scaling_yarn.h"
#include "core/plan/table_key.h"

/* ---- parameters of the scaling ------------------------------------------------------- */

/* Lists every parameter of a scaling by name and place, for the key of its table. */
enum kind { REAL, CHOICE, LIST };
static const struct scaling_field {
    const char *name;
    enum kind kind;
    size_t offset;
} fields[] = {
#define REAL_FIELD(NAME)                                                                       \
    {                                                                                          \
#NAME, REAL, offsetof(struct scaling, NAME)                                            \
    }
#define CHOICE_FIELD(NAME)                                                                     \
    {                                                                                          \
#NAME, CHOICE, offsetof(struct scaling, NAME)                                          \
    }
#define LIST_FIELD(NAME)                                                                       \
    {                                                                                          \
#NAME, LIST, offsetof(struct scaling, NAME)                                            \
    }
    REAL_FIELD(factor),
    REAL_FIELD(original_max_position_embeddings),
    REAL_FIELD(max_position_embeddings),
    REAL_FIELD(seq_len),
    CHOICE_FIELD(scaling_variant),
    CHOICE_FIELD(dialect),
    CHOICE_FIELD(truncate),
    REAL_FIELD(beta_fast),
    REAL_FIELD(beta_slow),
    REAL_FIELD(mscale),
    REAL_FIELD(mscale_all_dim),
    REAL_FIELD(attention_factor),
    REAL_FIELD(attn_factor),
    REAL_FIELD(extrapolation_factor),
    REAL_FIELD(low_freq_factor),
    REAL_FIELD(high_freq_factor),
    REAL_FIELD(mixed_b),
    REAL_FIELD(ntk_factor),
    LIST_FIELD(beta),
    LIST_FIELD(gamma),
    CHOICE_FIELD(longrope_list),
    LIST_FIELD(short_factor),
    LIST_FIELD(long_factor),
    REAL_FIELD(short_mscale),
    REAL_FIELD(long_mscale),
    CHOICE_FIELD(magnitude),
    LIST_FIELD(freq_factors),
    REAL_FIELD(freq_scale),
    REAL_FIELD(ext_factor),
};

static bool is_absent(const struct scaling *s, const struct scaling_field *field)
{
    const char *at = (const char *)s + field->offset;
    double real;
    int choice;
    struct pe_reals list;

    switch (field->kind) {
    case REAL:
        memcpy(&real, at, sizeof real);
        return isnan(real);
    case CHOICE:
        memcpy(&choice, at, sizeof choice);
        return choice < 0;
    case LIST:
        memcpy(&list, at, sizeof list);
        return list.rows == 0;
    }
    return true;
}

/* ---- widths, base, profile ----------------------------------------------------------- */

static void resolve_width(struct ladder *ladder, struct pe_errors *errors)
{
    double fraction = ladder->partial_rotary_factor;
    int64_t width = isnan(fraction) ? ladder->dim : (int64_t)((double)ladder->dim * fraction);

    if (!isnan(fraction) && ladder->rotary_dim != PE_ABSENT_INT &&
        ladder->scaling.kind != SCALING_proportional) {
        pe_fail(errors, PE_CONFLICT, "partial_rotary_factor",
                "and rotary_dim say the same thing; give one");
        return;
    }
    if (ladder->scaling.kind == SCALING_proportional) { /* a share of the pairs, not a width */
        if (ladder->rotary_dim != PE_ABSENT_INT && ladder->rotary_dim != ladder->dim)
            pe_fail(errors, PE_CONFLICT, "rotary_dim",
                    "has no effect with scaling=proportional, which turns pairs of the whole "
                    "head; give partial_rotary_factor");
        ladder->rotary_dim = ladder->dim;
        ladder->partial_rotary_factor = isnan(fraction) ? 1 : fraction;
        ladder->scaling.real_pairs =
            (size_t)(ladder->partial_rotary_factor * (double)ladder->dim / 2);
        return;
    }
    if (!isnan(fraction) && (width < 2 || width % 2 != 0))
        pe_fail(errors, PE_CONFLICT, "partial_rotary_factor",
                "must give an even width of at least 2; trunc(%lld * %g) is %lld",
                (long long)ladder->dim, fraction, (long long)width);
    if (ladder->rotary_dim == PE_ABSENT_INT)
        ladder->rotary_dim = width;
    ladder->partial_rotary_factor = NAN; /* its effect is in rotary_dim */
    if (ladder->rotary_dim > ladder->dim)
        pe_fail(errors, PE_CONFLICT, "rotary_dim", "must be at most dim, %lld; got %lld",
                (long long)ladder->dim, (long long)ladder->rotary_dim);
}

static void resolve_profile(struct ladder *ladder, struct pe_errors *errors)
{
    int kind = ladder->scaling.kind;
    bool plain = kind == SCALING_none || kind == SCALING_linear;
    bool by_powf = ladder->profile == PROFILE_F32_POW || ladder->profile == PROFILE_BF16_TABLE;

    if (by_powf && ladder->powf < 0)
        ladder->powf = 0;
    if ((ladder->profile == PROFILE_F32_EXP || ladder->profile == PROFILE_F32_DIV) && !plain)
        pe_fail(errors, PE_CONFLICT, "profile",
                "must be exact, f64, f32-pow or bf16-table with scaling=%s",
                scaling_name(kind));
    if (ladder->profile == PROFILE_F32_ACC && !plain && kind != SCALING_ggml &&
        kind != SCALING_factors)
        pe_fail(errors, PE_CONFLICT, "profile",
                "f32-acc goes with scaling=ggml, factors, linear or none, as ggml computes");
    if (by_powf && kind == SCALING_ggml)
        pe_fail(errors, PE_CONFLICT, "profile",
                "must be exact, f64 or f32-acc with scaling=ggml");
    if (by_powf && kind == SCALING_yarn && !scaling_yarn_has_f32(&ladder->scaling))
        pe_fail(errors, PE_CONFLICT, "profile", "must be exact or f64 with dialect=%s",
                ladder_dialects[ladder->scaling.dialect].name);
    if (ladder->resonance == 0)
        ladder->resonance = -1; /* the default */
    if (ladder->resonance == 1 && ladder->profile != PROFILE_EXACT &&
        ladder->profile != PROFILE_F64)
        pe_fail(errors, PE_CONFLICT, "resonance", "goes with profile=exact or f64");
    if (ladder->resonance == 1 && ladder->scaling.base < 1)
        pe_fail(errors, PE_CONFLICT, "resonance",
                "needs wavelengths of at least one position: a base of 1 or more");
}

/* The side of the formula on which the factor divides changes roundings alone, so only float32
 * profiles show it. */
static void resolve_target(struct ladder *ladder, struct pe_errors *errors)
{
    if (ladder->scaling.kind == SCALING_factors && ladder->scale_target == TARGET_POSITION)
        pe_fail(errors, PE_CONFLICT, "scale_target",
                "must be freq or angle with scaling=factors, whose pairs have one each");
    if (ladder->scale_target == TARGET_FREQ)
        ladder->scale_target = -1; /* the default */
}

/* Refuses wavelengths that round to 0 positions: w of 4 pi and more, by divisors below 1. */
static void check_resonance(const struct ladder *ladder, struct pe_errors *errors)
{
    const double four_pi = 0x1.921fb54442d18p+3;
    size_t pairs = ladder_pairs(ladder);
    struct phase_freq *freq = calloc(pairs, sizeof *freq);
    double largest = 0;

    if (!freq || !scaling_build(freq, pairs, &ladder->scaling, false))
        pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    for (size_t i = 0; freq && i < pairs; i++)
        largest = fmax(largest, freq[i].hi);
    if (largest >= four_pi)
        pe_fail(errors, PE_CONFLICT, "resonance",
                "needs wavelengths of more than half a position; the scaling makes one of %g",
                four_pi / 2 / largest);
    free(freq);
}

enum pe_status ladder_resolve(struct ladder *ladder, double last_position,
                              struct pe_errors *errors)
{
    struct scaling *s = &ladder->scaling;

    resolve_width(ladder, errors);
    if (s->base < 1 && !ladder->allow_base_below_one)
        pe_fail(errors, PE_OUT_OF_RANGE, "base",
                "is below 1, so that frequencies grow; give allow_base_below_one=1 if meant");
    ladder->allow_base_below_one = ladder->allow_base_below_one && s->base < 1;
    if (errors->count > 0)
        return errors->at[0].status;
    s->rotary_dim = (size_t)ladder->rotary_dim;
    s->last_position = last_position;
    if (scaling_rule(s->kind)->resolve)
        scaling_rule(s->kind)->resolve(s, errors);
    s->last_position = NAN; /* only the rule reads it: equal frequencies are equal values */
    resolve_profile(ladder, errors);
    resolve_target(ladder, errors);
    if (ladder->resonance == 1 && errors->count == 0)
        check_resonance(ladder, errors);
    if (ladder->apply_attention_factor == 1)
        ladder->apply_attention_factor = -1; /* the default */
    if (ladder->apply_attention_factor == 0 && errors->count == 0 &&
        ladder_attention(ladder) == 1)
        pe_fail(errors, PE_CONFLICT, "apply_attention_factor",
                "has no effect where the attention factor is 1");
    return errors->count ? errors->at[0].status : PE_OK;
}

/* ---- the table ----------------------------------------------------------------------- */

size_t ladder_pairs(const struct ladder *ladder)
{
    return (size_t)ladder->rotary_dim / 2;
}

static void add_list(struct table_key *key, const char *name, const struct pe_reals *list)
{
    for (size_t i = 0; i < list->rows * list->cols; i++)
        table_key_add(key, i ? "" : name, list->values[i]);
}

size_t ladder_key(const struct ladder *ladder, bool with_fine, char *text, size_t size)
{
    struct table_key key = {text, size, 0};
    const struct scaling *s = &ladder->scaling;

    table_key_add(&key, "kind", s->kind);
    table_key_add(&key, "base", s->base);
    table_key_add(&key, "r", (double)s->rotary_dim);
    table_key_add(&key, "real", (double)s->real_pairs);
    table_key_add(&key, "resonance", ladder->resonance);
    table_key_add(&key, "fine", with_fine);
    for (size_t i = 0; i < PE_LEN(fields); i++) {
        const char *at = (const char *)s + fields[i].offset;
        double real;
        int choice;
        struct pe_reals list;

        if (is_absent(s, &fields[i]))
            continue;
        if (fields[i].kind == REAL) {
            memcpy(&real, at, sizeof real);
            table_key_add(&key, fields[i].name, real);
        } else if (fields[i].kind == CHOICE) {
            memcpy(&choice, at, sizeof choice);
            table_key_add(&key, fields[i].name, choice);
        } else {
            memcpy(&list, at, sizeof list);
            add_list(&key, fields[i].name, &list);
        }
    }
    return key.len;
}

static bool build(struct phase_freq *out, size_t pairs, const void *context)
{
    const struct ladder *ladder = context;

    return scaling_build(out, pairs, &ladder->scaling, ladder->resonance == 1);
}

struct rotation_table *ladder_table(const struct ladder *ladder, bool with_fine)
{
    return rotation_table_of(ladder_pairs(ladder), with_fine, build, ladder);
}

double ladder_plan_ns(const struct ladder *ladder)
{
    bool powers = ladder->profile != PROFILE_EXACT; /* one correctly rounded power a pair */
    bool parts = ladder->scaling.kind == SCALING_ntk_by_parts;
    bool mixed = ladder->scaling.scaling_variant == VARIANT_MIXED;
    double each = 1000 + (powers ? 4000 : 0) + (parts || mixed ? 40000 : 0);

    return each * (double)ladder_pairs(ladder);
}

double ladder_first_plan_ns(const struct pe_args *args, const void *values)
{
    return ladder_plan_ns(values);
}

size_t ladder_first_table_key(const struct pe_args *args, const void *values, char *text,
                              size_t size)
{
    return ladder_key(values, false, text, size);
}

void *ladder_first_table_build(const struct pe_args *args, const void *values, size_t *bytes)
{
    struct rotation_table *table = ladder_table(values, false);

    if (table)
        *bytes = table->bytes;
    return table;
}

bool ladder_wants_fine(const struct ladder *ladder, const struct pe_positions *pos,
                       enum pe_dtype dtype)
{
    return ladder->profile == PROFILE_EXACT && dtype != PE_F64 && pe_positions_whole(pos) &&
           pe_positions_count(pos) >= ROTATION_FINE_FROM;
}

/* ---- facts --------------------------------------------------------------------------- */

double ladder_context(const struct ladder *ladder)
{
    const struct scaling *s = &ladder->scaling;

    return s->kind == SCALING_dynamic ? s->max_position_embeddings
                                      : s->original_max_position_embeddings;
}

double ladder_attention(const struct ladder *ladder)
{
    const struct scaling_rule *rule = scaling_rule(ladder->scaling.kind);

    return rule->attention ? rule->attention(&ladder->scaling) : 1;
}

double ladder_amplitude(const struct ladder *ladder)
{
    return ladder->apply_attention_factor == 0 ? 1 : ladder_attention(ladder);
}

double ladder_effective_base(const struct ladder *ladder)
{
    return scaling_effective_base(&ladder->scaling);
}

void ladder_facts(struct pe_build *to, const struct ladder *ladder)
{
    const struct scaling *s = &ladder->scaling;

    pe_build_fact(to, "attention_factor", ladder_attention(ladder));
    pe_build_fact(to, "effective_base", ladder_effective_base(ladder));
    if (s->factor < 1)
        pe_build_warn(to, "factor is below 1: it shortens the context");
    ladder_profile_warn(to, ladder);
}
