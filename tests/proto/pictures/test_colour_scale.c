/* SPDX-License-Identifier: Apache-2.0
 * test_colour_scale.c - compares the steps of values with steps that are written down here. */
#include <float.h>
#include <math.h>

#include "proto/pictures/colour_scale.h"
#include "tests/support/suite.h"

enum { LAST = COLOUR_MAP_STEPS - 1, MIDDLE = LAST / 2 };
#define MASKED_NUMBER -65504.0

static const struct {
    enum colour_map_id map;
    double low, high, value;
    unsigned step;
} steps[] = {
    {COLOUR_MAP_VIRIDIS, 2, 4, 2, 0},
    {COLOUR_MAP_VIRIDIS, 2, 4, 3, MIDDLE},
    {COLOUR_MAP_VIRIDIS, 2, 4, 4, LAST},
    /* Beyond the range. */
    {COLOUR_MAP_VIRIDIS, 2, 4, 1, 0},
    {COLOUR_MAP_GREY, 2, 4, 5, LAST},
    {COLOUR_MAP_DIVERGING, -2, 1, 2, MIDDLE + MIDDLE / 2},
    {COLOUR_MAP_DIVERGING, -1, 2, -2, MIDDLE / 2},
    {COLOUR_MAP_DIVERGING, 1, 2, 0.5, MIDDLE + MIDDLE / 2},
    /* Both signs, and one sign. */
    {COLOUR_MAP_DIVERGING, -2, 1, -2, 0},
    {COLOUR_MAP_DIVERGING, -2, 1, 0, MIDDLE},
    {COLOUR_MAP_DIVERGING, 0, 2, 0, MIDDLE},
    {COLOUR_MAP_DIVERGING, 0, 2, 2, LAST},
    {COLOUR_MAP_DIVERGING, -2, 0, 0, MIDDLE},
    {COLOUR_MAP_DIVERGING, -2, 0, -2, 0},
    {COLOUR_MAP_DIVERGING, -2, -1, -1, MIDDLE / 2},
    /* One value, no value, and ranges that are as long or as short as can be. */
    {COLOUR_MAP_VIRIDIS, 3, 3, 3, 0},
    {COLOUR_MAP_DIVERGING, 0, 0, 0, MIDDLE},
    {COLOUR_MAP_VIRIDIS, INFINITY, -INFINITY, NAN, COLOUR_MASKED},
    {COLOUR_MAP_VIRIDIS, -DBL_MAX, DBL_MAX, DBL_MAX, LAST},
    {COLOUR_MAP_DIVERGING, -DBL_MAX, DBL_MAX, 0, MIDDLE},
    {COLOUR_MAP_VIRIDIS, 0, DBL_TRUE_MIN, 0, 0},
    {COLOUR_MAP_VIRIDIS, 0, DBL_TRUE_MIN, DBL_TRUE_MIN, 0},
    /* No value of the scale. */
    {COLOUR_MAP_VIRIDIS, 2, 4, NAN, COLOUR_MASKED},
    {COLOUR_MAP_VIRIDIS, 2, 4, INFINITY, COLOUR_MASKED},
    {COLOUR_MAP_DIVERGING, -2, 4, -INFINITY, COLOUR_MASKED},
    {COLOUR_MAP_DIVERGING, -1e9, 4, MASKED_NUMBER, COLOUR_MASKED},
    {COLOUR_MAP_MASK, 0, 1, NAN, COLOUR_MASKED},
    /* Truth values have no range. */
    {COLOUR_MAP_MASK, 0, 1, 0, 0},
    {COLOUR_MAP_MASK, 0, 1, -0.0, 0},
    {COLOUR_MAP_MASK, 0, 1, 1, LAST},
    {COLOUR_MAP_MASK, 0, 1, -0.25, LAST},
};

START_TEST(a_value_has_its_step)
{
    const struct colour_range range = {steps[_i].low, steps[_i].high};
    const struct colour_scale scale =
        colour_scale_new(colour_map_at(steps[_i].map), &range, MASKED_NUMBER);
    unsigned char index;

    colour_scale_indices(&scale, &steps[_i].value, 1, &index);
    ck_assert_uint_eq(index, steps[_i].step);
}
END_TEST

SUITE(colour_scale, TEST_EACH(a_value_has_its_step, steps));
