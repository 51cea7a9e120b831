/* SPDX-License-Identifier: Apache-2.0
 * test_arcsine.c - the arcsine is MPFR's, rounded once, and odd. */
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>

#include "core/math/number/arcsine.h"
#include "core/math/number/mpfr_memory.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

static double rounded_once(double x)
{
    mpfr_t value;
    double result;

    mpfr_init2(value, 53);
    mpfr_set_d(value, x, MPFR_RNDN);
    mpfr_asin(value, value, MPFR_RNDN);
    result = mpfr_get_d(value, MPFR_RNDN);
    mpfr_clear(value);
    return result;
}

START_TEST(values_are_rounded_once)
{
    struct core_random random = {17};

    ck_assert(mpfr_memory_available());
    for (int i = 0; i < 2000; i++) {
        double x = core_random_real(&random, -1, 1);

        if (i % 2)
            x = ldexp(x, -(int)core_random_whole(&random, 0, 60));
        if (arcsine(x) != rounded_once(x) || arcsine(-x) != -arcsine(x))
            ck_abort_msg("asin(%.17g) is %.17g", x, arcsine(x));
    }
}
END_TEST

START_TEST(the_ends_are_right_angles)
{
    ck_assert(mpfr_memory_available());
    ck_assert_double_eq(arcsine(1), M_PI_2);
    ck_assert_double_eq(arcsine(-1), -M_PI_2);
    ck_assert_double_eq(arcsine(0), 0);
    ck_assert_double_eq(arcsine(0.5), 0.52359877559829887307710723054658);
}
END_TEST

SUITE(arcsine, TEST(values_are_rounded_once), TEST(the_ends_are_right_angles));
