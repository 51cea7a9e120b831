/* SPDX-License-Identifier: Apache-2.0
 * test_forgetting.c - sums of gates: laws beyond the rows of forgetting.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(equal_gates_are_a_slope)
{
    double *bias =
        core_query_values("forgetting", "gates=-.5,-.5,-.5,-.5,-.5,-.5", "bias", NULL);
    double *line = core_query_values("alibi", "heads=1&slopes=.5&len=6&causal=1", "bias", NULL);

    ck_assert_mem_eq(bias, line, 36 * sizeof *line);
    free(bias);
    free(line);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(equal_gates_are_a_slope),
};

const struct suite forgetting_suite = {SUITE_TESTS(tests)};
