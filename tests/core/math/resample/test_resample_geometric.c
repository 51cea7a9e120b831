/* SPDX-License-Identifier: Apache-2.0
 * test_resample_geometric.c - shares of old places in new ones: they add up to 1, mirror, and
 * go to zero with nothing left out. */

#include "core/math/resample/resample_geometric.h"
#include "core/plan/plan.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct resample_geometric sizes[] = {
    {5, 7, false},   {5, 7, true}, {13, 27, false},    {13, 27, true},
    {27, 13, false}, {9, 1, true}, {255, 1023, false},
};

/* Nobody stops these plans. */
static const struct pe_limits no_limits = {.max_elements = 1};

START_TEST(shares_add_up_to_one_and_mirror)
{
    const struct resample_geometric *g = &sizes[_i];
    struct pe_plan *plan =
        core_query_plan(core_query_find("integer"), pe_examples(core_query_find("integer"))[0]);
    struct pe_build build = {.plan = plan, .limits = &no_limits};
    struct resample_axis axis;

    ck_assert(resample_geometric_make(&build, g, &axis));
    ck_assert_uint_eq(axis.stride, g->before);
    for (size_t d = 0; d < g->after; d++) {
        const struct dd *row = axis.weights + d * axis.stride;
        const struct dd *mirror = axis.weights + (g->after - 1 - d) * axis.stride;
        struct dd sum = {-1, 0};

        ck_assert_uint_eq(axis.first[d], 0);
        ck_assert_uint_eq(axis.taps[d], g->before);
        for (size_t i = 0; i < g->before; i++) {
            sum = elementary_add(sum, row[i]);
            ck_assert_double_eq_tol(row[i].hi, mirror[g->before - 1 - i].hi, 1e-15);
        }
        ck_assert_double_eq_tol(sum.hi, 0, 0x1p-80);
    }
    pe_plan_free(plan);
}
END_TEST

START_TEST(the_middle_stays_where_it_is)
{
    struct pe_plan *plan =
        core_query_plan(core_query_find("integer"), pe_examples(core_query_find("integer"))[0]);
    struct pe_build build = {.plan = plan, .limits = &no_limits};
    struct resample_axis axis;

    ck_assert(resample_geometric_make(&build, &sizes[2], &axis));
    for (int near = -1; near <= 1; near++) {
        for (size_t i = 0; i < 13; i++)
            ck_assert_double_eq_tol(axis.weights[(size_t)(13 + near) * 13 + i].hi,
                                    (int)i == 6 + near, 1e-15);
    }
    pe_plan_free(plan);
}
END_TEST

/* From S = 13 places to 27; with few new places the bisection ends at its bound. */
START_TEST(the_quotient_is_where_the_last_place_is_the_last_offset)
{
    ck_assert_double_eq_tol(resample_geometric_growth(&sizes[2]), 1.307619, 5e-7);
    ck_assert_double_eq_tol(resample_geometric_growth(&sizes[4]), 1.01, 1e-6);
    ck_assert_double_eq_tol(resample_geometric_growth(&sizes[0]), 1.5, 1e-6);
}
END_TEST

SUITE(resample_geometric, TEST_EACH(shares_add_up_to_one_and_mirror, sizes),
      TEST(the_middle_stays_where_it_is),
      TEST(the_quotient_is_where_the_last_place_is_the_last_offset));
