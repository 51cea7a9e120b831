/* SPDX-License-Identifier: Apache-2.0
 * axes_heads.c - the frequencies of each head by MPFR: one power, then a product and a division
 * a pair. */
#include "core/math/axes/axes_heads.h"

#include "core/math/number/mpfr_memory.h"
#include "core/math/trig/frequency_exact.h"

static void take_ratio(mpfr_t ratio, mpfr_t work, const struct axes_heads *heads, size_t head)
{
    if (heads->ratios) {
        mpfr_set_d(ratio, heads->ratios[head], MPFR_RNDN);
        return;
    }
    mpfr_set_d(ratio, heads->high, MPFR_RNDN);
    mpfr_sub_d(ratio, ratio, heads->low, MPFR_RNDN);
    mpfr_mul_ui(ratio, ratio, head, MPFR_RNDN);
    mpfr_div_ui(ratio, ratio, heads->heads, MPFR_RNDN);
    mpfr_set_d(work, heads->low, MPFR_RNDN);
    mpfr_add(ratio, ratio, work, MPFR_RNDN);
}

bool axes_heads_build(struct phase_freq *out, const struct axes_heads *heads, size_t turning)
{
    mpfr_t step, ratio, w;

    if (!mpfr_memory_available())
        return false;
    mpfr_inits2(FREQUENCY_PRECISION, step, ratio, w, (mpfr_ptr)0);
    mpfr_set_si(w, -1, MPFR_RNDN);
    mpfr_div_ui(w, w, heads->pairs, MPFR_RNDN);
    mpfr_set_d(step, heads->base, MPFR_RNDN);
    mpfr_pow(step, step, w, MPFR_RNDN);
    for (size_t h = 0; h < heads->heads; h++) {
        if (h < turning)
            take_ratio(ratio, w, heads, h);
        mpfr_set_ui(w, 1, MPFR_RNDN);
        for (size_t i = 0; i < heads->pairs; i++) {
            struct phase_freq *freq = &out[h * heads->pairs + i];

            *freq = (struct phase_freq){0};
            if (h >= turning)
                continue;
            if (i > 0)
                mpfr_mul(w, w, step, MPFR_RNDN);
            mpfr_div(w, w, ratio, MPFR_RNDN);
            frequency_take(freq, w);
            mpfr_mul(w, w, ratio, MPFR_RNDN);
        }
    }
    mpfr_clears(step, ratio, w, (mpfr_ptr)0);
    mpfr_memory_drop_constants();
    return true;
}
