/* SPDX-License-Identifier: Apache-2.0
 * test_softmax_scale.c - scales by rule: a law beyond the rows of softmax_scale.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(deepseek_without_a_temperature_is_the_square_root)
{
    double *plain = core_query_values("softmax-scale", "dim=192&dtype=f64", "scale", NULL);
    double *deep =
        core_query_values("softmax-scale", "rule=deepseek&dim=192&dtype=f64", "scale", NULL);

    ck_assert(plain[0] == deep[0]);
    free(plain);
    free(deep);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(deepseek_without_a_temperature_is_the_square_root),
};

const struct suite softmax_scale_suite = {SUITE_TESTS(tests)};
