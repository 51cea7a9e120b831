/* SPDX-License-Identifier: Apache-2.0
 * test_wave_axes.c - angles say the coordinates of rows, the axis of each pair and its
 * frequency, and a ladder through these its base. */
#include "core/verify/sight/wave_axes.h"

#include <math.h>

#include "core/verify/sight/wave_ladder.h"
#include "tests/support/suite.h"

enum { ROWS = 12, PAIRS = 8 };

/* Tables of angles, and what is read of them. */
struct made {
    double cosine[ROWS * PAIRS], sine[ROWS * PAIRS];
    struct wave_tables tables;
    struct wave_axes axes;
    double operations;
    bool failed, read;
};

static struct view view_over(const double *numbers)
{
    const struct pe_verify_tensor tensor = {
        .data = numbers,
        .info = {.dtype = PE_F64, .rank = 2, .dims = {ROWS, PAIRS}}};

    return view_of(&tensor);
}

static void read_angles(struct made *made, double (*angle)(size_t row, size_t pair))
{
    *made = (struct made){.read = false};
    for (size_t i = 0; i < ROWS * PAIRS; i++) {
        made->cosine[i] = cos(angle(i / PAIRS, i % PAIRS));
        made->sine[i] = sin(angle(i / PAIRS, i % PAIRS));
    }
    made->tables = (struct wave_tables){.cosine = view_over(made->cosine),
                                        .sine = view_over(made->sine),
                                        .rows = ROWS,
                                        .cols = PAIRS,
                                        .pairs = PAIRS};
    made->read = wave_axes_read(&made->axes, &made->tables, &made->operations, &made->failed);
}

static double of_a_grid(size_t row, size_t pair)
{
    const double w = pow(10000, -(double)(pair % 4) / 4);

    return w * (double)(pair < 4 ? row / 4 : row % 4);
}

START_TEST(a_grid_has_two_axes_of_one_ladder)
{
    struct wave_ladder ladder;
    struct made made;

    read_angles(&made, of_a_grid);
    ck_assert(made.read && !made.failed && made.operations > 0);
    ck_assert_uint_eq(made.axes.count, 2);
    const int rows = made.axes.axis[0], cols = made.axes.axis[4];
    ck_assert_int_ne(rows, cols);
    for (size_t row = 0; row < ROWS; row++) {
        ck_assert_double_eq(made.axes.at[rows][row], (double)(row / 4));
        ck_assert_double_eq(made.axes.at[cols][row], (double)(row % 4));
    }
    ck_assert(wave_ladder_fit(&ladder, &made.axes, rows, 1e-6));
    ck_assert_double_eq_tol(wave_ladder_base(&ladder, 4), 10000, 1e-3);
    ck_assert_double_eq_tol(ladder.height, 0, 1e-6);
    ck_assert(!wave_ladder_fit(&ladder, &made.axes, -1, 1e-6));
    wave_axes_fini(&made.axes);
}
END_TEST

static double of_even_places(size_t row, size_t pair)
{
    return pow(10000, -(double)pair / PAIRS) * 2 * (double)row;
}

START_TEST(a_ladder_that_begins_at_two_doubles_the_coordinates)
{
    struct wave_ladder ladder;
    struct made made;

    read_angles(&made, of_even_places);
    ck_assert(made.read);
    ck_assert_uint_eq(made.axes.count, 1);
    ck_assert(wave_ladder_fit(&ladder, &made.axes, 0, 1e-6));
    wave_axes_stretch(&made.axes, 0, ladder.height);
    for (size_t row = 0; row < ROWS; row++)
        ck_assert_double_eq(made.axes.at[0][row], 2 * (double)row);
    wave_axes_fini(&made.axes);
}
END_TEST

static double of_far_rows(size_t row, size_t pair)
{
    static const double at[ROWS] = {0, 10, 250, 999, 3, 70, 71, 512, 400, 20, 8, 640};

    return pow(10000, -(double)pair / PAIRS) * at[row];
}

static double of_half_steps(size_t row, size_t pair)
{
    return pow(100, -(double)pair / PAIRS) * sqrt((double)row);
}

START_TEST(far_rows_have_one_axis_and_roots_have_none)
{
    struct made made;

    read_angles(&made, of_far_rows);
    ck_assert(made.read);
    ck_assert_double_eq(made.axes.at[0][3], 999);
    ck_assert_double_eq(made.axes.at[0][6], 71);
    wave_axes_fini(&made.axes);
    read_angles(&made, of_half_steps);
    ck_assert(!made.read);
    wave_axes_fini(&made.axes);
}
END_TEST

SUITE(wave_axes, TEST(a_grid_has_two_axes_of_one_ladder),
      TEST(a_ladder_that_begins_at_two_doubles_the_coordinates),
      TEST(far_rows_have_one_axis_and_roots_have_none));
