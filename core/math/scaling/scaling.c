/* SPDX-License-Identifier: Apache-2.0
 * scaling.c - the table of rules, and the exact ladder that they change. */
#include "core/math/scaling/scaling.h"

#include <assert.h>
#include <stdlib.h>

#include "core/math/number/mpfr_memory.h"
#include "core/math/scaling/scaling_exact.h"
#include "core/math/trig/frequency_exact.h"

#define SCALING(ID, NAME, ALIAS, ALIAS2, SUMMARY, START)                                       \
    extern const struct scaling_rule scaling_##ID;
#include "core/math/scaling/scalings.def"
#undef SCALING

static const struct scaling_rule *const rules[SCALING_COUNT] = {
#define SCALING(ID, NAME, ALIAS, ALIAS2, SUMMARY, START) [SCALING_##ID] = &scaling_##ID,
#include "core/math/scaling/scalings.def"
#undef SCALING
};

const struct scaling_rule *scaling_rule(int kind)
{
    assert(kind >= 0 && kind < SCALING_COUNT);
    return rules[kind];
}

const char *scaling_name(int kind)
{
    static const char *const names[SCALING_COUNT] = {
#define SCALING(ID, NAME, ALIAS, ALIAS2, SUMMARY, START) [SCALING_##ID] = NAME,
#include "core/math/scaling/scalings.def"
#undef SCALING
    };

    assert(kind >= 0 && kind < SCALING_COUNT);
    return names[kind];
}

/* ---- functions of doubles ------------------------------------------------------------ */

static double rounded(int function(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t), double value)
{
    mpfr_t x;
    double result;

    mpfr_init2(x, 53);
    mpfr_set_d(x, value, MPFR_RNDN);
    function(x, x, MPFR_RNDN);
    result = mpfr_get_d(x, MPFR_RNDN);
    mpfr_clear(x);
    mpfr_memory_drop_constants();
    return result;
}

double scaling_log(double value)
{
    return rounded(mpfr_log, value);
}

double scaling_exp(double value)
{
    return rounded(mpfr_exp, value);
}

double scaling_pow(double base, double exponent)
{
    mpfr_t x, y;
    double result;

    mpfr_inits2(53, x, y, (mpfr_ptr)0);
    mpfr_set_d(x, base, MPFR_RNDN);
    mpfr_set_d(y, exponent, MPFR_RNDN);
    mpfr_pow(x, x, y, MPFR_RNDN);
    result = mpfr_get_d(x, MPFR_RNDN);
    mpfr_clears(x, y, (mpfr_ptr)0);
    mpfr_memory_drop_constants();
    return result;
}

/* ---- steps that rules share ---------------------------------------------------------- */

void scaling_power(mpfr_t out, mpfr_t base, double number, double of)
{
    mpfr_t exponent;

    mpfr_init2(exponent, SCALING_PRECISION);
    mpfr_set_d(exponent, number, MPFR_RNDN);
    mpfr_div_d(exponent, exponent, of, MPFR_RNDN);
    mpfr_pow(out, base, exponent, MPFR_RNDN);
    mpfr_clear(exponent);
}

/* Computes the index at which a pair makes b turns in the original context: c(b) = r ln(L0 / (2
 * pi b)) / (2 ln theta), where exact->c is ln theta. */
static void scaling_correction(struct scaling_exact *exact, mpfr_t out, double turns)
{
    mpfr_const_pi(out, MPFR_RNDN);
    mpfr_mul_2ui(out, out, 1, MPFR_RNDN);
    mpfr_mul_d(out, out, turns, MPFR_RNDN);
    mpfr_d_div(out, exact->s->original_max_position_embeddings, out, MPFR_RNDN);
    mpfr_log(out, out, MPFR_RNDN);
    mpfr_mul_ui(out, out, exact->s->rotary_dim, MPFR_RNDN);
    mpfr_div(out, out, exact->c, MPFR_RNDN);
    mpfr_div_2ui(out, out, 1, MPFR_RNDN);
}

void scaling_range(struct scaling_exact *exact, double fast, double slow, bool truncate)
{
    mpfr_set_d(exact->c, exact->s->base, MPFR_RNDN);
    mpfr_log(exact->c, exact->c, MPFR_RNDN);
    scaling_correction(exact, exact->low, fast);
    scaling_correction(exact, exact->high, slow);
    if (truncate) {
        mpfr_floor(exact->low, exact->low);
        mpfr_ceil(exact->high, exact->high);
    }
    if (mpfr_sgn(exact->low) < 0)
        mpfr_set_zero(exact->low, 1);
    if (mpfr_cmp_ui(exact->high, exact->s->rotary_dim - 1) > 0)
        mpfr_set_ui(exact->high, exact->s->rotary_dim - 1, MPFR_RNDN);
}

