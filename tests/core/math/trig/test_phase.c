/* SPDX-License-Identifier: Apache-2.0
 * test_phase.c - direct evaluation against MPFR where it is hard: near zeros, at tiny, real and
 * huge positions; and its symmetries, which are exact. */
#include <float.h>
#include <math.h>

#include <mpfr.h>

#include "core/math/trig/frequency.h"
#include "core/math/trig/phase.h"
#include "tests/support/suite.h"

static const double plain_bound = 0.8, scaled_bound = 0.95; /* ULP, as phase.h says */

/* Error of an answer in ULP of the exact value. */
static double ulps(double answer, mpfr_t exact)
{
    mpfr_t rest;

    mpfr_init2(rest, 256);
    long step = mpfr_zero_p(exact) ? -1074 : mpfr_get_exp(exact) - 53;
    step = step < -1074 ? -1074 : step;
    mpfr_sub_d(rest, exact, answer, MPFR_RNDN);
    mpfr_mul_2si(rest, rest, -step, MPFR_RNDN);
    const double error = fabs(mpfr_get_d(rest, MPFR_RNDN));
    mpfr_clear(rest);
    return error;
}

/* Both waves of position * base^(-quarters/4) against MPFR, plain and scaled. */
static void check_at(double base, unsigned quarters, double position)
{
    mpfr_t angle, sine, cosine;
    double s, c;

    mpfr_inits2(700, angle, sine, cosine, (mpfr_ptr)0);
    mpfr_set_d(angle, base, MPFR_RNDN);
    mpfr_set_d(sine, -0.25 * quarters, MPFR_RNDN);
    mpfr_pow(angle, angle, sine, MPFR_RNDN);
    mpfr_mul_d(angle, angle, position, MPFR_RNDN);
    mpfr_sin_cos(sine, cosine, angle, MPFR_RNDN);
    struct phase_freq freq[4];
    ck_assert(frequency_build(freq, &(struct frequency_ladder){base, 4, 4, 1, 1, 0}));
    phase_sincos_at(&freq[quarters], position, &s, &c);
    ck_assert_msg(ulps(s, sine) <= plain_bound, "sin off by %g ULP at %a", ulps(s, sine),
                  position);
    ck_assert_msg(ulps(c, cosine) <= plain_bound, "cos off by %g ULP at %a", ulps(c, cosine),
                  position);
    const double amplitude = 0.08838834764831845;
    phase_sincos_scaled(&freq[quarters], position, amplitude, &s, &c);
    mpfr_mul_d(sine, sine, amplitude, MPFR_RNDN);
    mpfr_mul_d(cosine, cosine, amplitude, MPFR_RNDN);
    ck_assert_double_le(ulps(s, sine), scaled_bound);
    ck_assert_double_le(ulps(c, cosine), scaled_bound);
    mpfr_clears(angle, sine, cosine, (mpfr_ptr)0);
}

static const double bases[] = {10000, 500000, 1e6, 2, 1e18, 0.5, 1e-18};
enum { BASES = sizeof bases / sizeof *bases };

START_TEST(positions_near_multiples_of_a_quarter_turn_are_right)
{
    static const double hard[] = {11,
                                  355,
                                  51819,
                                  37362253,
                                  21053343141,
                                  65398140378926,
                                  5920787228742393,
                                  6134899525417045};

    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) {
        double s, c;
        mpfr_t sine, cosine;

        mpfr_inits2(300, sine, cosine, (mpfr_ptr)0);
        mpfr_set_d(sine, hard[i], MPFR_RNDN);
        mpfr_sin_cos(sine, cosine, sine, MPFR_RNDN);
        phase_sincos_at(&phase_radian, hard[i], &s, &c);
        ck_assert_double_le(ulps(s, sine), plain_bound);
        ck_assert_double_le(ulps(c, cosine), plain_bound);
        mpfr_clears(sine, cosine, (mpfr_ptr)0);
    }
}
END_TEST

START_TEST(whole_positions_up_to_2_53_are_right)
{
    for (int e = 0; e <= 53; e++)
        for (int k = 0; k < 3; k++) {
            check_at(bases[_i], 1, floor(ldexp(1 + k / 3.0, e < 53 ? e : 52)));
            check_at(bases[_i], 3, floor(-ldexp(1 + k / 5.0, e < 53 ? e : 52)));
        }
    check_at(bases[_i], 2, 0x1p53);
    check_at(bases[_i], 2, -0x1p53);
    check_at(bases[_i], 2, 0);
}
END_TEST

START_TEST(real_positions_down_to_the_smallest_are_right)
{
    for (int e = -1074; e <= 52; e += e < -80 ? 31 : 1) {
        check_at(bases[_i], 1, ldexp(1.2345678901234567, e));
        check_at(bases[_i], 3, -ldexp(1.9876543210987654, e));
    }
}
END_TEST

START_TEST(angles_of_any_float32_are_right)
{
    static const float angles[] = {
        1e-38f, 0.1f,  3.1415927f, 1e10f,
        1e20f,  1e30f, FLT_MAX,    16367173.f * 0x1p72f}; /* hard for float32 */

    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        double s, c;
        mpfr_t sine, cosine;

        mpfr_inits2(300, sine, cosine, (mpfr_ptr)0);
        mpfr_set_flt(sine, angles[i], MPFR_RNDN);
        mpfr_sin_cos(sine, cosine, sine, MPFR_RNDN);
        phase_sincos_at(&phase_radian, (double)angles[i], &s, &c);
        ck_assert_double_le(ulps(s, sine), plain_bound);
        ck_assert_double_le(ulps(c, cosine), plain_bound);
        mpfr_clears(sine, cosine, (mpfr_ptr)0);
    }
}
END_TEST

