/* SPDX-License-Identifier: Apache-2.0
 * test_fire.c - a network of shares of the context: laws beyond the rows of fire.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(every_query_beyond_the_threshold_sees_its_first_key_alike)
{
    double *psi =
        core_query_values("fire", "q=20:90&k=0&l=20&eps=0&out=psi&dtype=f64", "psi", NULL);

    for (int i = 0; i < 70; i++)
        ck_assert(psi[i] == 1);
    free(psi);
}
END_TEST

SUITE(fire, TEST(every_query_beyond_the_threshold_sees_its_first_key_alike));
