/* SPDX-License-Identifier: Apache-2.0
 * make_powers.c - prints the tables of core/text/powers.c: powers of ten to 128 bits, and the
 * scale of every float32 exponent. It runs while posenc is built, and needs MPFR. */
#include <assert.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#define MPFR_USE_INTMAX_T /* words of 64 bits, whatever a long has */
#include <mpfr.h>

#include "core/text/powers.h"

enum { PRECISION = 2400 }; /* bits: enough for 10^342 and its neighbours to be exact */

static uint64_t low_word(mpfr_t x)
{
    mpfr_t high;

    mpfr_init2(high, PRECISION);
    mpfr_div_2ui(high, x, 64, MPFR_RNDN);
    mpfr_floor(high, high);
    mpfr_mul_2ui(high, high, 64, MPFR_RNDN);
    mpfr_sub(high, x, high, MPFR_RNDN);
    const uint64_t low = mpfr_get_uj(high, MPFR_RNDZ);
    mpfr_clear(high);
    return low;
}

/* Prints 10^n = (high:low) * 2^(exponent - 128), the highest bit set, truncated. */
static void print_powers_of_ten(void)
{
    mpfr_t x, high;

    mpfr_inits2(PRECISION, x, high, (mpfr_ptr)NULL);
    printf("/* 10^%d ... 10^%d: high and low word. */\n", POWERS_MIN, POWERS_MAX);
    printf("#define POWERS_OF_TEN \\\n");
    for (int n = POWERS_MIN; n <= POWERS_MAX; n++) {
        mpfr_set_ui(x, 10, MPFR_RNDN);
        mpfr_pow_si(x, x, n, MPFR_RNDN);
        const mpfr_exp_t exponent = mpfr_get_exp(x);
        assert(exponent == powers_exponent(n));
        mpfr_mul_2si(x, x, 128 - exponent, MPFR_RNDN);
        mpfr_floor(x, x);
        mpfr_div_2ui(high, x, 64, MPFR_RNDN);
        const uint64_t low = low_word(x);
        assert(low != UINT64_MAX); /* decimal.c adds 1 */
        printf("    {0x%016" PRIxMAX ", 0x%016" PRIx64 "}, \\\n", mpfr_get_uj(high, MPFR_RNDZ),
               low);
    }
    printf("    /* end */\n");
    mpfr_clears(x, high, (mpfr_ptr)NULL);
}

/* Prints 2^q / 10^(k+1) as a fraction of 2^64, where 2^q is the unit of the last place and 10^k
 * the largest power of ten not above it. */
static void print_float32_scales(void)
{
    mpfr_t x, y;

    mpfr_inits2(PRECISION, x, y, (mpfr_ptr)NULL);
    printf("/* 2^q / 10^(k+1) * 2^64 for the exponent fields 0 ... 254 of float32. */\n");
    printf("#define POWERS_F32_SCALES \\\n");
    for (int field = 0; field < 255; field++) {
        const int q = (field > 0 ? field : 1) - 150, k = powers_floor_log10_of_2(q);

        mpfr_set_ui_2exp(x, 1, q + 64, MPFR_RNDN);
        mpfr_set_ui(y, 10, MPFR_RNDN); /* both powers are exact, and so is their product */
        mpfr_pow_si(y, y, k < 0 ? -k - 1 : k + 1, MPFR_RNDN);
        if (k < 0)
            mpfr_mul(x, x, y, MPFR_RNDN);
        else
            mpfr_div(x, x, y, MPFR_RNDN);
        mpfr_floor(x, x);
        printf("    0x%016" PRIxMAX ", \\\n", mpfr_get_uj(x, MPFR_RNDZ));
    }
    printf("    /* end */\n");
    mpfr_clears(x, y, (mpfr_ptr)NULL);
}

int main(void)
{
    printf("/* Made by core/text/make_powers.c. */\n");
    print_powers_of_ten();
    print_float32_scales();
    mpfr_free_cache();
    return 0;
}