/* turns = quarters/4 + 2^-exponent, or minus it. */
static struct phase_freq near_quarter(uint64_t quarters, int exponent, bool below)
{
    const int bit = 256 - exponent;
    struct phase_freq freq = {.hi = 1};

    freq.turns[3] = quarters << 62;
    if (!below) {
        freq.turns[bit / 64] |= (uint64_t)1 << bit % 64;
        return freq;
    }
    freq.turns[3] -= 1;
    for (int i = bit / 64 + 1; i < 3; i++)
        freq.turns[i] = UINT64_MAX;
    freq.turns[bit / 64] = UINT64_MAX << bit % 64;
    return freq;
}

/* A client may choose base and position so that the angle is far nearer to a zero than 128
 * bits of phase can tell. */
START_TEST(angles_within_2_128_of_a_quarter_turn_keep_their_precision)
{
    const double two_pi = 0x1.921fb54442d18p+2;

    for (int exponent = 66; exponent <= 140; exponent++)
        for (uint64_t quarters = 1; quarters < 4; quarters++)
            for (int below = 0; below < 2; below++) {
                const struct phase_freq freq = near_quarter(quarters, exponent, below);
                const double small = ldexp(below ? -two_pi : two_pi, -exponent);
                double s, c;

                phase_sincos_at(&freq, 1, &s, &c);
                if (quarters == 2) {
                    ck_assert_double_eq(s, -small);
                    ck_assert_double_eq(c, -1);
                } else {
                    ck_assert_double_eq(c, quarters == 1 ? -small : small);
                    ck_assert_double_eq(s, quarters == 1 ? 1 : -1);
                }
            }
}
END_TEST

START_TEST(quarter_turns_are_exact)
{
    static const double waves[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};

    for (int i = 0; i < 4; i++) {
        double s, c;

        phase_sincos((phase_t)i << 126, &s, &c);
        ck_assert_double_eq(s, waves[i][0]);
        ck_assert_double_eq(c, waves[i][1]);
        ck_assert(!signbit(s) || s != 0);
        ck_assert(!signbit(c) || c != 0);
    }
}
END_TEST

START_TEST(mirror_images_have_mirrored_bits)
{
    const phase_t half = (phase_t)1 << 127, quarter = half >> 1;
    phase_t phase = 1;

    for (int i = 0; i < 20000; i++) {
        double s, c, s2, c2;

        phase = phase * 6364136223846793005u + (phase_t)1442695040888963407u * phase + 3;
        phase_sincos(phase, &s, &c);
        phase_sincos(-phase, &s2, &c2);
        ck_assert(s2 == -s && c2 == c);
        phase_sincos(half - phase, &s2, &c2);
        ck_assert(s2 == s && c2 == -c);
        phase_sincos(quarter - phase, &s2, &c2);
        ck_assert(s2 == c && c2 == s);
        phase_sincos(half + phase, &s2, &c2);
        ck_assert(s2 == -s && c2 == -c);
    }
}
END_TEST

START_TEST(sine_is_odd_and_cosine_even_in_position)
{
    struct phase_freq freq[8];

    ck_assert(frequency_build(freq, &(struct frequency_ladder){10000, 8, 8, 1, 1, 0}));
    for (int i = 0; i < 8; i++)
        for (double p = 1e-20; p < 9e15; p *= 7.3) {
            double s, c, s2, c2;

            phase_sincos_at(&freq[i], p, &s, &c);
            phase_sincos_at(&freq[i], -p, &s2, &c2);
            ck_assert(s2 == -s && c2 == c);
            phase_sincos_scaled(&freq[i], p, 3.7, &s, &c);
            phase_sincos_scaled(&freq[i], -p, 3.7, &s2, &c2);
            ck_assert(s2 == -s && c2 == c);
        }
}
END_TEST

START_TEST(phases_wrap_and_negate_with_positions)
{
    ck_assert(phase_at(&phase_radian, 0) == 0);
    ck_assert(phase_at(&phase_radian, -5) == -phase_at(&phase_radian, 5));
    /* Both ways of multiplying, for whole and for real positions, agree. */
    const phase_t whole = phase_at(&phase_radian, 3), real = phase_at(&phase_radian, 1.5);
    ck_assert(whole - 2 * real <= 1);
}
END_TEST

SUITE(phase, TEST(positions_near_multiples_of_a_quarter_turn_are_right),
      TEST_RANGE(whole_positions_up_to_2_53_are_right, 0, BASES),
      TEST_RANGE(real_positions_down_to_the_smallest_are_right, 0, BASES),
      TEST(angles_of_any_float32_are_right),
      TEST(angles_within_2_128_of_a_quarter_turn_keep_their_precision),
      TEST(quarter_turns_are_exact), TEST(mirror_images_have_mirrored_bits),
      TEST(sine_is_odd_and_cosine_even_in_position),
      TEST(phases_wrap_and_negate_with_positions));
