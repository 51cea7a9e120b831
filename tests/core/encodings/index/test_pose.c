/* SPDX-License-Identifier: Apache-2.0
 * test_pose.c - worked examples, a law, refusals. */
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *query, *output, *numbers;
} known[] = {
    {"length=8&max_position=32&seed=42", "ids", "0 1 2 5 6 7 8 9"},
    {"length=4&max_position=4&chunks=3", "ids", "0 1 2 3"},
    {"length=4&max_position=100&chunks=1", "ids", "0 1 2 3"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints("pose", known[_i].query, known[_i].output, known[_i].numbers);
}
END_TEST

START_TEST(runs_are_as_many_as_asked_and_end_in_the_context)
{
    for (int seed = 0; seed < 20; seed++) {
        size_t count, steps = 0;
        char query[80];
        double *ids;

        snprintf(query, sizeof query, "length=50&max_position=100000&chunks=5&seed=%d", seed);
        ids = core_query_values("pose", query, "ids", &count);
        for (size_t i = 1; i < count; i++) {
            ck_assert_double_gt(ids[i], ids[i - 1]);
            steps += ids[i] > ids[i - 1] + 1;
        }
        ck_assert_uint_le(steps, 4);
        ck_assert(ids[0] == 0 && ids[count - 1] < 100000);
        free(ids);
    }
}
END_TEST

static const struct core_refusal refusals[] = {
    {"length=5&max_position=4", PE_CONFLICT, "length", "must be at most max_position, 4; got 5",
     ""},
    {"length=3&max_position=9&chunks=4", PE_CONFLICT, "chunks",
     "must be at most length, 3: a run has a token; got 4", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("pose"), &refusals[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(runs_are_as_many_as_asked_and_end_in_the_context),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refusals),
};

const struct suite pose_suite = {SUITE_TESTS(tests)};
