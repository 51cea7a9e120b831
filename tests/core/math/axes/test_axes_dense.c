/* SPDX-License-Identifier: Apache-2.0
 * test_axes_dense.c - frequencies of every axis, and the directions of golden gate. */
#include <math.h>

#include "core/encoding.h"
#include "core/math/axes/axes_dense.h"
#include "tests/support/suite.h"

START_TEST(sizes_signs_and_scales_are_kept_apart)
{
    const double values[4] = {1, -.5, 0, 3};
    const struct axes_scale scale[2] = {{1, 1, 1, 1}, {3, 4, 4, 1}};
    struct phase_freq freq[4];
    signed char sign[4];

    ck_assert(axes_dense_build(freq, sign, values, 2, 2, scale));
    ck_assert_double_eq(freq[0].hi, 1);
    ck_assert_double_eq(freq[1].hi, .5);
    ck_assert_double_eq(freq[2].hi, 0);
    ck_assert_double_eq(freq[3].hi, 4.5);
    ck_assert(sign[0] == 1 && sign[1] == -1 && sign[2] == 1 && sign[3] == 1);
}
END_TEST

START_TEST(turns_are_exact_in_fixed_point)
{
    const double values[2] = {.75, -3};
    const struct axes_scale scale = {1, 3, 1, 1};
    struct phase_freq freq[2];
    signed char sign[2];

    ck_assert(axes_dense_build_turns(freq, sign, values, 1, 2, &scale));
    ck_assert(phase_at(&freq[0], 2) == (phase_t)1 << 127);
    ck_assert(phase_at(&freq[1], 5) == 0);
    ck_assert_double_eq_tol(freq[1].hi, 2 * acos(-1), 1e-15);
    ck_assert(sign[0] == 1 && sign[1] == -1);
}
END_TEST

START_TEST(published_directions_come_out)
{
    static const double want[4][2] = {{.968979, .247143},
                                      {.022601, -.999745},
                                      {-.751688, .659518},
                                      {-.962133, -.272581}};
    double out[8];

    ck_assert(axes_dense_directions(out, 4, 2));
    for (size_t i = 0; i < 8; i++)
        ck_assert_double_eq_tol(out[i], want[i / 2][i % 2], .51e-6);
}
END_TEST

/* Evenly spread: the mean of many is near the origin, in any number of axes. */
START_TEST(directions_have_length_one_and_no_side)
{
    enum { COUNT = 256 };
    const size_t axes = (size_t)_i;
    double out[COUNT * AXES_MAX], mean[AXES_MAX] = {0};

    ck_assert(axes_dense_directions(out, COUNT, axes));
    for (size_t t = 0; t < COUNT; t++) {
        double length = 0;

        for (size_t a = 0; a < axes; a++) {
            length += out[t * axes + a] * out[t * axes + a];
            mean[a] += out[t * axes + a] / COUNT;
        }
        ck_assert_double_eq_tol(length, 1, 1e-15);
    }
    for (size_t a = 0; a < axes; a++)
        ck_assert_double_le(fabs(mean[a]), .05);
}
END_TEST

START_TEST(angles_step_by_the_golden_section_of_half_a_turn)
{
    double out[8];

    ck_assert(axes_dense_angles(out, 4));
    for (size_t t = 0; t < 4; t++) {
        const double phi = (double)t * acos(-1) * (sqrt(5) - 1) / 2;

        ck_assert_double_eq_tol(out[2 * t], cos(phi), 1e-15);
        ck_assert_double_eq_tol(out[2 * t + 1], sin(phi), 1e-15);
    }
}
END_TEST

SUITE(axes_dense, TEST(sizes_signs_and_scales_are_kept_apart),
      TEST(turns_are_exact_in_fixed_point), TEST(published_directions_come_out),
      TEST_RANGE(directions_have_length_one_and_no_side, 2, 5),
      TEST(angles_step_by_the_golden_section_of_half_a_turn));
