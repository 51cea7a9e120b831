/* SPDX-License-Identifier: Apache-2.0
 * axes_dense.c - dense frequencies as fixed point numbers, and the directions of golden-gate
 * RoPE by MPFR. */
#include "core/math/axes/axes_dense.h"

#include <math.h>

#include "core/math/number/mpfr_memory.h"
#include "core/math/trig/frequency_exact.h"

/* Sets freq and sign from values that are in radians, or in turns. */
static bool build(struct phase_freq *freq, signed char *sign, const double *values, size_t axes,
                  size_t pairs, const struct axes_scale *scale, bool turns)
{
    mpfr_t w, root;

    if (!mpfr_memory_available())
        return false;
    mpfr_inits2(FREQUENCY_PRECISION, w, root, (mpfr_ptr)0);
    for (size_t a = 0; a < axes; a++) {
        mpfr_set_d(root, scale[a].root, MPFR_RNDN);
        mpfr_sqrt(root, root, MPFR_RNDN);
        if (turns) {
            mpfr_const_pi(w, MPFR_RNDN);
            mpfr_mul(root, root, w, MPFR_RNDN);
            mpfr_mul_2ui(root, root, 1, MPFR_RNDN);
        }
        for (size_t i = a * pairs; i < (a + 1) * pairs; i++) {
            sign[i] = values[i] < 0 ? -1 : 1;
            mpfr_set_d(w, fabs(values[i]), MPFR_RNDN);
            mpfr_mul_d(w, w, scale[a].multiplier, MPFR_RNDN);
            mpfr_mul_d(w, w, scale[a].factor, MPFR_RNDN);
            mpfr_div_d(w, w, scale[a].divisor, MPFR_RNDN);
            mpfr_mul(w, w, root, MPFR_RNDN);
            frequency_take(&freq[i], w);
        }
    }
    mpfr_clears(w, root, (mpfr_ptr)0);
    mpfr_memory_drop_constants();
    return true;
}

bool axes_dense_build(struct phase_freq *freq, signed char *sign, const double *values,
                      size_t axes, size_t pairs, const struct axes_scale *scale)
{
    return build(freq, sign, values, axes, pairs, scale, false);
}

bool axes_dense_build_turns(struct phase_freq *freq, signed char *sign, const double *values,
                            size_t axes, size_t pairs, const struct axes_scale *scale)
{
    return build(freq, sign, values, axes, pairs, scale, true);
}

/* ---- golden gate --------------------------------------------------------------------- */

enum { PRECISION = 128, ROOT_STEPS = 10, NEWTON_STEPS = 60 };

struct work {
    mpfr_t ratio, step, z, v, f, slope;
};

/* Finds g by ten steps x = (1 + x)^(1/(P+1)) from 2. The steps are part of the definition. */
static void take_ratio(struct work *work, size_t axes)
{
    mpfr_set_ui(work->ratio, 2, MPFR_RNDN);
    for (int i = 0; i < ROOT_STEPS; i++) {
        mpfr_add_ui(work->ratio, work->ratio, 1, MPFR_RNDN);
        mpfr_rootn_ui(work->ratio, work->ratio, (unsigned long)axes + 1, MPFR_RNDN);
    }
}

/* Returns Newton's step for erf(v) = y. */
static double step_of(double v, double y)
{
    return (erf(v) - y) * exp(v * v) * 0.886226925452758; /* sqrt(pi)/2 */
}

/* v = erfinv(2z - 1): in double from 0 (erf rises and steps are kept to 1/2), whose last bits
 * do not matter, since two steps of MPFR square the error from there, twice. */
