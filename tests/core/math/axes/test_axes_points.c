/* SPDX-License-Identifier: Apache-2.0
 * test_axes_points.c - coordinates of rows: grids, blocks, several grids, matrices, tokens
 * before and after. */
#include <math.h>

#include "core/encoding.h"
#include "core/math/axes/axes.h"
#include "tests/support/suite.h"

static void expect(const struct axes_points *points, uint64_t row, double first, double second)
{
    struct axes_place place;

    axes_points_at(points, row, &place);
    ck_assert_msg(place.number[0] == first && place.number[1] == second,
                  "row %d: %g %g, not %g %g", (int)row, place.number[0], place.number[1], first,
                  second);
}

START_TEST(a_grid_runs_row_by_row)
{
    struct axes_points points = axes_points_grid(2, (const uint64_t[]){2, 3});

    ck_assert_uint_eq(points.rows, 6);
    for (uint64_t row = 0; row < 6; row++)
        expect(&points, row, (double)(row / 3), (double)(row % 3));
    points.first[1] = -4;
    points.step[1] = 2;
    expect(&points, 5, 1, 0);
}
END_TEST

START_TEST(a_number_and_its_rest_are_first_and_steps_without_rounding)
{
    struct axes_points points = axes_points_grid(1, (const uint64_t[]){4});
    struct axes_place place;

    ck_assert(axes_points_are_whole(&points));
    points.first[0] = 0x1p-60;
    points.first_rest[0] = 0x1p-120;
    points.step[0] = 3;
    ck_assert(!axes_points_are_whole(&points));
    axes_points_at(&points, 2, &place);
    ck_assert_double_eq(place.number[0], 6);
    ck_assert_double_eq(place.rest[0], 0x1p-60); /* 2^-120 is below its last bit */
    points.first[0] = -3;
    points.first_rest[0] = 0x1p-60;
    axes_points_at(&points, 1, &place);
    ck_assert_double_eq(place.number[0], 0x1p-60);
    ck_assert_double_eq(place.rest[0], 0);
}
END_TEST

START_TEST(tokens_before_and_after_a_grid_stand_at_zero)
{
    struct axes_points points = axes_points_grid(2, (const uint64_t[]){2, 2});

    points.first[0] = points.first[1] = 1;
    points.before = 2;
    points.rows = 7;
    expect(&points, 0, 0, 0);
    expect(&points, 1, 0, 0);
    expect(&points, 2, 1, 1);
    expect(&points, 5, 2, 2);
    expect(&points, 6, 0, 0);
}
END_TEST

START_TEST(blocks_come_before_rows_where_patches_are_merged)
{
    static const double want[16][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 2}, {0, 3},
                                       {1, 2}, {1, 3}, {2, 0}, {2, 1}, {3, 0}, {3, 1},
                                       {2, 2}, {2, 3}, {3, 2}, {3, 3}};
    struct axes_points points = axes_points_grid(2, (const uint64_t[]){4, 4});

    points.merge = 2;
    for (uint64_t row = 0; row < 16; row++)
        expect(&points, row, want[row][0], want[row][1]);
}
END_TEST

START_TEST(several_grids_follow_one_another_frame_by_frame)
{
    const double sides[6] = {2, 1, 2, 1, 2, 1}; /* t,h,w of two */
    const struct pe_reals grids = {sides, 2, 3};
    struct axes_points points = axes_points_none(2);

    points.grids = &grids;
    points.rows = 6;
    expect(&points, 1, 0, 1);
    expect(&points, 2, 0, 0);
    expect(&points, 3, 0, 1);
    expect(&points, 4, 0, 0);
    expect(&points, 5, 1, 0);
}
END_TEST

START_TEST(rows_of_a_matrix_are_read_as_they_are)
{
    const double numbers[4] = {1.5, -2, 7, 0};
    const struct pe_reals ids = {numbers, 2, 2};
    struct axes_points points = axes_points_none(2);

    points.ids = &ids;
    points.rows = 2;
    expect(&points, 0, 1.5, -2);
    expect(&points, 1, 7, 0);
}
END_TEST

static void compute(const void *context, uint64_t row, double *numbers)
{
    numbers[0] = (double)row;
    numbers[1] = *(const double *)context;
}

START_TEST(numbers_may_be_computed)
{
    const double context = 2.5;
    struct axes_points points = axes_points_none(2);

    points.compute = compute;
    points.context = &context;
    points.rows = 9;
    points.before = 1;
    expect(&points, 0, 0, 0);
    expect(&points, 8, 7, 2.5);
}
END_TEST

START_TEST(a_scale_is_a_fraction_times_a_root)
{
    struct axes_points points = axes_points_none(2);

    points.scale[1] = (struct axes_scale){3, 4, 1, 1};
    ck_assert_double_eq(axes_points_scaled(&points, 0, 5), 5);
    ck_assert_double_eq(axes_points_scaled(&points, 1, 8), 6);
    points.scale[1].root = 16;
    ck_assert_double_eq(axes_points_scaled(&points, 1, 8), 24);
}
END_TEST

START_TEST(a_grid_too_large_to_count_says_so)
{
    const struct axes_points points =
        axes_points_grid(3, (const uint64_t[]){UINT64_C(1) << 40, UINT64_C(1) << 40, 2});

    ck_assert_uint_eq(points.rows, UINT64_MAX);
}
END_TEST

SUITE(axes_points, TEST(a_number_and_its_rest_are_first_and_steps_without_rounding),
      TEST(a_grid_runs_row_by_row), TEST(tokens_before_and_after_a_grid_stand_at_zero),
      TEST(blocks_come_before_rows_where_patches_are_merged),
      TEST(several_grids_follow_one_another_frame_by_frame),
      TEST(rows_of_a_matrix_are_read_as_they_are), TEST(numbers_may_be_computed),
      TEST(a_scale_is_a_fraction_times_a_root), TEST(a_grid_too_large_to_count_says_so));
