/* SPDX-License-Identifier: Apache-2.0
 * test_scaling.c - scaled tables are the real numbers rounded once: against ladders written
 * out again here from the papers' formulas, in MPFR, at large positions. */
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

enum { BITS = 320 };
static const char *const positions_text =
    "0,1,-7,4095,131071,1000000,16777217,9007199254740992";
static const double positions[] = {0, 1, -7, 4095, 131071, 1000000, 16777217, 0x1p53};

/* A ladder of r/2 pairs over base; s, l (original length), and what else the rule reads. */
struct model {
    const char *query;
    void (*frequency)(mpfr_t w, const struct model *m, unsigned i);
    double (*amplitude)(const struct model *m); /* NULL: 1 */
    unsigned r;
    double base, s, l, x, y;
};

/* ---- formulas ------------------------------------------------------------------------ */

/* w = (base * times)^(-2i/r) */
static void plain(mpfr_t w, const struct model *m, unsigned i, mpfr_srcptr times)
{
    mpfr_t exponent;

    mpfr_init2(exponent, BITS);
    mpfr_set_si(exponent, -2 * (long)i, MPFR_RNDN);
    mpfr_div_ui(exponent, exponent, m->r, MPFR_RNDN);
    mpfr_set_d(w, m->base, MPFR_RNDN);
    if (times)
        mpfr_mul(w, w, times, MPFR_RNDN);
    mpfr_pow(w, w, exponent, MPFR_RNDN);
    mpfr_clear(exponent);
}

/* x^(r/(r-2)) in place */
static void stretch(mpfr_t x, const struct model *m)
{
    mpfr_t exponent;

    mpfr_init2(exponent, BITS);
    mpfr_set_ui(exponent, m->r, MPFR_RNDN);
    mpfr_div_ui(exponent, exponent, m->r - 2, MPFR_RNDN);
    mpfr_pow(x, x, exponent, MPFR_RNDN);
    mpfr_clear(exponent);
}

static void linear(mpfr_t w, const struct model *m, unsigned i)
{
    plain(w, m, i, NULL);
    mpfr_div_d(w, w, m->s, MPFR_RNDN);
}

static void ntk(mpfr_t w, const struct model *m, unsigned i)
{
    mpfr_t times;

    mpfr_init2(times, BITS);
    mpfr_set_d(times, m->s, MPFR_RNDN);
    stretch(times, m);
    plain(w, m, i, times);
    mpfr_clear(times);
}

static void ntk_fixed(mpfr_t w, const struct model *m, unsigned i)
{
    mpfr_t times;

    mpfr_init2(times, BITS);
    mpfr_set_d(times, m->s, MPFR_RNDN);
    plain(w, m, i, times);
    mpfr_rootn_ui(times, times, m->r / 2, MPFR_RNDN);
    mpfr_div(w, w, times, MPFR_RNDN);
    mpfr_clear(times);
}

/* x: the length at hand. */
static void dynamic(mpfr_t w, const struct model *m, unsigned i)
{
    mpfr_t times;

    mpfr_init2(times, BITS);
    mpfr_set_d(times, m->x, MPFR_RNDN);
    mpfr_div_d(times, times, m->l, MPFR_RNDN);
    mpfr_sub_ui(times, times, 1, MPFR_RNDN);
    mpfr_mul_d(times, times, m->s, MPFR_RNDN);
    mpfr_add_ui(times, times, 1, MPFR_RNDN);
    stretch(times, m);
    plain(w, m, i, times);
    mpfr_clear(times);
}

/* c(b) = r ln(l / (2 pi b)) / (2 ln base) */
static double turning(const struct model *m, double b)
{
    return m->r * log(m->l / (2 * M_PI * b)) / (2 * log(m->base));
}

/* w (keep + (1 - keep)/s), keep by a whole range low..high that is the caller's. */
static void blend(mpfr_t w, const struct model *m, mpfr_t keep)
{
    mpfr_t divided;

    mpfr_init2(divided, BITS);
    mpfr_ui_sub(divided, 1, keep, MPFR_RNDN);
    mpfr_div_d(divided, divided, m->s, MPFR_RNDN);
    mpfr_add(keep, keep, divided, MPFR_RNDN);
    mpfr_mul(w, w, keep, MPFR_RNDN);
    mpfr_clear(divided);
}

/* Truncated: low and high are whole, doubles tell them. x, y: beta_fast, beta_slow. */
static void yarn(mpfr_t w, const struct model *m, unsigned i)
{
    double low = fmax(floor(turning(m, m->x)), 0),
           high = fmin(ceil(turning(m, m->y)), m->r - 1);
    double top = fmin(fmax(high - i, 0), high - low); /* (high - i) / (high - low), clamped */
    mpfr_t keep;

    mpfr_init2(keep, BITS);
    plain(w, m, i, NULL);
    mpfr_set_d(keep, top, MPFR_RNDN);
    mpfr_div_d(keep, keep, high - low, MPFR_RNDN);
    blend(w, m, keep);
    mpfr_clear(keep);
}

static double yarn_amplitude(const struct model *m)
{
    return 0.1 * log(m->s) + 1;
}

/* x, y: low and high frequency factors. */
static void llama3(mpfr_t w, const struct model *m, unsigned i)
{
    mpfr_t turns;

    mpfr_init2(turns, BITS);
    plain(w, m, i, NULL);
    mpfr_const_pi(turns, MPFR_RNDN);
    mpfr_d_div(turns, m->l / 2, turns, MPFR_RNDN);
    mpfr_mul(turns, turns, w, MPFR_RNDN);
    mpfr_sub_d(turns, turns, m->x, MPFR_RNDN);
    mpfr_div_d(turns, turns, m->y - m->x, MPFR_RNDN); /* smooth */
    if (mpfr_cmp_ui(turns, 1) > 0)
        mpfr_set_ui(turns, 1, MPFR_RNDN);
    if (mpfr_sgn(turns) < 0)
        mpfr_set_zero(turns, 1);
    blend(w, m, turns);
    mpfr_clear(turns);
}

