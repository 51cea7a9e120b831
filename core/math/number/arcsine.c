/* SPDX-License-Identifier: Apache-2.0
 * arcsine.c - the arcsine by MPFR, with twice the digits of a double. */
#include "core/math/number/arcsine.h"

#include <mpfr.h>

enum { DIGITS = 120 };

double arcsine(double x)
{
    mpfr_t value;
    double result;

    mpfr_init2(value, DIGITS);
    mpfr_set_d(value, x, MPFR_RNDN);
    mpfr_asin(value, value, MPFR_RNDN);
    result = mpfr_get_d(value, MPFR_RNDN);
    mpfr_clear(value);
    return result;
}
