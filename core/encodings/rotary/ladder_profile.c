/* SPDX-License-Identifier: Apache-2.0
 * ladder_profile.c - the frequencies of a ladder in each profile, by the frameworks'
 * operations with functions correctly rounded; the plan keeps them. */
#include <math.h>

#include "core/encodings/rotary/ladder.h"
#include "core/math/number/torch_powf.h"
#include "core/math/scaling/scaling_yarn.h"
#include "core/math/trig/frequency.h"

typedef bool profile_setup(struct pe_build *build, const struct ladder *ladder,
                           struct rotation *rotation);

static float *new_floats(struct pe_build *build, const struct ladder *ladder)
{
    return pe_build_alloc(build, ladder_pairs(ladder) * sizeof(float));
}

/* Returns the divisor of the frequencies, 1 where positions or angles are divided instead. */
static float linear_divisor(const struct ladder *ladder)
{
    bool linear = ladder->scaling.kind == SCALING_linear && ladder->scale_target < 0;

    return linear ? (float)ladder->scaling.factor : 1.0F;
}

/* Sets the division of positions or angles in a rotation of float32 angles. */
static bool divide_elsewhere(struct pe_build *build, const struct ladder *ladder,
                             struct rotation *rotation)
{
    const struct scaling *s = &ladder->scaling;
    float *divide;

    if (ladder->scale_target == TARGET_POSITION)
        rotation->stretch = (float)s->factor;
    if (ladder->scale_target != TARGET_ANGLE)
        return true;
    divide = new_floats(build, ladder);
    if (!divide)
        return false;
    for (size_t i = 0; i < ladder_pairs(ladder); i++)
        divide[i] = (float)(s->kind == SCALING_linear ? s->factor : s->freq_factors.values[i]);
    rotation->divide = divide;
    return true;
}

static bool exact(struct pe_build *build, const struct ladder *ladder,
                  struct rotation *rotation)
{
    rotation->angle = ROTATION_EXACT;
    return true;
}

/* Computes w = 1 / pow(base, 2i/r), or rounds the scaled frequency to double. */
static bool f64(struct pe_build *build, const struct ladder *ladder, struct rotation *rotation)
{
    size_t pairs = ladder_pairs(ladder);
    double *w = pe_build_alloc(build, pairs * sizeof *w);
    bool plain = ladder->scaling.kind == SCALING_none && ladder->resonance < 1;

    if (!w)
        return false;
    if (plain)
        frequency_f64_powers(w, pairs, ladder->scaling.base, (size_t)ladder->rotary_dim);
    for (size_t i = 0; i < pairs; i++)
        w[i] = plain ? 1 / w[i] : rotation->table->freq[i].hi;
    rotation->angle = ROTATION_F64;
    rotation->f64 = w;
    return true;
}

/* Returns the theta of a ladder of float32 powers. */
static float powf_base(const struct scaling *s)
{
    const struct scaling_rule *rule = scaling_rule(s->kind);

    return rule->f32_base ? rule->f32_base(s) : (float)s->base;
}

static bool f32_pow(struct pe_build *build, const struct ladder *ladder,
                    struct rotation *rotation)
{
    const struct scaling *s = &ladder->scaling;
    const struct scaling_rule *rule = scaling_rule(s->kind);
    float *power = new_floats(build, ladder), *w = new_floats(build, ladder);
    float base = powf_base(s);
    size_t pairs = ladder_pairs(ladder);

    bool changes = rule->f32_change && ladder->scale_target < 0;

    if (!power || !w || !divide_elsewhere(build, ladder, rotation))
        return false;
    frequency_f32_powers(power, pairs, base, s->rotary_dim);
    torch_powf_apply(power, pairs, base, s->rotary_dim, (enum torch_powf)ladder->powf);
    if (changes)
        rule->f32_change(s, power, w, pairs);
    for (size_t i = 0; !changes && i < pairs; i++)
        w[i] = 1.0F / power[i];
    rotation->angle = ROTATION_F32_TIMES;
    rotation->f32 = w;
    rotation->bf16 = ladder->profile == PROFILE_BF16_TABLE;
    return true;
}

static bool f32_exp(struct pe_build *build, const struct ladder *ladder,
                    struct rotation *rotation)
{
    float *w = new_floats(build, ladder);

    if (!w || !divide_elsewhere(build, ladder, rotation))
        return false;
    frequency_f32_exps(w, ladder_pairs(ladder), ladder->scaling.base,
                       ladder->scaling.rotary_dim);
    for (size_t i = 0; i < ladder_pairs(ladder); i++)
        w[i] = w[i] / linear_divisor(ladder);
    rotation->angle = ROTATION_F32_TIMES;
    rotation->f32 = w;
    return true;
}

static bool f32_div(struct pe_build *build, const struct ladder *ladder,
                    struct rotation *rotation)
{
    float *power = new_floats(build, ladder);

