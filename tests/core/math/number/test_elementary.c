/* SPDX-License-Identifier: Apache-2.0
 * test_elementary.c - logarithm, exponential and tanh against MPFR, in ULP of double. */
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>

#include "core/math/number/elementary.h"
#include "core/posenc.h"
#include "tests/support/core_query.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

enum { BITS = 300, DRAWS = 20000 };

typedef int function(mpfr_t out, const mpfr_t in, mpfr_rnd_t round);

/* Error of hi + lo against the function of x, in ULP of double. */
static double error_of(function *exact, double x, double x_low, struct dd got)
{
    mpfr_t in, want;
    double ulp, error;

    mpfr_inits2(BITS, in, want, (mpfr_ptr)0);
    mpfr_set_d(in, x, MPFR_RNDN);
    mpfr_add_d(in, in, x_low, MPFR_RNDN);
    exact(want, in, MPFR_RNDN);
    ulp = core_query_ulp(PE_F64, mpfr_get_d(want, MPFR_RNDN));
    mpfr_sub_d(want, want, got.hi, MPFR_RNDN);
    mpfr_sub_d(want, want, got.lo, MPFR_RNDN);
    error = fabs(mpfr_get_d(want, MPFR_RNDN)) / ulp;
    mpfr_clears(in, want, (mpfr_ptr)0);
    return error;
}

static void expect_log(double x)
{
    double error = error_of(mpfr_log, x, 0, elementary_log(x));

    ck_assert_msg(error < 0x1p-18, "ln(%.17g): %g ULP", x, error);
}

START_TEST(logarithms_hold_twenty_bits_more_than_a_double)
{
    struct core_random random = {7};

    ck_assert(elementary_log(1).hi == 0 && elementary_log(1).lo == 0);
    for (int i = 0; i < DRAWS; i++) {
        expect_log(exp(core_random_real(&random, -700, 700)));
        expect_log(1 +
                   core_random_real(&random, -1, 1) * exp(core_random_real(&random, -36, 0)));
        expect_log((double)core_random_whole(&random, 2, INT64_C(1) << 53));
    }
    expect_log(0x1p-1074);
    expect_log(0x1.fffffffffffffp1023);
}
END_TEST

/* The bound is relative: of numbers near 0 the logarithm is as small. */
START_TEST(logarithms_of_one_and_little_hold_their_little)
{
    struct core_random random = {17};

    ck_assert(elementary_log1p((struct dd){0, 0}).hi == 0);
    for (int i = 0; i < DRAWS; i++) {
        const double size = exp(core_random_real(&random, -300, 300));
        const double x = i % 2 ? size : fmax(-size, core_random_real(&random, -0.499, 0));
        const double low = i % 3 ? 0 : x * 0x1p-54;
        const double error =
            error_of(mpfr_log1p, x, low, elementary_log1p((struct dd){x, low}));

        ck_assert_msg(error < 0x1p-17, "ln(1 + %.17g + %g): %g ULP", x, low, error);
    }
}
END_TEST

static void expect_exp(double x, double low)
{
    double error =
        error_of(mpfr_exp, x, low, (struct dd){elementary_exp((struct dd){x, low}), 0});
    double part = error_of(mpfr_expm1, x, low, elementary_expm1((struct dd){x, low}));

    ck_assert_msg(error < 0.53, "exp(%.17g): %g ULP", x, error);
    ck_assert_msg(part < 0.13, "expm1(%.17g): %g ULP", x, part);
    error = error_of(mpfr_exp, x, low, elementary_exp_dd((struct dd){x, low}));
    ck_assert_msg(error < 0.07, "exp(%.17g) as a split: %g ULP", x, error);
}

START_TEST(exponentials_round_about_once)
{
    struct core_random random = {8};

    for (int i = 0; i < DRAWS; i++) {
        double x = core_random_real(&random, -700, 700);

        expect_exp(x, x * 0x1p-54 * core_random_real(&random, -1, 1));
        expect_exp(core_random_real(&random, -1, 1), 0);
        expect_exp(exp(core_random_real(&random, -300, 0)) * (i % 2 ? 1 : -1), 0);
    }
}
END_TEST

START_TEST(exponentials_leave_the_range_of_doubles_at_its_ends)
{
    ck_assert(elementary_exp((struct dd){0, 0}) == 1);
    ck_assert(elementary_exp((struct dd){-1e300, 0}) == 0);
    ck_assert(elementary_exp((struct dd){-746, 0}) == 0);
    ck_assert(elementary_exp((struct dd){-745, 0}) == 0x1p-1074);
    ck_assert(elementary_exp((struct dd){709.78, 0}) < INFINITY);
    ck_assert(elementary_exp((struct dd){709.79, 0}) == INFINITY);
    ck_assert(elementary_exp((struct dd){INFINITY, 0}) == INFINITY);
    ck_assert(elementary_exp((struct dd){-INFINITY, 0}) == 0);
}
END_TEST

START_TEST(tangents_are_odd_and_round_about_once)
{
    struct core_random random = {9};

    for (int i = 0; i < DRAWS; i++) {
        double x =
            i % 2 ? core_random_real(&random, 0, 22) : exp(core_random_real(&random, -300, 3));
        double error = error_of(mpfr_tanh, x, 0, (struct dd){elementary_tanh(x), 0});

        ck_assert_msg(error < 0.7, "tanh(%.17g): %g ULP", x, error);
        ck_assert(elementary_tanh(-x) == -elementary_tanh(x));
    }
    ck_assert(elementary_tanh(0) == 0 && elementary_tanh(1e300) == 1);
}
END_TEST

static int mpfr_softplus(mpfr_t out, const mpfr_t in, mpfr_rnd_t round)
{
    mpfr_exp(out, in, round);
    return mpfr_log1p(out, out, round);
}

START_TEST(softplus_rounds_about_once)
{
    struct core_random random = {9};

    for (int i = 0; i < DRAWS; i++) {
        double x = core_random_real(&random, i % 2 ? -760 : -30, i % 3 ? 3 : 800);
        double error = error_of(mpfr_softplus, x, 0, (struct dd){elementary_softplus(x), 0});

        ck_assert_msg(error < (x < -708 ? 1.01 : 0.55), "softplus(%.17g): %g ULP", x, error);
    }
    ck_assert(elementary_softplus(-1e9) == 0 && elementary_softplus(1e9) == 1e9);
    ck_assert(isinf(elementary_softplus(INFINITY)) && isnan(elementary_softplus(NAN)));
}
END_TEST

START_TEST(roots_of_splits_hold_twenty_bits_more_than_a_double)
{
    struct core_random random = {8};

    for (int i = 0; i < DRAWS; i++) {
        double x = core_random_real(&random, 1e-9, 9), low = x * 0x1p-55;
        double error = error_of(mpfr_sqrt, x, low, elementary_sqrt((struct dd){x, low}));

        ck_assert_msg(error < 0x1p-40, "sqrt(%.17g): %g ULP", x, error);
    }
}
END_TEST

SUITE(elementary, TEST(logarithms_hold_twenty_bits_more_than_a_double),
      TEST(logarithms_of_one_and_little_hold_their_little), TEST(exponentials_round_about_once),
      TEST(exponentials_leave_the_range_of_doubles_at_its_ends),
      TEST(softplus_rounds_about_once),
      TEST(roots_of_splits_hold_twenty_bits_more_than_a_double),
      TEST(tangents_are_odd_and_round_about_once));
