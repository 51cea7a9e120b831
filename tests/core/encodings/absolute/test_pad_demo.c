/* SPDX-License-Identifier: Apache-2.0
 * test_pad_demo.c - borders of convolutions: a law beyond the rows of pad_demo.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* A kernel that is a column times a row has the product of the two responses as its
 * response. */
START_TEST(a_separable_kernel_answers_separably)
{
    double *map = core_query_values(
        "pad-demo", "grid=6x4&kernel_weights=3,-6,9;1,-2,3;2,-4,6;0,0,0;5,-10,15", "response",
        NULL);
    double *down =
        core_query_values("pad-demo", "len=6&kernel_weights=3,1,2,0,5", "response", NULL);
    double *along =
        core_query_values("pad-demo", "len=4&kernel_weights=1,-2,3", "response", NULL);

    for (size_t i = 0; i < 24; i++)
        ck_assert(map[i] == down[i / 4] * along[i % 4]);
    free(map);
    free(down);
    free(along);
}
END_TEST

SUITE(pad_demo, TEST(a_separable_kernel_answers_separably));
