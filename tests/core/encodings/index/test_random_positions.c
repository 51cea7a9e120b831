/* SPDX-License-Identifier: Apache-2.0
 * test_random_positions.c - worked examples, a law, refusals. */
#include <math.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *query, *output, *numbers;
} known[] = {
    {"length=4&max_position=16&seed=42", "ids", "1 2 8 14"},
    {"length=4&max_position=16", "ids", "5 12 13 15"},
    {"length=5&max_position=5&seed=7", "ids", "0 1 2 3 4"},
    {"length=0&max_position=5", "ids", ""},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints("random-positions", known[_i].query, known[_i].output, known[_i].numbers);
}
END_TEST

START_TEST(positions_grow_and_stay_below_the_bound)
{
    size_t count;
    double *ids = core_query_values(
        "random-positions", "length=1000&max_position=9007199254740992&seed=9", "ids", &count);

    ck_assert_uint_eq(count, 1000);
    for (size_t i = 1; i < count; i++)
        ck_assert_double_gt(ids[i], ids[i - 1]);
    ck_assert(ids[0] >= 0 && ids[999] < 9007199254740992);
    free(ids);
}
END_TEST

static const struct core_refusal refusals[] = {
    {"length=5&max_position=4", PE_CONFLICT, "length",
     "must be at most max_position, 4, so that all positions differ; got 5", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("random-positions"), &refusals[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(positions_grow_and_stay_below_the_bound),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refusals),
};

const struct suite random_positions_suite = {SUITE_TESTS(tests)};
