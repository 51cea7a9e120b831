/* SPDX-License-Identifier: Apache-2.0
 * test_nope.c - a law beyond the rows of nope.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(a_rotation_by_nope_changes_nothing)
{
    size_t count;
    double *cosine = core_query_values("nope", "pos=-7:9&dim=64&out=cos,sin", "cos", &count),
           *sine = core_query_values("nope", "pos=-7:9&dim=64&out=cos,sin", "sin", NULL);

    for (size_t i = 0; i < count; i++) {
        double a = (double)i, b = -1.5;

        ck_assert_double_eq(a * cosine[i] - b * sine[i], a);
        ck_assert_double_eq(a * sine[i] + b * cosine[i], b);
    }
    free(cosine);
    free(sine);
}
END_TEST

SUITE(nope, TEST(a_rotation_by_nope_changes_nothing));
