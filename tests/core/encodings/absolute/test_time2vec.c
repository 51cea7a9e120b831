/* SPDX-License-Identifier: Apache-2.0
 * test_time2vec.c - a line and waves: a law beyond the rows of time2vec.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* sin(w (t + 1)) = sin(w t + w) where w is exact. */
START_TEST(a_phase_is_a_later_time)
{
    double *phase =
        core_query_values("time2vec", "pos=0:20&w=1,.5&phi=0,.5&dtype=f64", "rows", NULL);
    double *later =
        core_query_values("time2vec", "pos=1:21&w=1,.5&phi=0,0&dtype=f64", "rows", NULL);

    for (size_t row = 0; row < 20; row++)
        ck_assert_double_eq_tol(phase[2 * row + 1], later[2 * row + 1], 0x1p-52);
    free(phase);
    free(later);
}
END_TEST

SUITE(time2vec, TEST(a_phase_is_a_later_time));
