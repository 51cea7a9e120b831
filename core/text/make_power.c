/* SPDX-License-Identifier: Apache-2.0
 * make_power.c - see make_power.h. All numbers are integers, and each division is truncated
 * once. */
#include "core/text/make_power.h"

#include <assert.h>
#include <gmp.h>

static_assert(GMP_NUMB_BITS == 64, "words are limbs");

/* Sets x to 2^shift * 10^exponent, truncated. */
static void scaled_power(mpz_t x, long shift, long exponent)
{
    mpz_t ten;

    mpz_init(ten);
    mpz_ui_pow_ui(ten, 10, (unsigned long)(exponent < 0 ? -exponent : exponent));
    if (exponent >= 0) {
        mpz_swap(x, ten);
    } else {
        mpz_set_ui(x, 1);
        mpz_mul_2exp(x, x, (mp_bitcnt_t)shift);
        mpz_tdiv_q(x, x, ten);
        shift = 0;
    }
    if (shift >= 0)
        mpz_mul_2exp(x, x, (mp_bitcnt_t)shift);
    else
        mpz_tdiv_q_2exp(x, x, (mp_bitcnt_t)-shift);
    mpz_clear(ten);
}

void make_powers_of_ten(struct power_of_ten powers[POWERS_COUNT])
{
    mpz_t x;

    mpz_init(x);
    for (int n = POWERS_MIN; n <= POWERS_MAX; n++) {
        scaled_power(x, 128 - powers_exponent(n), n);
        assert(mpz_sizeinbase(x, 2) == 128);
        powers[n - POWERS_MIN] =
            (struct power_of_ten){.high = mpz_getlimbn(x, 1), .low = mpz_getlimbn(x, 0)};
        assert(powers[n - POWERS_MIN].low != UINT64_MAX); /* decimal.c adds 1 */
    }
    mpz_clear(x);
}

void make_f32_scales(uint64_t scales[POWERS_F32_COUNT])
{
    mpz_t x;

    mpz_init(x);
    for (int field = 0; field < POWERS_F32_COUNT; field++) {
        const int q = (field > 0 ? field : 1) - 150;

        scaled_power(x, q + 64, -(powers_floor_log10_of_2(q) + 1));
        scales[field] = mpz_getlimbn(x, 0);
    }
    mpz_clear(x);
}
