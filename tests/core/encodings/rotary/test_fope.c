/* SPDX-License-Identifier: Apache-2.0
 * test_fope.c - mixes of frequencies: a law beyond the rows of fope.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(coefficients_of_one_frequency_each_are_plain_rope)
{
    double *plain = core_query_values("rope", "pos=0:50:7&dim=4&dtype=f64", "sin", NULL);
    double *mix = core_query_values(
        "fope", "pos=0:50:7&dim=4&num_inv_freq=2&cos_coef=1,0;0,1&sin_coef=1,0;0,1&dtype=f64",
        "sin", NULL);

    for (size_t i = 0; i < 16; i++)
        ck_assert(plain[i] == mix[i]);
    free(plain);
    free(mix);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(coefficients_of_one_frequency_each_are_plain_rope),
};

const struct suite fope_suite = {SUITE_TESTS(tests)};
