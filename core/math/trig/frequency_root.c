/* SPDX-License-Identifier: Apache-2.0
 * frequency_root.c - the ladder of GraphMixer's time encoding. */
#include <mpfr.h>

#include "core/math/number/mpfr_memory.h"
#include "core/math/trig/frequency.h"
#include "core/math/trig/frequency_exact.h"

/* One power serves the row: w_c = ratio^c with ratio = sqrt(n)^(-sqrt(n) / (n - 1)). */
bool frequency_root_ladder(struct phase_freq *out, size_t count)
{
    mpfr_t root, ratio, w;

    if (!mpfr_memory_available())
        return false;
    /* 512 bits are enough for 256 bits of fraction */
    mpfr_inits2(512, root, ratio, w, (mpfr_ptr)0);
    mpfr_set_ui(root, count, MPFR_RNDN);
    mpfr_sqrt(root, root, MPFR_RNDN);
    mpfr_div_ui(ratio, root, count > 1 ? count - 1 : 1, MPFR_RNDN);
    mpfr_neg(ratio, ratio, MPFR_RNDN);
    mpfr_pow(ratio, root, ratio, MPFR_RNDN);
    mpfr_set_ui(w, 1, MPFR_RNDN);
    for (size_t c = 0; c < count; c++) {
        frequency_take(&out[c], w);
        mpfr_mul(w, w, ratio, MPFR_RNDN);
    }
    mpfr_clears(root, ratio, w, (mpfr_ptr)0);
    mpfr_memory_drop_constants();
    return true;
}
