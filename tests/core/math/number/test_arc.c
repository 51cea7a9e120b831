/* SPDX-License-Identifier: Apache-2.0
 * test_arc.c - angles of points: the four quarters, the axes, the origin. */
#include <math.h>

#include "core/math/number/arc.h"
#include "tests/support/suite.h"

START_TEST(points_of_the_circle_give_their_angles_back)
{
    for (double angle = -3.1; angle < 3.1; angle += 0.01)
        ck_assert_double_eq_tol(arc_of(2 * cos(angle), 2 * sin(angle)), angle, 2e-15);
}
END_TEST

START_TEST(the_axes_are_at_quarter_turns)
{
    ck_assert_double_eq(arc_of(1, 0), 0);
    ck_assert_double_eq(arc_of(1, -0.0), 0);
    ck_assert_double_eq(arc_of(0, 1), 0x1.921fb54442d18p0);
    ck_assert_double_eq(arc_of(-1, 0), 0x1.921fb54442d18p1);
    ck_assert_double_eq(arc_of(-1, -0.0), 0x1.921fb54442d18p1);
    ck_assert_double_eq(arc_of(0, -1), -0x1.921fb54442d18p0);
    ck_assert_double_eq(arc_of(-0.0, 0), 0);
}
END_TEST

SUITE(arc, TEST(points_of_the_circle_give_their_angles_back),
      TEST(the_axes_are_at_quarter_turns));