    if (!power || !divide_elsewhere(build, ladder, rotation))
        return false;
    frequency_f32_powers(power, ladder_pairs(ladder), (float)ladder->scaling.base,
                         ladder->scaling.rotary_dim);
    for (size_t i = 0; i < ladder_pairs(ladder); i++)
        power[i] = power[i] * linear_divisor(ladder);
    rotation->angle = ROTATION_F32_OVER;
    rotation->f32 = power;
    return true;
}

/* Computes mix_i = ext_factor (1 - ramp), in float32 as ggml's rope_yarn_ramp. */
static bool chain_mix(struct pe_build *build, const struct ladder *ladder, const float **out)
{
    const struct scaling *s = &ladder->scaling;
    struct scaling range = *s;
    float low, width, *mix;

    *out = NULL;
    if (s->kind != SCALING_ggml || s->ext_factor == 0)
        return true;
    mix = new_floats(build, ladder);
    if (!mix)
        return false;
    range.truncate = 1;
    scaling_yarn_f32_range(&range, s->beta_fast, s->beta_slow, &low, &width);
    for (size_t i = 0; i < ladder_pairs(ladder); i++) {
        float y = ((float)i - low) / fmaxf(0.001F, width);

        mix[i] = (1.0F - fminf(1.0F, fmaxf(0.0F, y))) * (float)s->ext_factor;
    }
    *out = mix;
    return true;
}

static bool f32_acc(struct pe_build *build, const struct ladder *ladder,
                    struct rotation *rotation)
{
    const struct scaling *s = &ladder->scaling;
    struct rotation_chain *chain = pe_build_alloc(build, sizeof *chain);
    float *ratio = pe_build_alloc(build, sizeof *ratio), *factors = NULL;

    if (!chain || !ratio || !chain_mix(build, ladder, &chain->mix))
        return false;
    if (s->freq_factors.rows > 0) {
        factors = new_floats(build, ladder);
        if (!factors)
            return false;
        for (size_t i = 0; i < ladder_pairs(ladder); i++)
            factors[i] = (float)s->freq_factors.values[i];
    }
    *ratio = frequency_f32_power((float)s->base, -2.0F / (float)s->rotary_dim);
    chain->factors = factors;
    chain->scale =
        s->kind == SCALING_ggml ? (float)s->freq_scale : 1.0F / linear_divisor(ladder);
    rotation->angle = ROTATION_F32_CHAIN;
    rotation->f32 = ratio;
    rotation->chain = chain;
    return true;
}

static profile_setup *const profiles[] = {
    [PROFILE_EXACT] = exact,        [PROFILE_F64] = f64,         [PROFILE_F32_POW] = f32_pow,
    [PROFILE_F32_EXP] = f32_exp,    [PROFILE_F32_DIV] = f32_div, [PROFILE_F32_ACC] = f32_acc,
    [PROFILE_BF16_TABLE] = f32_pow,
};

bool ladder_profile_rotation(struct pe_build *build, const struct ladder *ladder,
                             const struct rotation_table *table, struct rotation *rotation)
{
    rotation->table = table;
    rotation->amplitude = ladder_amplitude(ladder);
    rotation->zero_position = NAN;
    return profiles[ladder->profile](build, ladder, rotation);
}

void ladder_profile_warn(struct pe_build *build, const struct ladder *ladder)
{
    const struct scaling *s = &ladder->scaling;

    if (ladder->powf <= TORCH_POWF_CORRECT)
        return;
    if (s->scaling_variant == VARIANT_PART_NTK)
        pe_build_warn(build,
                      "powf: the second theta of part-ntk was never measured in PyTorch: "
                      "frequencies may differ from its own by 1 or 2 ULP");
    else if (!torch_powf_is_measured(powf_base(s), s->rotary_dim))
        pe_build_warn(build,
                      "powf: theta %.9g at width %zu was never measured in PyTorch: "
                      "frequencies may differ from its own by 1 or 2 ULP",
                      (double)powf_base(s), s->rotary_dim);
}

/* Divisions in double are exact enough to show the frequency of a float32 angle. */
struct phase_freq ladder_profile_frequency(const struct rotation *rotation, size_t pair)
{
    struct phase_freq freq = rotation->table->freq[pair];

    if (rotation->angle == ROTATION_EXACT || rotation->angle == ROTATION_F32_CHAIN)
        return freq;
    freq.lo = 0;
    if (rotation->angle == ROTATION_F64)
        freq.hi = rotation->f64[pair];
    else if (rotation->angle == ROTATION_F32_TIMES)
        freq.hi = (double)rotation->f32[pair];
    else
        freq.hi = (double)(1.0F / rotation->f32[pair]);
    if (rotation->stretch != 0)
        freq.hi /= (double)rotation->stretch;
    if (rotation->divide)
        freq.hi /= (double)rotation->divide[pair];
    return freq;
}
