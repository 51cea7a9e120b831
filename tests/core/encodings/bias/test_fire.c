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

START_TEST(a_network_that_passes_psi_on_answers_psi)
{
    double *psi = core_query_values("fire", "len=30&out=psi", "psi", NULL);
    double *bias = core_query_values("fire", "len=30&w1=2&w2=.5", "bias", NULL);

    ck_assert_mem_eq(bias, psi, 900 * sizeof *psi);
    free(psi);
    free(bias);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(every_query_beyond_the_threshold_sees_its_first_key_alike),
    TEST(a_network_that_passes_psi_on_answers_psi),
};

const struct suite fire_suite = {SUITE_TESTS(tests)};
