/* SPDX-License-Identifier: Apache-2.0
 * truth.c - sines and cosines by MPFR: one power a frequency, 384 bits, exact products. */
#include "tests/prove/truth.h"

#include <stdlib.h>

enum { FREQUENCY_BITS = 384, ANGLE_BITS = FREQUENCY_BITS + 64, WAVE_BITS = 128 };

struct truth *truth_new(double base, size_t dim, double scale, double amplitude)
{
    struct truth *truth = malloc(sizeof *truth);

    if (!truth)
        abort();
    *truth = (struct truth){.pairs = dim / 2, .amplitude = amplitude};
    truth->w = malloc(truth->pairs * sizeof *truth->w);
    if (!truth->w)
        abort();
    mpfr_inits2(ANGLE_BITS, truth->angle, (mpfr_ptr)0);
    mpfr_inits2(WAVE_BITS, truth->sine, truth->cosine, truth->rest, (mpfr_ptr)0);
    for (size_t i = 0; i < truth->pairs; i++) {
        mpfr_t exponent;

        mpfr_init2(exponent, FREQUENCY_BITS);
        mpfr_init2(truth->w[i], FREQUENCY_BITS);
        mpfr_set_ui(exponent, 2 * i, MPFR_RNDN);
        mpfr_div_ui(exponent, exponent, dim, MPFR_RNDN);
        mpfr_set_d(truth->w[i], base, MPFR_RNDN);
        mpfr_pow(truth->w[i], truth->w[i], exponent, MPFR_RNDN);
        mpfr_d_div(truth->w[i], scale, truth->w[i], MPFR_RNDN);
        mpfr_clear(exponent);
    }
    return truth;
}

void truth_free(struct truth *truth)
{
    for (size_t i = 0; i < truth->pairs; i++)
        mpfr_clear(truth->w[i]);
    mpfr_clears(truth->angle, truth->sine, truth->cosine, truth->rest, (mpfr_ptr)0);
    free(truth->w);
    free(truth);
}

/* Exponents of an element's lowest bit: significand width and the least step. */
struct grid {
    long bits, least;
};
static const struct grid grids[PE_DTYPE_COUNT] = {
    [PE_F64] = {53, -1074}, [PE_F32] = {24, -149}, [PE_F16] = {11, -24}, [PE_BF16] = {8, -133}};

static double error_of(struct truth *truth, enum pe_dtype dtype, mpfr_t exact, double answer)
{
    long step = grids[dtype].least;

    if (!mpfr_zero_p(exact) && mpfr_get_exp(exact) - grids[dtype].bits > step)
        step = mpfr_get_exp(exact) - grids[dtype].bits;
    mpfr_sub_d(truth->rest, exact, answer, MPFR_RNDN);
    mpfr_mul_2si(truth->rest, truth->rest, -step, MPFR_RNDN);
    mpfr_abs(truth->rest, truth->rest, MPFR_RNDN);
    return mpfr_get_d(truth->rest, MPFR_RNDU);
}

void truth_errors(struct truth *truth, enum pe_dtype dtype, size_t pair, double position,
                  double sine, double cosine, double errors[2])
{
    mpfr_mul_d(truth->angle, truth->w[pair], position, MPFR_RNDN);
    mpfr_sin_cos(truth->sine, truth->cosine, truth->angle, MPFR_RNDN);
    mpfr_mul_d(truth->sine, truth->sine, truth->amplitude, MPFR_RNDN);
    mpfr_mul_d(truth->cosine, truth->cosine, truth->amplitude, MPFR_RNDN);
    errors[0] = error_of(truth, dtype, truth->sine, sine);
    errors[1] = error_of(truth, dtype, truth->cosine, cosine);
}
