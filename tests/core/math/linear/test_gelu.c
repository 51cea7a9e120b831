/* SPDX-License-Identifier: Apache-2.0
 * test_gelu.c - the Gaussian error linear unit against MPFR, in ULP of double. */
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>

#include "core/math/linear/gelu.h"
#include "core/posenc.h"
#include "tests/support/core_query.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

enum { BITS = 140, DRAWS = 400 };

/* x/2 erfc(-x / sqrt 2) */
static void expect_gelu(double x, double limit)
{
    const double got = gelu_of((struct dd){x, 0});
    mpfr_t in, want;
    double ulp, error;

    mpfr_inits2(BITS, in, want, (mpfr_ptr)0);
    mpfr_sqrt_ui(in, 2, MPFR_RNDN);
    mpfr_d_div(in, -x, in, MPFR_RNDN);
    mpfr_erfc(want, in, MPFR_RNDN);
    mpfr_mul_d(want, want, x / 2, MPFR_RNDN);
    ulp = core_query_ulp(PE_F64, mpfr_get_d(want, MPFR_RNDN));
    mpfr_sub_d(want, want, got, MPFR_RNDN);
    error = fabs(mpfr_get_d(want, MPFR_RNDN)) / ulp;
    mpfr_clears(in, want, (mpfr_ptr)0);
    ck_assert_msg(error < limit, "gelu(%.17g) = %.17g: %g ULP", x, got, error);
}

START_TEST(values_are_within_a_little_more_than_half_an_ulp)
{
    struct core_random random = {5};

    for (int i = 0; i < DRAWS; i++) {
        expect_gelu(core_random_real(&random, -1.5, 1.5), 0.6);
        expect_gelu(core_random_real(&random, -10, 10), 0.6);
        expect_gelu(core_random_real(&random, -37, 37), 0.6);
        expect_gelu(exp(core_random_real(&random, -300, 0)), 0.6);
    }
    expect_gelu(1, 0.6);
    expect_gelu(-1, 0.6);
    expect_gelu(-0x1.fffffffffffffp-1, 0.6);
}
END_TEST

START_TEST(ends_are_the_line_and_zero)
{
    ck_assert(gelu_of((struct dd){0, 0}) == 0);
    ck_assert(gelu_of((struct dd){1e6, 0}) == 1e6);
    ck_assert(gelu_of((struct dd){-1e6, 0}) == 0);
    ck_assert(fabs(gelu_of((struct dd){-38, 0})) < 1e-300);
}
END_TEST

SUITE(gelu, TEST(values_are_within_a_little_more_than_half_an_ulp),
      TEST(ends_are_the_line_and_zero));
