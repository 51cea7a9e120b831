/* SPDX-License-Identifier: Apache-2.0
 * test_cope.c - positions counted by gates: laws beyond the rows of cope.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(open_gates_count_tokens)
{
    double *positions =
        core_query_values("cope", "logits=99,99,99,99,99&out=positions", "positions", NULL);

    for (int j = 0; j < 5; j++)
        ck_assert(positions[j] == 5 - j);
    free(positions);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(open_gates_count_tokens),
};

const struct suite cope_suite = {SUITE_TESTS(tests)};
