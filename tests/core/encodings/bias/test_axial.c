/* SPDX-License-Identifier: Apache-2.0
 * test_axial.c - products along two axes: a law beyond the rows of axial.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(axial_and_decomposed_indices_run_opposite_ways)
{
    double *axial = core_query_values("axial-relative-logits", "grid=3x5", "index_w", NULL);
    double *decomposed = core_query_values("decomposed-relpos", "q_grid=3x5", "index_w", NULL);

    for (int i = 0; i < 25; i++)
        ck_assert(axial[i] + decomposed[i] == 8);
    free(axial);
    free(decomposed);
}
END_TEST

SUITE(axial, TEST(axial_and_decomposed_indices_run_opposite_ways));
