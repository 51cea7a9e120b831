/* SPDX-License-Identifier: Apache-2.0
 * test_kerple.c - kernels of the distance: laws beyond the rows of kerple.txt. */
#include <math.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(weights_are_exponentials_of_the_powers)
{
    double *power = core_query_values("kerple", "len=50&a=.03,.2&p=.7,2&kernel=power&dtype=f64",
                                      "bias", NULL);
    double *weight = core_query_values("kerple", "len=50&a=.03,.2&p=.7,2&out=weight&dtype=f64",
                                       "weight", NULL);

    for (int i = 0; i < 2 * 50 * 50; i++)
        ck_assert(fabs(weight[i] - exp(power[i])) <= 0x1p-42 * weight[i]);
    free(power);
    free(weight);
}
END_TEST

START_TEST(a_large_exponent_of_log_is_a_factor)
{
    double *once = core_query_values("kerple", "len=9&a=2&p=1&dtype=f64", "bias", NULL);
    double *more = core_query_values("kerple", "len=9&a=2&p=1024&dtype=f64", "bias", NULL);

    for (int i = 0; i < 81; i++)
        ck_assert(more[i] == 1024 * once[i]);
    free(once);
    free(more);
}
END_TEST

SUITE(kerple, TEST(weights_are_exponentials_of_the_powers),
      TEST(a_large_exponent_of_log_is_a_factor));