static void take_erfinv(struct work *work)
{
    double v = 0, y, step = 1;

    mpfr_mul_2ui(work->z, work->z, 1, MPFR_RNDN);
    mpfr_sub_ui(work->z, work->z, 1, MPFR_RNDN);
    y = mpfr_get_d(work->z, MPFR_RNDN);
    for (int i = 0; i < NEWTON_STEPS && fabs(step) > 1e-10; i++) {
        step = fmax(-.5, fmin(.5, step_of(v, y)));
        v -= step;
    }
    mpfr_set_d(work->v, v, MPFR_RNDN);
    for (int i = 0; i < 2; i++) {
        mpfr_erf(work->f, work->v, MPFR_RNDN);
        mpfr_sub(work->f, work->f, work->z, MPFR_RNDN);
        mpfr_sqr(work->slope, work->v, MPFR_RNDN);
        mpfr_exp(work->slope, work->slope, MPFR_RNDN);
        mpfr_mul(work->f, work->f, work->slope, MPFR_RNDN);
        mpfr_const_pi(work->slope, MPFR_RNDN);
        mpfr_sqrt(work->slope, work->slope, MPFR_RNDN);
        mpfr_mul(work->f, work->f, work->slope, MPFR_RNDN);
        mpfr_div_2ui(work->f, work->f, 1, MPFR_RNDN);
        mpfr_sub(work->v, work->v, work->f, MPFR_RNDN);
    }
}

/* Writes the components erfinv(2 frac(t g^-k) - 1), k = 1 .. axes, divided by their length. */
static void take_direction(struct work *work, size_t t, double *out, size_t axes)
{
    double length = 0;

    mpfr_set_ui(work->step, 1, MPFR_RNDN);
    for (size_t k = 0; k < axes; k++) {
        mpfr_div(work->step, work->step, work->ratio, MPFR_RNDN);
        mpfr_mul_ui(work->z, work->step, (unsigned long)t, MPFR_RNDN);
        mpfr_frac(work->z, work->z, MPFR_RNDN);
        take_erfinv(work);
        out[k] = mpfr_get_d(work->v, MPFR_RNDN);
        length += out[k] * out[k];
    }
    length = sqrt(length);
    for (size_t k = 0; k < axes; k++)
        out[k] = length > 0 ? out[k] / length : k == 0; /* length 0: any direction serves */
}

bool axes_dense_directions(double *out, size_t count, size_t axes)
{
    struct work work;

    if (!mpfr_memory_available())
        return false;
    mpfr_inits2(PRECISION, work.ratio, work.step, work.z, work.v, work.f, work.slope,
                (mpfr_ptr)0);
    take_ratio(&work, axes);
    for (size_t t = 0; t < count; t++)
        take_direction(&work, t + 1, out + t * axes, axes);
    mpfr_clears(work.ratio, work.step, work.z, work.v, work.f, work.slope, (mpfr_ptr)0);
    mpfr_memory_drop_constants();
    return true;
}

bool axes_dense_angles(double *out, size_t count)
{
    mpfr_t turn, phi, wave;

    if (!mpfr_memory_available())
        return false;
    mpfr_inits2(PRECISION, turn, phi, wave, (mpfr_ptr)0);
    mpfr_sqrt_ui(turn, 5, MPFR_RNDN);
    mpfr_sub_ui(turn, turn, 1, MPFR_RNDN);
    mpfr_const_pi(phi, MPFR_RNDN);
    mpfr_mul(turn, turn, phi, MPFR_RNDN);
    mpfr_div_2ui(turn, turn, 1, MPFR_RNDN);
    for (size_t t = 0; t < count; t++) {
        mpfr_mul_ui(phi, turn, (unsigned long)t, MPFR_RNDN);
        mpfr_cos(wave, phi, MPFR_RNDN);
        out[2 * t] = mpfr_get_d(wave, MPFR_RNDN);
        mpfr_sin(wave, phi, MPFR_RNDN);
        out[2 * t + 1] = mpfr_get_d(wave, MPFR_RNDN);
    }
    mpfr_clears(turn, phi, wave, (mpfr_ptr)0);
    mpfr_memory_drop_constants();
    return true;
}
