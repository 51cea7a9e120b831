/* SPDX-License-Identifier: Apache-2.0
 * test_dot_lanes.c - inner products side by side: the bits of dot.h on every CPU path. */
#include <math.h>
#include <string.h>

#include "core/encoding.h"
#include "core/math/linear/dot.h"
#include "core/math/linear/dot_lanes.h"
#include "tests/support/suite.h"

enum { COUNT = 37 };

static double a[COUNT * DOT_LANES], b[COUNT * DOT_LANES];

/* Numbers that cancel and differ in size; of few bits, if they are to be short. */
static void draw(bool short_factors)
{
    for (int i = 0; i < COUNT * DOT_LANES; i++) {
        a[i] = ldexp(i * 7919 % 1013 - 506, i % 23 - 11);
        b[i] = ldexp(i * 104729 % 997 - 498, i % 17 - 8);
        if (!short_factors) {
            a[i] /= 3;
            b[i] /= 7;
        }
    }
}

static struct dd alone(size_t lane, bool own)
{
    double as[COUNT], bs[COUNT];

    for (size_t i = 0; i < COUNT; i++) {
        as[i] = own ? a[i * DOT_LANES + lane] : a[i];
        bs[i] = b[i * DOT_LANES + lane];
    }
    return dot_add((struct dd){0.25, 0}, as, bs, COUNT);
}

/* In two runs, as a caller may. */
static struct dd together(size_t lane, bool own, bool short_factors)
{
    const size_t first = 11;
    struct dot_lanes sums = {0};
    struct dot_lanes_run run = {a, b, first, own, short_factors};

    for (size_t l = 0; l < DOT_LANES; l++)
        sums.high[l] = 0.25;
    dot_lanes_add(&sums, &run);
    run.a += own ? first * DOT_LANES : first;
    run.b += first * DOT_LANES;
    run.count = COUNT - first;
    dot_lanes_add(&sums, &run);
    return dot_lanes_sum(&sums, lane);
}

static void compare(bool own, bool short_factors)
{
    draw(short_factors);
    for (size_t lane = 0; lane < DOT_LANES; lane++) {
        const struct dd right = alone(lane, own), got = together(lane, own, short_factors);

        ck_assert(got.hi == right.hi && got.lo == right.lo);
        ck_assert(right.lo != 0 || short_factors);
    }
}

START_TEST(every_lane_is_the_inner_product_alone_to_the_last_bit)
{
    const size_t path = pe_cpu_path();

    for (size_t i = 0; i < pe_cpu_path_count(); i++)
        if (pe_cpu_path_set(i))
            compare(_i & 1, _i & 2);
    pe_cpu_path_set(path);
}
END_TEST

START_TEST(infinite_and_undefined_lanes_stay_so_alone)
{
    struct dot_lanes sums = {0};
    double factors[DOT_LANES] = {2, -2, 0, 1, 1, 1, 1, 1};
    const double infinite = INFINITY;
    const struct dot_lanes_run run = {&infinite, factors, 1, false, true};

    dot_lanes_add(&sums, &run);
    ck_assert(dot_lanes_sum(&sums, 0).hi == INFINITY);
    ck_assert(dot_lanes_sum(&sums, 1).hi == -INFINITY);
    ck_assert(isnan(dot_lanes_sum(&sums, 2).hi));
    memset(&sums, 0, sizeof sums);
    ck_assert(dot_lanes_sum(&sums, 0).hi == 0);
}
END_TEST

SUITE(dot_lanes, TEST_RANGE(every_lane_is_the_inner_product_alone_to_the_last_bit, 0, 4),
      TEST(infinite_and_undefined_lanes_stay_so_alone));
