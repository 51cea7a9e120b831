/* SPDX-License-Identifier: Apache-2.0
 * test_integer.c - worked examples, a law, refusals. */
#include <math.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *query, *output, *numbers;
} known[] = {
    {"length=4", "rows", "0 1 2 3"},
    {"length=3&start=1", "rows", "1 2 3"},
    {"length=3&start=10&step=-2", "rows", "10 8 6"},
    {"length=3&step=0", "rows", "0 0 0"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints("integer", known[_i].query, known[_i].output, known[_i].numbers);
}
END_TEST

START_TEST(neighbours_differ_by_the_step)
{
    size_t count;
    double *rows = core_query_values(
        "integer", "length=100&start=-4503599627370496&step=1099511627776", "rows", &count);

    ck_assert_uint_eq(count, 100);
    for (size_t i = 1; i < count; i++)
        ck_assert_double_eq(rows[i] - rows[i - 1], 1099511627776.0);
    free(rows);
}
END_TEST

static const struct core_refusal refusals[] = {
    {"length=1099511627776&step=1099511627776", PE_OUT_OF_RANGE, "length",
     "must keep start + step * (length - 1) within 2^53", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("integer"), &refusals[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(neighbours_differ_by_the_step),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refusals),
};

const struct suite integer_suite = {SUITE_TESTS(tests)};
