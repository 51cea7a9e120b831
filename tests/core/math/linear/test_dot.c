/* SPDX-License-Identifier: Apache-2.0
 * test_dot.c - inner products: exact where doubles would cancel, and open to infinity. */
#include <math.h>

#include "core/math/linear/dot.h"
#include "tests/support/suite.h"

static const struct dd nothing = {0, 0};

START_TEST(what_cancels_leaves_the_rest)
{
    const double a[] = {0x1p60, 1, -0x1p60, 0x1p-20}, b[] = {0x1p10, 3, 0x1p10, 1};
    struct dd sum = dot_add(nothing, a, b, 4);

    ck_assert(sum.hi + sum.lo == 3 + 0x1p-20);
}
END_TEST

START_TEST(sums_go_on_where_they_ended)
{
    const double a[] = {0x1p53, 1, 1, -0x1p53}, b[] = {1, 1, 1, 1};
    struct dd whole = dot_add(nothing, a, b, 4);
    struct dd parts = dot_add(dot_add(nothing, a, b, 2), a + 2, b + 2, 2);

    ck_assert(whole.hi + whole.lo == 2 && parts.hi + parts.lo == 2);
}
END_TEST

START_TEST(infinite_and_undefined_terms_stay_so)
{
    const double a[] = {INFINITY, 1}, b[] = {2, 1}, c[] = {INFINITY, -INFINITY}, d[] = {1, 1};

    ck_assert(dot_add(nothing, a, b, 2).hi == INFINITY);
    ck_assert(isnan(dot_add(nothing, c, d, 2).hi));
}
END_TEST

SUITE(dot, TEST(what_cancels_leaves_the_rest), TEST(sums_go_on_where_they_ended),
      TEST(infinite_and_undefined_terms_stay_so));
