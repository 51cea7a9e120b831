/* SPDX-License-Identifier: Apache-2.0
 * test_four_term_expansion.c - what meets what: worked examples, a law, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"four-term-expansion", "x=1,0;0,1&p=0,1;1,1", "xx", "1 0 0 1"},
    {"four-term-expansion", "x=1,0;0,1&p=0,1;1,1", "xp", "0 1 1 1"},
    {"four-term-expansion", "x=1,0;0,1&p=0,1;1,1", "px", "0 1 1 1"},
    {"four-term-expansion", "x=1,0;0,1&p=0,1;1,1", "pp", "1 1 1 2"},
    {"four-term-expansion", "x=1,0;0,1&p=0,1;1,1", "sum", "2 3 3 5"},
    {"four-term-expansion", "x=1,0;0,1&p=0,1;1,1&scale=0.5", "sum", "1 1.5 1.5 2.5"},
    {"four-term-expansion", "x=1,0;0,1&p=0,1;1,1&wq=1,2,3;4,5,6&wk=1,0,1;0,1,0", "xx",
     "4 2 10 5"},
    {"four-term-expansion", "x=1,0;0,1&p=0,1;1,1&wq=1,2;3,4", "xp", "2 3 4 7"},
    {"four-term-expansion", "x=1,0;0,1&p=0,1;1,1&wk=1,2;3,4", "xp", "3 4 4 6"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints(examples[_i].encoding, examples[_i].query, examples[_i].output,
                      examples[_i].numbers);
}
END_TEST

static const struct {
    const char *encoding;
    struct core_refusal refusal;
} refused[] = {
    {"four-term-expansion",
     {"x=1,0;0,1&p=0,1,2;1,1,2", PE_CONFLICT, "p", "must have the shape of x, 2 rows of 2",
      ""}},
    {"four-term-expansion",
     {"x=1,0;0,1&p=0,1;1,1&wq=1,2", PE_CONFLICT, "wq",
      "must have 2 rows, as x has columns; got 1", ""}},
    {"four-term-expansion",
     {"x=1,0;0,1&p=0,1;1,1&wq=1;2", PE_CONFLICT, "wk", "must have rows as wide as those of wq",
      ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(the_sum_is_the_sum_of_the_four)
{
    static const char query[] = "x=1,2;3,-4;5,6&p=7,-8;9,10;2,1&wq=1,2;3,4&wk=5,6;7,-8&scale=3";
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

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(the_sum_is_the_sum_of_the_four),
};

const struct suite four_term_expansion_suite = {SUITE_TESTS(tests)};
