/* SPDX-License-Identifier: Apache-2.0
 * test_frequency.c - ladders against their formula, bit by bit. */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include <mpfr.h>

#include "core/math/trig/frequency.h"
#include "tests/support/suite.h"

enum { MOST = 64, BITS = 900 };

static struct frequency_ladder open_ladder(double base, size_t count)
{
    return (struct frequency_ladder){.base = base,
                                     .denominator = (double)count,
                                     .count = count,
                                     .multiplier = 1,
                                     .divisor = 1};
}

static void expect_near(double got, double want)
{
    ck_assert_double_le(fabs(got - want), 5e-6 * want);
}

START_TEST(rope_ladders_are_those_of_the_catalogue)
{
    struct phase_freq freq[4];
    const double first[] = {1, .1, .01, .001}; /* the nearest doubles */
    const double second[] = {1, .0376060, .00141421, 5.31830e-5};
    struct frequency_ladder ladder = open_ladder(10000, 4);

    ck_assert(frequency_build(freq, &ladder));
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq(freq[i].hi, first[i]);
    ladder.base = 500000;
    ck_assert(frequency_build(freq, &ladder));
    for (int i = 0; i < 4; i++)
        expect_near(freq[i].hi, second[i]);
}
END_TEST

START_TEST(a_closed_ladder_ends_at_one_over_the_base)
{
    struct phase_freq freq[8];
    struct frequency_ladder ladder = open_ladder(10000, 8);

    ladder.denominator = 7;
    ck_assert(frequency_build(freq, &ladder));
    ck_assert_double_eq(freq[0].hi, 1);
    ck_assert_double_eq(freq[7].hi, 1e-4);
}
END_TEST

START_TEST(a_single_frequency_is_one_whatever_the_base)
{
    struct phase_freq freq;
    struct frequency_ladder ladder = open_ladder(123, 1);

    ladder.denominator = 0;
    ck_assert(frequency_build(&freq, &ladder));
    ck_assert_double_eq(freq.hi, 1);
    ck_assert_mem_eq(freq.turns, phase_radian.turns, sizeof freq.turns);
    ck_assert_uint_eq(freq.whole[0], 0);
}
END_TEST

START_TEST(multiplier_divisor_and_min_scale_scale_every_frequency)
{
    struct phase_freq freq[2];
    struct frequency_ladder ladder = open_ladder(500, 2);

    ladder.denominator = 1;
    ladder.min_scale = 2; /* min_ts 2, max_ts 500: 2 and 2/250 */
    ck_assert(frequency_build(freq, &ladder));
    ck_assert_double_eq(freq[0].hi, 2);
    ck_assert_double_eq(freq[1].hi, 0.008);
    ladder.min_scale = 0;
    ladder.multiplier = 3;
    ladder.divisor = 8;
    ck_assert(frequency_build(freq, &ladder));
    ck_assert_double_eq(freq[0].hi, 0.375);
    ck_assert_double_eq(freq[1].hi, 0.00075);
}
END_TEST

/* |turns of freq - base^(-i/count) / 2 pi| in units of 2^-256. */
static double error_of(const struct phase_freq *freq, double base, unsigned long i,
                       unsigned long count)
{
    mpfr_t want, exponent, got;

    mpfr_inits2(BITS, want, exponent, got, (mpfr_ptr)0);
    mpfr_set_ui(exponent, i, MPFR_RNDN);
    mpfr_div_ui(exponent, exponent, count, MPFR_RNDN);
    mpfr_set_d(got, base, MPFR_RNDN);
    mpfr_pow(exponent, got, exponent, MPFR_RNDN);
    mpfr_const_pi(want, MPFR_RNDN);
    mpfr_mul_2ui(want, want, 1, MPFR_RNDN);
    mpfr_mul(want, want, exponent, MPFR_RNDN);
    mpfr_ui_div(want, 1, want, MPFR_RNDN);
    mpfr_mul_2ui(want, want, 256, MPFR_RNDN);
    mpfr_set_ui(got, 0, MPFR_RNDN);
    for (int limb = 5; limb >= 0; limb--) {
        mpfr_mul_2ui(got, got, 64, MPFR_RNDN);
        mpfr_add_ui(got, got, limb < 4 ? freq->turns[limb] : freq->whole[limb - 4], MPFR_RNDN);
    }
    mpfr_sub(want, want, got, MPFR_RNDN);
    const double error = fabs(mpfr_get_d(want, MPFR_RNDN));
    mpfr_clears(want, exponent, got, (mpfr_ptr)0);
    return error;
}

START_TEST(every_bit_of_the_turns_is_right)
{
    static const double bases[] = {10000, 500000, 1e6, 1e18, 1e-18, 1.5, 1, 0.999};
    const double base = bases[_i];
    struct phase_freq freq[MOST];
    const struct frequency_ladder ladder = open_ladder(base, MOST);

    ck_assert(frequency_build(freq, &ladder));
    for (unsigned long i = 0; i < MOST; i++)
        ck_assert_double_lt(error_of(&freq[i], base, i, MOST), 1.0001);
}
END_TEST

static void *build_often(void *out)
{
    const struct frequency_ladder ladder = open_ladder(10000, MOST);

    for (int i = 0; i < 20; i++)
        if (!frequency_build(out, &ladder))
            return NULL;
    return out;
}

START_TEST(threads_build_the_same_ladder_at_once)
{
    static struct phase_freq freq[4][MOST];
    pthread_t threads[4];

    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, build_often, freq[i]), 0);
    for (int i = 0; i < 4; i++) {
        void *result;

        ck_assert_int_eq(pthread_join(threads[i], &result), 0);
        ck_assert_ptr_eq(result, freq[i]);
        ck_assert_mem_eq(freq[i], freq[0], sizeof freq[0]);
    }
}
END_TEST

/* Rounding pow of double to float is right but where the double itself falls between two
 * floats, which none of these does. */
START_TEST(the_float32_ladder_takes_the_float32_steps)
{
    float w[MOST];

    frequency_f32_powers(w, MOST, 500000, 128);
    for (size_t i = 0; i < MOST; i++)
        ck_assert_float_eq(w[i], (float)pow(500000.0, (float)(2 * i) / 128.0f));
    frequency_f32_powers(w, MOST, 10000.123f, 96);
    for (size_t i = 0; i < MOST; i++) {
        const double power = pow((double)10000.123f, (double)((float)(2 * i) / 96.0f));

        ck_assert_float_eq(w[i], (float)power);
    }
}
END_TEST

START_TEST(powers_are_double_doubles)
{
    double hi, lo;

    frequency_pow_ratio(2, -7, 3, 6, &hi, &lo);
    ck_assert_double_eq(hi, 0x1.6a09e667f3bcdp-4);
    ck_assert_double_eq(lo, -0x1.bdd3413b26456p-58);
    frequency_pow_ratio(2, 8, -3, 3, &hi, &lo);
    ck_assert_double_eq(hi, 0x1p-8);
    ck_assert_double_eq(lo, 0);
}
END_TEST

SUITE(frequency, TEST(rope_ladders_are_those_of_the_catalogue),
      TEST(a_closed_ladder_ends_at_one_over_the_base),
      TEST(a_single_frequency_is_one_whatever_the_base),
      TEST(multiplier_divisor_and_min_scale_scale_every_frequency),
      TEST_RANGE(every_bit_of_the_turns_is_right, 0, 8),
      TEST(threads_build_the_same_ladder_at_once),
      TEST(the_float32_ladder_takes_the_float32_steps), TEST(powers_are_double_doubles));
