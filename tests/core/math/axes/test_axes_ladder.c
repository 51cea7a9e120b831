/* SPDX-License-Identifier: Apache-2.0
 * test_axes_ladder.c - frequencies of one axis: powers, steps, scales, and as pipelines of
 * doubles and of floats have them. */
#include <math.h>

#include "core/encoding.h"
#include "core/math/axes/axes.h"
#include "tests/support/suite.h"

enum { PAIRS = 8 };

static void build(struct phase_freq out[PAIRS], const struct axes_ladder *ladder,
                  const struct axes_scale *scale)
{
    for (size_t i = 0; i < PAIRS; i++)
        out[i].hi = -1;
    ck_assert(axes_ladder_build(out, ladder, 1, scale));
}

START_TEST(a_ladder_falls_by_powers_of_its_base)
{
    const struct axes_ladder ladder = axes_ladder_open(0, 1, 2, 3, 100, 4);
    struct phase_freq out[PAIRS];

    build(out, &ladder, NULL);
    for (size_t i = 0; i < 3; i++)
        ck_assert_double_eq_tol(out[1 + 2 * i].hi, pow(100, -(double)i / 4), 1e-15);
    ck_assert_double_eq(out[0].hi, -1); /* others' pairs are left alone */
    ck_assert_double_eq(out[2].hi, -1);
    ck_assert_double_eq(out[7].hi, -1);
}
END_TEST

START_TEST(growth_offset_and_constants_enter_as_the_formula_says)
{
    struct axes_ladder ladder = axes_ladder_open(0, 0, 1, 3, 100, 4);
    struct phase_freq out[PAIRS];
    const double base = 100 * pow(3, 6.0 / 4) / 2;

    ladder.growth = 3;
    ladder.growth_number = 6;
    ladder.growth_of = 4;
    ladder.under = 2;
    ladder.times = 5;
    ladder.divisor = 7;
    ladder.pi = true;
    ladder.offset = .5;
    build(out, &ladder, NULL);
    for (size_t i = 0; i < 3; i++)
        ck_assert_double_eq_tol(out[i].hi,
                                5.0 / 7 * acos(-1) * pow(base, -((double)i + .5) / 4), 1e-15);
}
END_TEST

START_TEST(natural_ladders_are_powers_of_e_and_less_shortens_the_way)
{
    struct axes_ladder ladder = axes_ladder_open(0, 0, 1, 4, 100, 4);
    struct phase_freq out[PAIRS];

    ladder.less = .5;
    build(out, &ladder, NULL);
    for (size_t i = 0; i < 4; i++)
        ck_assert_double_eq_tol(out[i].hi, pow(100, -(double)i / 3.5), 1e-15);
    ladder.kind = AXES_NATURAL;
    build(out, &ladder, NULL);
    for (size_t i = 0; i < 4; i++)
        ck_assert_double_eq_tol(out[i].hi, exp(-(double)i / 3.5), 1e-15);
}
END_TEST

/* Thirds of turns add up to whole ones: the fixed point has no tail of ones. */
START_TEST(turns_that_are_whole_are_whole_in_fixed_point)
{
    struct axes_ladder ladder = axes_ladder_open(0, 0, 1, 4, 10, 3);
    struct phase_freq out[PAIRS];

    ladder.kind = AXES_PIXEL_LINEAR; /* pi times 1, 7/3, 11/3, 5 */
    ladder.pi = true;
    build(out, &ladder, NULL);
    ck_assert(phase_at(&out[0], 2) == 0);
    ck_assert(phase_at(&out[3], 1) == (phase_t)1 << 127);
    ck_assert(phase_at(&out[3], 2) == 0);
}
END_TEST

START_TEST(linear_bands_rise_to_half_the_resolution)
{
    struct axes_ladder ladder = axes_ladder_open(0, 0, 1, 4, 224, 3);
    struct phase_freq out[PAIRS];

    ladder.kind = AXES_PIXEL_LINEAR;
    build(out, &ladder, NULL);
    ck_assert_double_eq(out[0].hi, 1);
    ck_assert_double_eq(out[1].hi, 38);
    ck_assert_double_eq(out[3].hi, 112);
}
END_TEST

START_TEST(still_pairs_have_frequency_zero_in_every_pipeline)
{
    struct axes_ladder ladder = axes_ladder_open(0, 0, 1, 3, 224, 3);
    struct phase_freq out[PAIRS];
    double f64[PAIRS];
    float f32[PAIRS];

    ladder.kind = AXES_STILL;
    build(out, &ladder, NULL);
    axes_ladder_f64(f64, &ladder);
    axes_ladder_f32(f32, &ladder);
    for (size_t i = 0; i < 3; i++)
        ck_assert(out[i].hi == 0 && f64[i] == 0 && f32[i] == 0);
}
END_TEST

START_TEST(the_scale_of_the_axis_is_in_exact_frequencies)
{
    const struct axes_scale scale[2] = {{9, 9, 9, 9}, {1.5, 4, 2, 2}};
    const struct axes_ladder ladder = axes_ladder_open(1, 0, 1, 2, 100, 2);
    struct phase_freq out[PAIRS];

    build(out, &ladder, scale);
    ck_assert_double_eq_tol(out[0].hi, .75 * sqrt(2), 1e-15);
    ck_assert_double_eq_tol(out[1].hi, .075 * sqrt(2), 1e-16);
}
END_TEST

START_TEST(pipelines_round_where_they_say)
{
    const struct axes_ladder ladder = axes_ladder_open(0, 0, 1, PAIRS, 10000, PAIRS);
    struct phase_freq out[PAIRS];
    double f64[PAIRS];
    float f32[PAIRS];

    build(out, &ladder, NULL);
    axes_ladder_f64(f64, &ladder);
    axes_ladder_f32(f32, &ladder);
    for (size_t i = 0; i < PAIRS; i++) {
        ck_assert_double_eq_tol(f64[i], out[i].hi, 0x1p-52 * out[i].hi);
        ck_assert_double_eq_tol((double)f32[i], out[i].hi, 0x1p-21 * out[i].hi);
    }
    ck_assert(f32[1] == 1.0F / powf(10000.0F, 0.125F));
}
END_TEST

SUITE(axes_ladder, TEST(a_ladder_falls_by_powers_of_its_base),
      TEST(growth_offset_and_constants_enter_as_the_formula_says),
      TEST(natural_ladders_are_powers_of_e_and_less_shortens_the_way),
      TEST(turns_that_are_whole_are_whole_in_fixed_point),
      TEST(linear_bands_rise_to_half_the_resolution),
      TEST(still_pairs_have_frequency_zero_in_every_pipeline),
      TEST(the_scale_of_the_axis_is_in_exact_frequencies),
      TEST(pipelines_round_where_they_say));