void scaling_ramp(struct scaling_exact *exact, size_t i)
{
    mpfr_ui_sub(exact->a, i, exact->low, MPFR_RNDN);
    mpfr_sub(exact->b, exact->high, exact->low, MPFR_RNDN);
    mpfr_div(exact->a, exact->a, exact->b, MPFR_RNDN);
    if (mpfr_sgn(exact->a) < 0)
        mpfr_set_zero(exact->a, 1);
    if (mpfr_cmp_ui(exact->a, 1) > 0)
        mpfr_set_ui(exact->a, 1, MPFR_RNDN);
}

void scaling_blend(struct scaling_exact *exact)
{
    /* the share of the frequency that is divided */
    mpfr_ui_sub(exact->b, 1, exact->a, MPFR_RNDN);
    mpfr_div_d(exact->b, exact->b, exact->s->factor, MPFR_RNDN);
    mpfr_add(exact->b, exact->b, exact->a, MPFR_RNDN);
    mpfr_mul(exact->w, exact->w, exact->b, MPFR_RNDN);
}

/* ---- the ladder ---------------------------------------------------------------------- */

/* Rounds the positions of a turn to a whole number: lambda = round(2 pi / w), half to even. */
static void resonate(struct scaling_exact *exact)
{
    if (mpfr_zero_p(exact->w))
        return;
    mpfr_const_pi(exact->a, MPFR_RNDN);
    mpfr_mul_2ui(exact->a, exact->a, 1, MPFR_RNDN);
    mpfr_div(exact->b, exact->a, exact->w, MPFR_RNDN);
    mpfr_rint(exact->b, exact->b, MPFR_RNDN);
    assert(!mpfr_zero_p(exact->b)); /* w of 4 pi and more has been refused */
    mpfr_div(exact->w, exact->a, exact->b, MPFR_RNDN);
}

static void exact_init(struct scaling_exact *exact)
{
    mpfr_inits2(SCALING_PRECISION, exact->base, exact->w, exact->low, exact->high,
                exact->second_low, exact->second_high, exact->a, exact->b, exact->c,
                (mpfr_ptr)0);
    mpfr_set_d(exact->base, exact->s->base, MPFR_RNDN);
}

static void exact_clear(struct scaling_exact *exact)
{
    mpfr_clears(exact->base, exact->w, exact->low, exact->high, exact->second_low,
                exact->second_high, exact->a, exact->b, exact->c, (mpfr_ptr)0);
    mpfr_memory_drop_constants();
}

double scaling_effective_base(const struct scaling *s)
{
    const struct scaling_rule *rule = scaling_rule(s->kind);
    struct scaling_exact exact = {.s = s};
    double base;

    exact_init(&exact);
    if (rule->begin)
        rule->begin(&exact);
    base = mpfr_get_d(exact.base, MPFR_RNDN);
    exact_clear(&exact);
    return base;
}

double scaling_least_base(size_t rotary_dim, double context)
{
    mpfr_t turns, power;
    double base;

    mpfr_inits2(SCALING_PRECISION, turns, power, (mpfr_ptr)0);
    mpfr_const_pi(power, MPFR_RNDN);
    mpfr_mul_2ui(power, power, 1, MPFR_RNDN);
    mpfr_d_div(turns, context, power, MPFR_RNDN);
    scaling_power(power, turns, (double)rotary_dim, (double)rotary_dim - 2);
    base = mpfr_get_d(power, MPFR_RNDN);
    mpfr_clears(turns, power, (mpfr_ptr)0);
    mpfr_memory_drop_constants();
    return base;
}

bool scaling_build(struct phase_freq *out, size_t count, const struct scaling *s,
                   bool resonance)
{
    const struct scaling_rule *rule = scaling_rule(s->kind);
    struct scaling_exact exact = {.s = s, .pairs = count};
    mpfr_t plain, ratio;

    if (!mpfr_memory_available())
        return false;
    exact_init(&exact);
    mpfr_inits2(SCALING_PRECISION, plain, ratio, (mpfr_ptr)0);
    if (rule->begin)
        rule->begin(&exact);
    scaling_power(ratio, exact.base, -2, (double)s->rotary_dim);
    mpfr_set_ui(plain, 1, MPFR_RNDN);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            mpfr_mul(plain, plain, ratio, MPFR_RNDN);
        mpfr_set(exact.w, plain, MPFR_RNDN);
        if (rule->change)
            rule->change(&exact, i);
        if (resonance)
            resonate(&exact);
        frequency_take(&out[i], exact.w);
    }
    mpfr_clears(plain, ratio, (mpfr_ptr)0);
    exact_clear(&exact);
    return true;
}
