/* SPDX-License-Identifier: Apache-2.0
 * test_one_hot.c - worked examples, a law, refusals. */
#include <math.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *query, *output, *numbers;
} known[] = {
    {"pos=2&size=4", "rows", "0 0 1 0"},
    {"pos=-1,9&size=3&overflow=clip", "rows", "1 0 0 0 0 1"},
    {"pos=-1,5&size=4&overflow=modulo", "rows", "0 0 0 1 0 1 0 0"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints("one-hot", known[_i].query, known[_i].output, known[_i].numbers);
}
END_TEST

START_TEST(a_row_times_a_table_is_a_row_of_the_table)
{
    size_t count;
    double *rows = core_query_values("one-hot", "pos=3,0,7,7&size=8", "rows", &count);
    const double wanted[] = {3, 0, 7, 7};

    ck_assert_uint_eq(count, 32);
    for (size_t r = 0; r < 4; r++) {
        double sum = 0, ones = 0;

        for (size_t c = 0; c < 8; c++) {
            sum += rows[8 * r + c] * (double)c; /* the table of its own indices */
            ones += rows[8 * r + c];
        }
        ck_assert_double_eq(sum, wanted[r]);
        ck_assert_double_eq(ones, 1);
    }
    free(rows);
}
END_TEST

static const struct core_refusal refusals[] = {
    {"pos=4&size=4", PE_OUT_OF_RANGE, "pos",
     "must lie in 0:4, the columns, or give overflow=clip or modulo; got 4", ""},
    {"pos=-1:2&size=4", PE_OUT_OF_RANGE, "pos",
     "must lie in 0:4, the columns, or give overflow=clip or modulo; got -1", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("one-hot"), &refusals[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(a_row_times_a_table_is_a_row_of_the_table),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refusals),
};

const struct suite one_hot_suite = {SUITE_TESTS(tests)};
