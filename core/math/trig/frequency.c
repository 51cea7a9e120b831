/* SPDX-License-Identifier: Apache-2.0
 * frequency.c - geometric ladders by MPFR: one power, then one multiplication a step, with
 * enough bits that the 256 bits of fraction of every turn frequency are right. */
#include "core/math/trig/frequency_exact.h"

#include <assert.h>
#include <string.h>

#include "core/math/number/mpfr_memory.h"

/* Bits of a number: at most 192 whole bits, 256 bits of fraction, and 64 more for the errors of
 * 65536 steps. */
enum { PRECISION = FREQUENCY_PRECISION, LIMBS = PRECISION / 64 };
/* Bits of turns: as many limbs with some bits less, so that three times pi is a turn and a half
 * when truncated. */
enum { TURNS_PRECISION = PRECISION - 32 };

_Static_assert(GMP_NUMB_BITS == 64, "posenc needs a GMP whose limbs have 64 bits (ABI=64, or "
                                    "ABI=longlong on a machine of 32 bits): they are read as "
                                    "uint64_t");

/* Convert the limbs of the significand (0.5 <= significand < 1, times 2^exponent) to fixed
 * point. */
static void take_turns(struct phase_freq *out, mpfr_t turns)
{
    const uint64_t *limbs = mpfr_custom_get_significand(turns);
    const long drop = PRECISION - 256 - (long)mpfr_get_exp(turns);

    assert(drop >= 0);
    uint64_t fixed[6];
    for (long i = 0; i < 6; i++) {
        const long at = drop / 64 + i, shift = drop % 64;
        const uint64_t low = at < LIMBS ? limbs[at] : 0;
        const uint64_t high = at + 1 < LIMBS ? limbs[at + 1] : 0;

        fixed[i] = shift == 0 ? low : low >> shift | high << (64 - shift);
    }
    memcpy(out->turns, fixed, sizeof out->turns);
    memcpy(out->whole, fixed + 4, sizeof out->whole);
}

static void take_split(mpfr_t value, mpfr_t scratch, double *hi, double *lo)
{
    *hi = mpfr_get_d(value, MPFR_RNDN);
    mpfr_sub_d(scratch, value, *hi, MPFR_RNDN);
    *lo = mpfr_get_d(scratch, MPFR_RNDN);
}

/* 1 / (2 pi) = 0.a2f9... 2^-2, rounded to PRECISION bits; its limbs, the lowest first. */
#define TURNS_PER_RADIAN                                                                       \
    {                                                                                          \
        0xe88235f52ebb4485, 0xfe1deb1cb129a73e, 0x06492eea09d1921c, 0xb7246e3a424dd2e0,        \
            0xfe5163abdebbc561, 0xdb6295993c439041, 0xfc2757d1f534ddc0, 0xa2f9836e4e441529     \
    }
enum { TURNS_PER_RADIAN_EXPONENT = -2 };

void frequency_take(struct phase_freq *out, mpfr_t w)
{
    mp_limb_t constant[LIMBS] = TURNS_PER_RADIAN, limbs[LIMBS];
    mpfr_t turns, per_radian;

    *out = (struct phase_freq){0};
    if (mpfr_zero_p(w))
        return;
    mpfr_custom_init_set(per_radian, MPFR_REGULAR_KIND, TURNS_PER_RADIAN_EXPONENT, PRECISION,
                         constant);
    mpfr_custom_init_set(turns, MPFR_ZERO_KIND, 0, TURNS_PRECISION, limbs);
    mpfr_mul(turns, w, per_radian, MPFR_RNDN);
    take_turns(out, turns);
    take_split(w, turns, &out->hi, &out->lo);
}

bool frequency_of(struct phase_freq *whole, struct phase_freq *half, struct dd w, double factor)
{
    mpfr_t rate;

    if (!mpfr_memory_available())
        return false;
    mpfr_init2(rate, FREQUENCY_PRECISION);
    mpfr_set_d(rate, w.hi, MPFR_RNDN);
    mpfr_add_d(rate, rate, w.lo, MPFR_RNDN);
    mpfr_mul_d(rate, rate, factor, MPFR_RNDN);
    frequency_take(whole, rate);
    mpfr_div_2ui(rate, rate, 1, MPFR_RNDN);
    frequency_take(half, rate);
    mpfr_clear(rate);
    mpfr_memory_drop_constants();
    return true;
}

/* Sets w = w_0 and ratio = w_(i+1) / w_i. */
static void start_ladder(const struct frequency_ladder *ladder, mpfr_t w, mpfr_t ratio)
{
    const double min_scale = ladder->min_scale == 0 ? 1 : ladder->min_scale;

    mpfr_set_d(w, ladder->multiplier, MPFR_RNDN);
    mpfr_mul_d(w, w, min_scale, MPFR_RNDN);
    mpfr_div_d(w, w, ladder->divisor, MPFR_RNDN);
    mpfr_set_ui(ratio, 1, MPFR_RNDN);
    if (ladder->count < 2)
        return;
    assert(ladder->denominator > 0);
    mpfr_t exponent;
    mpfr_init2(exponent, PRECISION);
    mpfr_set_si(exponent, -1, MPFR_RNDN);
    mpfr_div_d(exponent, exponent, ladder->denominator, MPFR_RNDN);
    mpfr_set_d(ratio, ladder->base, MPFR_RNDN);
    mpfr_div_d(ratio, ratio, min_scale, MPFR_RNDN);
    mpfr_pow(ratio, ratio, exponent, MPFR_RNDN);
    mpfr_clear(exponent);
}

