/* SPDX-License-Identifier: Apache-2.0
 * test_four_term_expansion.c - what meets what: a law beyond the rows of
 * four_term_expansion.txt. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(the_output_sum_adds_the_four_terms)
{
    static const char query[] =
        "x=1,2;3,-4;5,6&position_vectors=7,-8;9,10;2,1&wq=1,2;3,4&wk=5,6;7,-8&softmax_scale=3";
    static const char *const names[] = {"xx", "xp", "px", "pp"};
    double *sum = core_query_values("four-term-expansion", query, "sum", NULL);

    for (size_t t = 0; t < PE_LEN(names); t++) {
        double *part = core_query_values("four-term-expansion", query, names[t], NULL);

        for (int i = 0; i < 9; i++)
            sum[i] -= part[i]; /* whole numbers: exact */
        free(part);
    }
    for (int i = 0; i < 9; i++)
        ck_assert(sum[i] == 0);
    free(sum);
}
END_TEST

SUITE(four_term_expansion, TEST(the_output_sum_adds_the_four_terms));
