/* SPDX-License-Identifier: Apache-2.0
 * test_logn.c - the factor of ln(position): a law beyond the rows of logn.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(the_base_of_the_logarithm_cancels)
{
    double *of_pos =
        core_query_values("logn", "pos=63&train_length=8&dtype=f64", "factor", NULL);
    double *of_length =
        core_query_values("logn", "length=64&train_length=8&dtype=f64", "factor", NULL);

    ck_assert(of_pos[0] == 2 && of_length[0] == 2); /* log2: 6 / 3 */
    free(of_pos);
    free(of_length);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(the_base_of_the_logarithm_cancels),
};

const struct suite logn_suite = {SUITE_TESTS(tests)};