bool frequency_build(struct phase_freq *out, const struct frequency_ladder *ladder)
{
    assert(ladder->base > 0 && ladder->multiplier > 0 && ladder->divisor > 0);
    assert(ladder->min_scale >= 0);
    if (!mpfr_memory_available())
        return false;
    mpfr_t w, ratio;
    mpfr_inits2(PRECISION, w, ratio, (mpfr_ptr)0);
    start_ladder(ladder, w, ratio);
    for (size_t i = 0; i < ladder->count; i++) {
        if (i > 0)
            mpfr_mul(w, w, ratio, MPFR_RNDN);
        frequency_take(&out[i], w);
    }
    mpfr_clears(w, ratio, (mpfr_ptr)0);
    mpfr_memory_drop_constants();
    return true;
}

float frequency_f32_power(float base, float exponent)
{
    mpfr_t power, by;

    mpfr_inits2(24, power, by, (mpfr_ptr)0);
    mpfr_set_flt(power, base, MPFR_RNDN);
    mpfr_set_flt(by, exponent, MPFR_RNDN);
    mpfr_pow(power, power, by, MPFR_RNDN);
    const float result = mpfr_get_flt(power, MPFR_RNDN);
    mpfr_clears(power, by, (mpfr_ptr)0);
    return result;
}

void frequency_f32_powers(float *out, size_t count, float base, size_t dim)
{
    for (size_t i = 0; i < count; i++)
        out[i] = frequency_f32_power(base, (float)(2 * i) / (float)dim);
    mpfr_memory_drop_constants();
}

void frequency_f32_exps(float *out, size_t count, double base, size_t dim)
{
    mpfr_t by, power;

    mpfr_inits2(53, by, (mpfr_ptr)0);
    mpfr_init2(power, 24);
    mpfr_set_d(by, base, MPFR_RNDN);
    mpfr_log(by, by, MPFR_RNDN);
    const float step = (float)(-mpfr_get_d(by, MPFR_RNDN) / (double)dim);
    for (size_t i = 0; i < count; i++) {
        mpfr_set_flt(power, (float)(2 * i) * step, MPFR_RNDN);
        mpfr_exp(power, power, MPFR_RNDN);
        out[i] = mpfr_get_flt(power, MPFR_RNDN);
    }
    mpfr_clears(by, power, (mpfr_ptr)0);
    mpfr_memory_drop_constants();
}

void frequency_f64_powers(double *out, size_t count, double base, size_t dim)
{
    mpfr_t power, exponent;

    mpfr_inits2(53, power, exponent, (mpfr_ptr)0);
    for (size_t i = 0; i < count; i++) {
        mpfr_set_d(power, base, MPFR_RNDN);
        mpfr_set_d(exponent, (double)(2 * i) / (double)dim, MPFR_RNDN);
        mpfr_pow(power, power, exponent, MPFR_RNDN);
        out[i] = mpfr_get_d(power, MPFR_RNDN);
    }
    mpfr_clears(power, exponent, (mpfr_ptr)0);
    mpfr_memory_drop_constants();
}

void frequency_pow_ratio(double base, double scale, double number, double of, double *hi,
                         double *lo)
{
    assert(base > 0 && of != 0);
    mpfr_t power, by;
    mpfr_inits2(256, power, by, (mpfr_ptr)0);
    mpfr_set_d(by, scale, MPFR_RNDN);
    mpfr_mul_d(by, by, number, MPFR_RNDN);
    mpfr_div_d(by, by, of, MPFR_RNDN);
    mpfr_set_d(power, base, MPFR_RNDN);
    mpfr_pow(power, power, by, MPFR_RNDN);
    take_split(power, by, hi, lo);
    mpfr_clears(power, by, (mpfr_ptr)0);
    mpfr_memory_drop_constants();
}

void frequency_pow_ladder(double base, double scale, double of, size_t first, size_t step,
                          size_t count, double (*out)[2])
{
    assert(base > 0 && of != 0);
    mpfr_t power, ratio, by;
    mpfr_inits2(256, power, ratio, by, (mpfr_ptr)0);
    mpfr_set_d(by, scale, MPFR_RNDN);
    mpfr_div_d(by, by, of, MPFR_RNDN);
    mpfr_set_d(ratio, base, MPFR_RNDN);
    mpfr_pow(ratio, ratio, by, MPFR_RNDN); /* the ratio base^(scale / of) */
    mpfr_pow_ui(power, ratio, first, MPFR_RNDN);
    mpfr_pow_ui(ratio, ratio, step, MPFR_RNDN);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            mpfr_mul(power, power, ratio, MPFR_RNDN);
        take_split(power, by, &out[i][0], &out[i][1]);
    }
    mpfr_clears(power, ratio, by, (mpfr_ptr)0);
    mpfr_memory_drop_constants();
}
