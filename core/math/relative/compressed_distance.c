/* SPDX-License-Identifier: Apache-2.0
 * compressed_distance.c - see compressed_distance.h. */
#include "core/math/relative/compressed_distance.h"

#include <math.h>

#include "core/math/number/mpfr_memory.h"
#include "core/math/trig/frequency_exact.h"

/* Sets angle to a(x) for c = sqrt(dim) and scale = 2 pi / (factor c). */
static void angle_of(double x, mpfr_t angle, mpfr_t c, mpfr_t scale)
{
    mpfr_set_d(angle, fabs(x), MPFR_RNDN);
    mpfr_div(angle, angle, c, MPFR_RNDN);
    mpfr_log1p(angle, angle, MPFR_RNDN);
    mpfr_mul(angle, angle, scale, MPFR_RNDN);
    mpfr_atan(angle, angle, MPFR_RNDN);
}

void compressed_distance_angles(struct pe_build *build, struct phase_freq *angles,
                                const struct pe_positions *pos, int64_t dim, double factor)
{
    mpfr_t angle, c, scale;

    mpfr_inits2(FREQUENCY_PRECISION, angle, c, scale, (mpfr_ptr)0);
    mpfr_memory_hold_constants();
    mpfr_sqrt_ui(c, (unsigned long)dim, MPFR_RNDN);
    mpfr_const_pi(scale, MPFR_RNDN);
    mpfr_mul_ui(scale, scale, 2, MPFR_RNDN);
    mpfr_div(scale, scale, c, MPFR_RNDN); /* c / dim is 1 / c */
    mpfr_div_d(scale, scale, factor, MPFR_RNDN);
    for (uint64_t i = 0; i < pe_positions_count(pos) && !pe_build_stopped(build); i++) {
        angle_of(pe_positions_at(pos, i), angle, c, scale);
        frequency_take(&angles[i], angle);
    }
    mpfr_memory_release_constants();
    mpfr_clears(angle, c, scale, (mpfr_ptr)0);
    mpfr_memory_drop_constants();
}