/* x: share of the pairs that turn. */
static void proportional(mpfr_t w, const struct model *m, unsigned i)
{
    plain(w, m, i, NULL);
    mpfr_div_d(w, w, m->s, MPFR_RNDN);
    if (i >= m->x * m->r / 2)
        mpfr_set_zero(w, 1);
}

/* ---- the comparison ------------------------------------------------------------------ */

static const struct model models[] = {
    {"dim=64&scaling=linear&factor=3", linear, NULL, 64, 1e4, 3, 0, 0, 0},
    {"dim=96&base=1000000&scaling=linear&factor=8.3", linear, NULL, 96, 1e6, 8.3, 0, 0, 0},
    {"dim=64&scaling=ntk&factor=7", ntk, NULL, 64, 1e4, 7, 0, 0, 0},
    {"dim=64&scaling=ntk&scaling_variant=fixed&factor=7", ntk_fixed, NULL, 64, 1e4, 7, 0, 0, 0},
    {"dim=128&base=1000000&scaling=dynamic&factor=2&seq_len=131071"
     "&max_position_embeddings=32768",
     dynamic, NULL, 128, 1e6, 2, 32768, 131071, 0},
    {"dim=128&base=1000000&scaling=yarn&factor=4&original_max_position_embeddings=32768", yarn,
     yarn_amplitude, 128, 1e6, 4, 32768, 32, 1},
    {"dim=64&scaling=yarn&factor=40&original_max_position_embeddings=4096&beta_fast=16"
     "&beta_slow=2",
     yarn, yarn_amplitude, 64, 1e4, 40, 4096, 16, 2},
    {"dim=64&base=500000&scaling=llama3&factor=32", llama3, NULL, 64, 5e5, 32, 8192, 1, 4},
    {"dim=128&base=500000&scaling=llama3", llama3, NULL, 128, 5e5, 8, 8192, 1, 4},
    {"dim=32&scaling=proportional&partial_rotary_factor=.25&factor=3", proportional, NULL, 32,
     1e4, 3, 0, .25, 0},
};

/* |actual - exact| in ULPs of the dtype at exact. */
static double ulps(enum pe_dtype dtype, double actual, mpfr_t exact)
{
    double step = core_query_ulp(dtype, mpfr_get_d(exact, MPFR_RNDN)), error;
    mpfr_t rest;

    mpfr_init2(rest, BITS);
    mpfr_sub_d(rest, exact, actual, MPFR_RNDN);
    error = fabs(mpfr_get_d(rest, MPFR_RNDN)) / step;
    mpfr_clear(rest);
    return error;
}

static void compare(const struct model *m, enum pe_dtype dtype, double bound)
{
    char query[400];
    double *cosines, *sines, amplitude = m->amplitude ? m->amplitude(m) : 1;
    mpfr_t w, angle, c, s;

    mpfr_inits2(BITS, w, angle, c, s, (mpfr_ptr)0);
    snprintf(query, sizeof query, "pos=%s&%s&dtype=%s", positions_text, m->query,
             pe_dtype_name(dtype));
    cosines = core_query_values("rope", query, "cos", NULL);
    sines = core_query_values("rope", query, "sin", NULL);
    for (unsigned i = 0; i < m->r / 2; i++) {
        m->frequency(w, m, i);
        for (size_t p = 0; p < PE_LEN(positions); p++) {
            size_t at = p * (m->r / 2) + i;

            mpfr_mul_d(angle, w, positions[p], MPFR_RNDN);
            mpfr_sin_cos(s, c, angle, MPFR_RNDN);
            mpfr_mul_d(s, s, amplitude, MPFR_RNDN);
            mpfr_mul_d(c, c, amplitude, MPFR_RNDN);
            ck_assert_msg(
                ulps(dtype, cosines[at], c) <= bound && ulps(dtype, sines[at], s) <= bound,
                "%s, pair %u: %.17g %.17g are %.3f and %.3f ULP off", query, i, cosines[at],
                sines[at], ulps(dtype, cosines[at], c), ulps(dtype, sines[at], s));
        }
    }
    mpfr_clears(w, angle, c, s, (mpfr_ptr)0);
    free(cosines);
    free(sines);
}

START_TEST(scaled_tables_are_rounded_once_at_any_position)
{
    const struct model *m = &models[_i];

    compare(m, PE_F32, 0.501);
    compare(m, PE_F16, 0.501);
    compare(m, PE_BF16, 0.501);
    compare(m, PE_F64, m->amplitude ? 2 : 1);
}
END_TEST

START_TEST(scaled_frequencies_are_rounded_once)
{
    const struct model *m = &models[_i];
    char query[400];
    double *frequencies;
    mpfr_t w;

    mpfr_init2(w, BITS);
    snprintf(query, sizeof query, "%s&out=inv_freq&dtype=f64", m->query);
    frequencies = core_query_values("rope", query, "inv_freq", NULL);
    for (unsigned i = 0; i < m->r / 2; i++) {
        m->frequency(w, m, i);
        ck_assert(frequencies[i] == mpfr_get_d(w, MPFR_RNDN));
    }
    free(frequencies);
    mpfr_clear(w);
}
END_TEST

SUITE(scaling, TEST_EACH(scaled_tables_are_rounded_once_at_any_position, models),
      TEST_EACH(scaled_frequencies_are_rounded_once, models));
