/* SPDX-License-Identifier: Apache-2.0
 * test_random_offset.c - a law beyond the rows of random_offset.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* The shifts come from the first units of seed 42, .0838629711 .378980251 .680043411, and no
 * scale. */
START_TEST(cape_moves_all_by_one_shift_and_each_by_a_little)
{
    size_t count;
    double *positions = core_query_values(
        "random-offset",
        "len=2&method=cape&max_global_shift=10&max_local_shift=.5&seed=42&out=positions"
        "&dtype=f64",
        "positions", &count);

    ck_assert_uint_eq(count, 2);
    ck_assert_double_eq_tol(positions[0],
                            10 * (2 * .0838629711 - 1) + .5 * (2 * .378980251 - 1), 1e-8);
    ck_assert_double_eq_tol(positions[1],
                            1 + 10 * (2 * .0838629711 - 1) + .5 * (2 * .680043411 - 1), 1e-8);
    free(positions);
}
END_TEST

/* The unit after the three shifts stretches what lies before it. */
START_TEST(cape_stretches_by_one_scale)
{
    static const char plain[] = "length=3&kind=cape&max_global_shift=10&seed=42&out=positions"
                                "&dtype=f64",
                      stretched[] = "length=3&kind=cape&max_global_shift=10&seed=42"
                                    "&out=positions&dtype=f64&max_scale=4";
    double *before = core_query_values("random-offset", plain, "positions", NULL),
           *after = core_query_values("random-offset", stretched, "positions", NULL);

    for (int i = 1; i < 3; i++)
        ck_assert_double_eq_tol(after[i] / before[i], after[0] / before[0], 1e-15);
    ck_assert(after[0] / before[0] > 0.25 && after[0] / before[0] < 4);
    ck_assert(after[0] != before[0]);
    free(before);
    free(after);
}
END_TEST

SUITE(random_offset, TEST(cape_moves_all_by_one_shift_and_each_by_a_little),
      TEST(cape_stretches_by_one_scale));
