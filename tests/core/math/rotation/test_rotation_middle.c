/* SPDX-License-Identifier: Apache-2.0
 * test_rotation_middle.c - a row is marked where a value is so near to the middle of two
 * numbers that a difference in its last places makes the number other. */
#include <math.h>

#include "core/math/rotation/rotation_kernel.h"
#include "tests/support/suite.h"

enum { COUNT = 45 };
#define APART 0x1.2p-49
#define NEAR 0x1p-12f

static const struct {
    enum pe_dtype dtype;
    double middle;
} middles[] = {
    {PE_F32, 1 + 0x1p-24},        {PE_F32, -(0.5 + 0x1p-25)},   {PE_F32, NEAR + 0x1.8p-35},
    {PE_F32, 0.7499999701976776}, {PE_F16, 1 + 0x1p-11},        {PE_F16, -(0x1p-11 + 0x1p-22)},
    {PE_BF16, 1 + 0x1p-8},        {PE_BF16, -(0.25 + 0x1p-10)},
};

/* Whether the row is marked whose values are 0.3, but for one: the values are the fine rows,
 * since the weights are 1 and 0. */
static bool is_marked(enum pe_dtype dtype, enum rotation_layout layout, enum rotation_turn turn,
                      bool second, size_t at, double value)
{
    static const double zeros[COUNT];
    static float out[2][2 * COUNT];
    double ones[COUNT], minus[COUNT], waves[2][COUNT];
    const bool plus = turn != ROTATION_MINUS_QUARTER;
    uint8_t marked = false;

    for (size_t j = 0; j < COUNT; j++) {
        ones[j] = 1;
        minus[j] = -1;
        waves[0][j] = waves[1][j] = 0.3;
    }
    waves[second][at] = second && !plus ? -value : value;
    rotation_kernel(&(struct rotation_job){
        .dtype = dtype,
        .layout = layout,
        .turn = turn,
        .weights = {{ones, zeros}, {zeros, plus ? ones : minus}},
        .fine_cos = waves[0],
        .fine_sin = waves[1],
        .rows = 1,
        .count = COUNT,
        .out = {out[0], out[1]},
        .near = NEAR,
        .apart = APART,
        .marked = &marked,
    });
    return marked;
}

START_TEST(a_value_near_a_middle_marks_its_row)
{
    static const enum rotation_layout layouts[] = {ROTATION_PLAIN, ROTATION_TWO,
                                                   ROTATION_ALTERNATING};
    const enum pe_dtype dtype = middles[_i].dtype;
    const double middle = middles[_i].middle;
    const size_t used = pe_cpu_path();

    ck_assert_float_ne(rotation_kernel_round(dtype, middle - APART),
                       rotation_kernel_round(dtype, middle + APART));
    for (size_t path = 0; path < pe_cpu_path_count(); path++) {
        if (!pe_cpu_path_set(path))
            continue;
        for (size_t l = 0; l < 3; l++)
            for (int turn = ROTATION_ANY; turn <= ROTATION_MINUS_QUARTER; turn++)
                for (size_t at = 0; at < 2 * COUNT; at++) {
                    const bool second = at >= COUNT && layouts[l] != ROTATION_PLAIN;
                    const enum rotation_turn by = (enum rotation_turn)turn;

                    for (int off = -7; off <= 7; off++)
                        ck_assert(is_marked(dtype, layouts[l], by, second, at % COUNT,
                                            middle + off * APART / 8));
                    ck_assert(is_marked(dtype, layouts[l], by, second, at % COUNT, NEAR / 2));
                    ck_assert(
                        !is_marked(dtype, layouts[l], by, second, at % COUNT,
                                   middle + 0.01 * fabs(middle) / (dtype == PE_F32 ? 1e6 : 1)));
                }
    }
    ck_assert(pe_cpu_path_set(used));
}
END_TEST

SUITE(rotation_middle, TEST_EACH(a_value_near_a_middle_marks_its_row, middles));
