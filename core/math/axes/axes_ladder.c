/* SPDX-License-Identifier: Apache-2.0
 * axes_ladder.c - the ladders of encodings with several axes, exactly (by MPFR) and as double
 * and float32 pipelines compute them. */
#include "core/math/axes/axes.h"
#include "core/math/number/mpfr_memory.h"
#include "core/math/scaling/scaling_exact.h"
#include "core/math/trig/frequency.h"
#include "core/math/trig/frequency_exact.h"

struct axes_ladder axes_ladder_open(size_t axis, size_t first, size_t step, size_t count,
                                    double base, double of)
{
    return (struct axes_ladder){.kind = AXES_GEOMETRIC,
                                .axis = axis,
                                .first = first,
                                .step = step,
                                .count = count,
                                .base = base,
                                .power = -1,
                                .of = of,
                                .growth = 1,
                                .growth_number = 1,
                                .growth_of = 1,
                                .under = 1,
                                .times = 1,
                                .divisor = 1};
}

/* ---- exactly ------------------------------------------------------------------------- */

enum { BF16_BITS = 8 };

struct work {
    /* Numbers of a ladder: w_0, the ratio or difference of two neighbours, and the present
     * frequency. */
    mpfr_t start, step, w, base;
};

/* Sets step to b = base growth^(number / of) / under, without changing w. */
static void take_base(struct work *work, const struct axes_ladder *ladder)
{
    mpfr_set_d(work->step, ladder->growth_number, MPFR_RNDN);
    mpfr_div_d(work->step, work->step, ladder->growth_of, MPFR_RNDN);
    mpfr_set_d(work->base, ladder->growth, MPFR_RNDN);
    mpfr_pow(work->step, work->base, work->step, MPFR_RNDN);
    mpfr_mul_d(work->step, work->step, ladder->base, MPFR_RNDN);
    mpfr_div_d(work->step, work->step, ladder->under, MPFR_RNDN);
}

/* Sets step to the ratio b^(power / (of - less)), and multiply start by `offset` ratios. */
static void take_ratio(struct work *work, const struct axes_ladder *ladder)
{
    mpfr_set_d(work->w, ladder->power, MPFR_RNDN);
    mpfr_set_d(work->step, ladder->of, MPFR_RNDN);
    mpfr_sub_d(work->step, work->step, ladder->less, MPFR_RNDN);
    mpfr_div(work->w, work->w, work->step, MPFR_RNDN);
    if (ladder->kind == AXES_NATURAL) {
        mpfr_exp(work->step, work->w, MPFR_RNDN);
    } else {
        take_base(work, ladder);
        mpfr_pow(work->step, work->step, work->w, MPFR_RNDN);
    }
    if (ladder->offset == 0)
        return;
    mpfr_set_d(work->w, ladder->offset, MPFR_RNDN);
    mpfr_pow(work->w, work->step, work->w, MPFR_RNDN);
    mpfr_mul(work->start, work->start, work->w, MPFR_RNDN);
}

static void take_start(struct work *work, const struct axes_ladder *ladder,
                       const struct axes_scale *scale)
{
    mpfr_set_d(work->start, ladder->times, MPFR_RNDN);
    mpfr_div_d(work->start, work->start, ladder->divisor, MPFR_RNDN);
    if (ladder->pi) {
        mpfr_const_pi(work->w, MPFR_RNDN);
        mpfr_mul(work->start, work->start, work->w, MPFR_RNDN);
    }
    if (!scale)
        return;
    mpfr_mul_d(work->start, work->start, scale->multiplier, MPFR_RNDN);
    mpfr_mul_d(work->start, work->start, scale->factor, MPFR_RNDN);
    mpfr_div_d(work->start, work->start, scale->divisor, MPFR_RNDN);
    mpfr_set_d(work->w, scale->root, MPFR_RNDN);
    mpfr_sqrt(work->w, work->w, MPFR_RNDN);
    mpfr_mul(work->start, work->start, work->w, MPFR_RNDN);
}

/* Sets base to the frequency w after its period, divisor * start / w, is rounded to
 * bfloat16. */
