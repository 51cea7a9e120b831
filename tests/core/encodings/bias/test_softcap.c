/* SPDX-License-Identifier: Apache-2.0
 * test_softcap.c - tanh caps: a law beyond the rows of softcap.txt. */
#include <math.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(results_keep_order_and_sign_below_the_cap)
{
    size_t count;
    double *values = core_query_values(
        "softcap", "scores=-9,-1,-1e-9,0,1e-9,1,9&cap=2&dtype=f64", "capped", &count);

    for (size_t i = 0; i < count; i++) {
        ck_assert(fabs(values[i]) < 2 && values[i] == -values[count - 1 - i]);
        ck_assert(i == 0 || values[i] > values[i - 1]);
    }
    free(values);
}
END_TEST

SUITE(softcap, TEST(results_keep_order_and_sign_below_the_cap));
