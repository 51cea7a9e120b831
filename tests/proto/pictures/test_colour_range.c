/* SPDX-License-Identifier: Apache-2.0
 * test_colour_range.c - tests which values widen a range, and which are beyond one. */
#include <math.h>

#include "proto/pictures/colour_range.h"
#include "tests/support/suite.h"

static const double values[] = {3, NAN, -1, INFINITY, -9, 2, -INFINITY, 3};

START_TEST(values_that_are_not_masked_widen_the_range)
{
    struct colour_range range = colour_range_new();

    colour_range_add(&range, -9, values, sizeof values / sizeof *values);
    ck_assert_double_eq(range.low, -1);
    ck_assert_double_eq(range.high, 3);
}
END_TEST

START_TEST(masked_values_alone_make_no_range)
{
    const double masked[] = {-9, NAN, -9};
    struct colour_range range = colour_range_new();

    colour_range_add(&range, -9, masked, sizeof masked / sizeof *masked);
    ck_assert(range.low > range.high);
}
END_TEST

START_TEST(values_outside_are_counted_and_masked_ones_are_not)
{
    const struct colour_range range = {0, 2}, all = {-9, 3};

    ck_assert_uint_eq(colour_range_beyond(&range, -9, values, sizeof values / sizeof *values),
                      3);
    ck_assert_uint_eq(colour_range_beyond(&all, NAN, values, sizeof values / sizeof *values),
                      0);
}
END_TEST

SUITE(colour_range, TEST(values_that_are_not_masked_widen_the_range),
      TEST(masked_values_alone_make_no_range),
      TEST(values_outside_are_counted_and_masked_ones_are_not));
