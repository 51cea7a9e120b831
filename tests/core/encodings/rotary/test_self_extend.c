/* SPDX-License-Identifier: Apache-2.0
 * test_self_extend.c - grouped attention: laws beyond the rows of self_extend.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(groups_of_one_are_plain_distances)
{
    double *values =
        core_query_values("self-extend", "len=12&group=1&window=4", "distance", NULL);

    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++)
            ck_assert(values[12 * i + j] == i - j);
    free(values);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(groups_of_one_are_plain_distances),
};

const struct suite self_extend_suite = {SUITE_TESTS(tests)};
