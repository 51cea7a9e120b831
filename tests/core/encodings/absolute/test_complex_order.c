/* SPDX-License-Identifier: Apache-2.0
 * test_complex_order.c - complex words: a law beyond the rows of complex_order.txt. */
#include <math.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* f(k) conj(f(k + n)) does not depend on k. */
START_TEST(products_with_the_conjugate_depend_on_the_distance_alone)
{
    enum { ROWS = 40, DISTANCE = 7 };
    double *rows = core_query_values("complex-order", "pos=0:40&r=1.5&w=.3&theta=1&dtype=f64",
                                     "rows", NULL);

    for (size_t k = 0; k + DISTANCE < ROWS; k++) {
        const double *near = rows + 2 * k, *far = near + 2 * (size_t)DISTANCE;

        ck_assert_double_eq_tol(near[0] * far[0] + near[1] * far[1], 2.25 * cos(2.1), 1e-14);
        ck_assert_double_eq_tol(near[1] * far[0] - near[0] * far[1], -2.25 * sin(2.1), 1e-14);
    }
    free(rows);
}
END_TEST

START_TEST(a_word_has_the_row_that_it_has_alone)
{
    double *words = core_query_values(
        "complex-order", "pos=9,1e15&token_ids=2,0&r=1,2;3,4;5,6&w=.1,.2;1,2;-3,.7&theta=1,2",
        "rows", NULL);
    double *third =
        core_query_values("complex-order", "pos=9&r=5,6&w=-3,.7&theta=1,2", "rows", NULL);
    double *first =
        core_query_values("complex-order", "pos=1e15&r=1,2&w=.1,.2&theta=1,2", "rows", NULL);

    for (size_t i = 0; i < 4; i++)
        ck_assert(words[i] == third[i] && words[4 + i] == first[i]);
    free(words);
    free(third);
    free(first);
}
END_TEST

SUITE(complex_order, TEST(products_with_the_conjugate_depend_on_the_distance_alone),
      TEST(a_word_has_the_row_that_it_has_alone));
