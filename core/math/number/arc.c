/* SPDX-License-Identifier: Apache-2.0
 * arc.c - atan2 by MPFR, since the last bit differs between libms. */
#include "core/math/number/arc.h"
#include "core/math/number/mpfr_memory.h"

#include <mpfr.h>

double arc_of(double cosine, double sine)
{
    mpfr_t x, y;
    double angle;

    mpfr_inits2(53, x, y, (mpfr_ptr)0);
    mpfr_set_d(x, cosine + 0.0, MPFR_RNDN); /* -0 becomes 0 */
    mpfr_set_d(y, sine + 0.0, MPFR_RNDN);
    mpfr_atan2(y, y, x, MPFR_RNDN);
    angle = mpfr_get_d(y, MPFR_RNDN);
    mpfr_clears(x, y, (mpfr_ptr)0);
    mpfr_memory_drop_constants();
    return angle;
}
