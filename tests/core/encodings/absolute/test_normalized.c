/* SPDX-License-Identifier: Apache-2.0
 * test_normalized.c - worked examples, a law, refusals. */
#include <math.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *query, *output, *numbers;
} known[] = {
    {"length=3", "rows", "0 .5 1"},
    {"length=4&dtype=f64", "rows", "0 0.3333333333333333 0.6666666666666666 1"},
    {"length=4&endpoint=centres", "rows", ".125 .375 .625 .875"},
    {"length=1", "rows", "0"},
    {"length=1&endpoint=centres", "rows", ".5"},
    {"length=1&interval=-1..1", "rows", "-1"},
    {"length=1&interval=-1..1&endpoint=centers", "rows", "0"},
    {"length=5&interval=signed", "rows", "-1 -.5 0 .5 1"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints("normalized", known[_i].query, known[_i].output, known[_i].numbers);
}
END_TEST

START_TEST(the_signed_interval_is_odd_about_the_middle)
{
    for (int centres = 0; centres < 2; centres++) {
        size_t count;
        double *rows =
            core_query_values("normalized",
                              centres ? "length=99&interval=-1..1&dtype=f64&endpoint=centres"
                                      : "length=99&interval=-1..1&dtype=f64",
                              "rows", &count);

        for (size_t i = 0; i < count; i++)
            ck_assert_double_eq(rows[i], 0 - rows[count - 1 - i]);
        free(rows);
    }
}
END_TEST

static const struct core_refusal refusals[] = {
    {"length=4&interval=0", PE_BAD_VALUE, "interval", "must be one of 0..1, -1..1", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("normalized"), &refusals[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(the_signed_interval_is_odd_about_the_middle),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refusals),
};

const struct suite normalized_suite = {SUITE_TESTS(tests)};
