/* SPDX-License-Identifier: Apache-2.0
 * test_axes_columns.c - columns of waves and coordinates: what each shows, blank rows, blocks,
 * and maps, against the waves themselves. */
#include <math.h>

#include "core/math/axes/axes_columns.h"
#include "tests/support/suite.h"

/* Six points of a grid; pair 0 turns by the row, pair 1 by the column, w = 1 and 1/10. */
struct sample {
    struct phase_freq freq[2];
    struct rotation_table table;
    struct rotation rotation;
    struct axes_columns columns;
};

static const unsigned char axis_of_pair[] = {0, 1};
static const struct axes_column five[] = {{AXES_WAVE_SIN, 0},    {AXES_WAVE_COS, 1},
                                          {AXES_WAVE_ZERO, 0},   {AXES_WAVE_ANGLE, 1},
                                          {AXES_WAVE_NUMBER, 1}, {AXES_WAVE_SIN, 1}};

static void take_sample(struct sample *s)
{
    static const uint64_t sides[] = {2, 3};
    struct axes_ladder ladders[2] = {axes_ladder_open(0, 0, 1, 1, 10, 1),
                                     axes_ladder_open(1, 1, 1, 1, 10, 1)};

    ladders[1].divisor = 10;
    *s = (struct sample){.columns = {.cols = 6, .blocks = 1, .column = five}};
    s->columns.axes =
        (struct axes){.points = axes_points_grid(2, sides), .pairs = 2, .axis = axis_of_pair};
    ck_assert(axes_ladder_build(s->freq, ladders, 2, s->columns.axes.points.scale));
    s->table = (struct rotation_table){.pairs = 2, .freq = s->freq};
    s->rotation = (struct rotation){.table = &s->table, .amplitude = 1, .zero_position = NAN};
    s->columns.axes.rotation = &s->rotation;
}

static void fill(const struct sample *s, uint64_t row, uint64_t rows, uint64_t col,
                 uint64_t cols, double *out)
{
    const struct pe_rect rect = {row, rows, col, cols};
    double *const slots[] = {out};
    double scratch[4];

    ck_assert_uint_le(axes_columns_filler.scratch(&s->columns, rows * cols), sizeof scratch);
    axes_columns_filler.reference(&s->columns, &rect, slots, NULL, scratch);
}

/* Returns what column c shows of the point (y, x). */
static double shown(size_t c, double y, double x)
{
    const double values[] = {sin(y), cos(x / 10), 0, x / 10, x, sin(x / 10)};

    return values[c];
}

START_TEST(columns_show_what_they_say)
{
    struct sample s;
    double out[36];

    take_sample(&s);
    fill(&s, 0, 6, 0, 6, out);
    for (size_t i = 0; i < 36; i++)
        ck_assert_double_eq_tol(out[i], shown(i % 6, (double)(i / 6 / 3), (double)(i / 6 % 3)),
                                1e-15);
}
END_TEST

START_TEST(amplitudes_belong_to_columns_and_blank_rows_come_first)
{
    static const double amplitude[] = {2, -1, 5, .5, 3, 0};
    struct sample s;
    double out[18];

    take_sample(&s);
    s.columns.amplitude = amplitude;
    s.columns.blank = 2;
    fill(&s, 1, 3, 0, 6, out);
    for (size_t i = 0; i < 6; i++) {
        ck_assert(out[i] == 0);
        ck_assert_double_eq_tol(out[12 + i], amplitude[i] * shown(i, 0, 1), 1e-15);
    }
}
END_TEST

START_TEST(blocks_are_rows_of_one_point)
{
    struct sample s;
    double whole[36], blocks[36];

    take_sample(&s);
    fill(&s, 0, 6, 0, 6, whole);
    s.columns.cols = 2;
    s.columns.blocks = 3;
    fill(&s, 0, 18, 0, 2, blocks);
    for (size_t i = 0; i < 36; i++)
        ck_assert(whole[i] == blocks[i]);
}
END_TEST

START_TEST(maps_are_rows_with_channels_first)
{
    struct sample s;
    double rows[36], map[36], part[4];

    take_sample(&s);
    fill(&s, 0, 6, 0, 6, rows);
    s.columns.width = 3;
    fill(&s, 0, 12, 0, 3, map);
    for (size_t i = 0; i < 36; i++)
        ck_assert(map[i] == rows[i % 6 * 6 + i / 6]);
    fill(&s, 3, 2, 1, 2, part);
    ck_assert(part[0] == map[10] && part[1] == map[11] && part[2] == map[13] &&
              part[3] == map[14]);
}
END_TEST

START_TEST(puts_count_on_from_an_index)
{
    struct axes_column column[6] = {{AXES_WAVE_ZERO, 0}};

    axes_columns_put(column, 1, 2, AXES_WAVE_COS, 7, 3);
    for (size_t i = 0; i < 6; i++) {
        ck_assert_int_eq(column[i].wave, i % 2 ? AXES_WAVE_COS : AXES_WAVE_ZERO);
        ck_assert_uint_eq(column[i].index, i % 2 ? 7 + i / 2 : 0);
    }
}
END_TEST

SUITE(axes_columns, TEST(columns_show_what_they_say),
      TEST(amplitudes_belong_to_columns_and_blank_rows_come_first),
      TEST(blocks_are_rows_of_one_point), TEST(maps_are_rows_with_channels_first),
      TEST(puts_count_on_from_an_index));
