/* SPDX-License-Identifier: Apache-2.0
 * test_axes_turn.c - rows for the rotating kernel: forth, back, of one head of several, and by
 * other pairs' waves. */
#include <math.h>

#include "core/encoding.h"
#include "core/math/axes/axes_turn.h"
#include "tests/support/suite.h"

enum { PAIRS = 4 };

/* Frequencies 1, 2, 3, 4 of one axis at positions 0, 1, 2, .. */
struct sample {
    struct phase_freq freq[PAIRS];
    unsigned char axis[PAIRS];
    struct rotation_table table;
    struct rotation rotation;
    struct axes axes;
};

static void sample_take(struct sample *s)
{
    *s = (struct sample){.table = {.pairs = PAIRS}};
    for (size_t i = 0; i < PAIRS; i++) {
        struct axes_ladder ladder = axes_ladder_open(0, i, 1, 1, 1, 1);

        ladder.times = (double)(i + 1);
        ck_assert(axes_ladder_build(s->freq, &ladder, 1, NULL));
    }
    s->table.freq = s->freq;
    s->rotation = (struct rotation){.table = &s->table, .amplitude = 1, .zero_position = NAN};
    s->axes = (struct axes){.points = axes_points_grid(1, (const uint64_t[]){9}),
                            .pairs = PAIRS,
                            .rotation = &s->rotation,
                            .axis = s->axis};
}

START_TEST(a_row_has_the_waves_of_its_place)
{
    struct sample s;
    struct axes_turn turn = {.axes = &s.axes, .inverse = _i};
    double cosine[PAIRS], sine[PAIRS];

    sample_take(&s);
    axes_turn_row(&turn, 2, NULL, cosine, sine, NULL);
    ck_assert_uint_eq(axes_turn_memory(&turn), 0);
    for (size_t i = 0; i < PAIRS; i++) {
        ck_assert_double_eq_tol(cosine[i], cos(2.0 * (double)(i + 1)), 1e-15);
        ck_assert_double_eq_tol(sine[i], (_i ? -1 : 1) * sin(2.0 * (double)(i + 1)), 1e-15);
    }
}
END_TEST

START_TEST(a_head_has_its_part_of_the_pairs)
{
    struct sample s;
    struct axes_turn turn = {.axes = &s.axes, .row_heads = 2};
    double cosine[2], sine[2];

    sample_take(&s);
    axes_turn_row(&turn, 3 * 2 + 1, NULL, cosine, sine, NULL); /* place 3, head 1 */
    ck_assert_double_eq_tol(cosine[0], cos(9), 1e-15);
    ck_assert_double_eq_tol(sine[1], sin(12), 1e-15);
}
END_TEST

START_TEST(coordinates_may_take_other_pairs_waves)
{
    static const uint32_t source[2 * PAIRS] = {0, 2, 0, 2, 1, 3, 1, 3};
    struct sample s;
    struct axes_turn turn = {.axes = &s.axes, .source = source};
    double cosine[2 * PAIRS], sine[2 * PAIRS], memory[2 * PAIRS];

    sample_take(&s);
    ck_assert_uint_eq(axes_turn_memory(&turn), sizeof memory);
    axes_turn_row(&turn, 1, NULL, cosine, sine, memory);
    for (size_t i = 0; i < 2 * PAIRS; i++) {
        ck_assert_double_eq_tol(cosine[i], cos((double)(source[i] + 1)), 1e-15);
        ck_assert_double_eq_tol(sine[i], sin((double)(source[i] + 1)), 1e-15);
    }
}
END_TEST

SUITE(axes_turn, TEST_RANGE(a_row_has_the_waves_of_its_place, 0, 2),
      TEST(a_head_has_its_part_of_the_pairs), TEST(coordinates_may_take_other_pairs_waves));