static void shorten(struct work *work, const struct axes_ladder *ladder)
{
    mpfr_div(work->base, work->start, work->w, MPFR_RNDN);
    mpfr_mul_d(work->base, work->base, ladder->divisor, MPFR_RNDN);
    mpfr_prec_round(work->base, BF16_BITS, MPFR_RNDN);
    mpfr_prec_round(work->base, FREQUENCY_PRECISION, MPFR_RNDN);
    mpfr_div(work->base, work->start, work->base, MPFR_RNDN);
    mpfr_mul_d(work->base, work->base, ladder->divisor, MPFR_RNDN);
}

static void build_geometric(struct work *work, const struct axes_ladder *ladder,
                            struct phase_freq *out)
{
    mpfr_set_ui(work->step, 1, MPFR_RNDN);
    if (ladder->count > 1 || ladder->offset != 0)
        take_ratio(work, ladder);
    mpfr_set(work->w, work->start, MPFR_RNDN);
    for (size_t i = 0; i < ladder->count; i++) {
        if (i > 0)
            mpfr_mul(work->w, work->w, work->step, MPFR_RNDN);
        if (ladder->short_periods)
            shorten(work, ladder);
        frequency_take(&out[ladder->first + ladder->step * i],
                       ladder->short_periods ? work->base : work->w);
    }
}

static void build_linear(struct work *work, const struct axes_ladder *ladder,
                         struct phase_freq *out)
{
    take_base(work, ladder);
    mpfr_div_ui(work->step, work->step, 2, MPFR_RNDN);
    mpfr_sub_ui(work->step, work->step, 1, MPFR_RNDN);
    if (ladder->count > 1)
        mpfr_div_d(work->step, work->step, ladder->of, MPFR_RNDN);
    for (size_t i = 0; i < ladder->count; i++) {
        mpfr_mul_ui(work->w, work->step, i, MPFR_RNDN);
        mpfr_add_ui(work->w, work->w, 1, MPFR_RNDN);
        mpfr_mul(work->w, work->w, work->start, MPFR_RNDN);
        frequency_take(&out[ladder->first + ladder->step * i], work->w);
    }
}

bool axes_ladder_build(struct phase_freq *out, const struct axes_ladder *ladders, size_t count,
                       const struct axes_scale *scale)
{
    struct work work;

    if (!mpfr_memory_available())
        return false;
    mpfr_inits2(FREQUENCY_PRECISION, work.start, work.step, work.w, work.base, (mpfr_ptr)0);
    for (size_t k = 0; k < count; k++) {
        const struct axes_ladder *ladder = &ladders[k];

        if (ladder->kind == AXES_STILL) {
            for (size_t i = 0; i < ladder->count; i++)
                out[ladder->first + ladder->step * i] = (struct phase_freq){0};
            continue;
        }
        take_start(&work, ladder, !scale ? NULL : &scale[ladder->axis]);
        if (ladder->kind == AXES_PIXEL_LINEAR)
            build_linear(&work, ladder, out);
        else
            build_geometric(&work, ladder, out);
    }
    mpfr_clears(work.start, work.step, work.w, work.base, (mpfr_ptr)0);
    mpfr_memory_drop_constants();
    return true;
}

/* ---- as pipelines do ----------------------------------------------------------------- */

/* Returns the base in double, computed as the frameworks compute it. */
static double base_of(const struct axes_ladder *ladder)
{
    if (ladder->growth == 1)
        return ladder->base;
    return ladder->base *
           (ladder->growth_number == ladder->growth_of
                ? ladder->growth
                : scaling_pow(ladder->growth, ladder->growth_number / ladder->growth_of));
}

void axes_ladder_f64(double *out, const struct axes_ladder *ladder)
{
    double power;

    for (size_t i = 0; i < ladder->count; i++) {
        out[ladder->first + ladder->step * i] = 0;
        if (ladder->kind == AXES_STILL)
            continue;
        power = scaling_pow(base_of(ladder), ((double)i + ladder->offset) / ladder->of);
        out[ladder->first + ladder->step * i] = 1 / power / ladder->divisor;
    }
}

void axes_ladder_f32(float *out, const struct axes_ladder *ladder)
{
    for (size_t i = 0; i < ladder->count; i++) {
        const float exponent = ((float)i + (float)ladder->offset) / (float)ladder->of;

        out[ladder->first + ladder->step * i] =
            ladder->kind == AXES_STILL
                ? 0
                : 1.0F / frequency_f32_power((float)base_of(ladder), exponent) /
                      (float)ladder->divisor;
    }
}
