/* SPDX-License-Identifier: Apache-2.0
 * test_pad_demo.c - borders of convolutions: worked examples, a law, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *query, *numbers;
} known[] = {
    {"length=5&kernel=1,1,1", "2 3 3 3 2"},
    {"length=5&kernel=1,1,1&padding=circular", "3 3 3 3 3"},
    {"length=5&kernel=1,1,1&padding=reflect", "3 3 3 3 3"},
    {"length=4&kernel=1,2,4&value=.5", "3 3.5 3.5 1.5"},
    {"length=2&kernel=1,2,4,8,16", "12 6"},
    {"length=1&kernel=7", "7"},
    {"grid=3x4&kernel=1,2,4;8,16,32;64,128,256", "432 504 504 216 438 511 511 219 54 63 63 27"},
    {"grid=2x3&kernel=1,1,1", "2 3 2 2 3 2"},
    {"grid=2x2&kernel=1,1,1;1,1,1;1,1,1&padding=reflect", "9 9 9 9"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints("pad-demo", known[_i].query, "response", known[_i].numbers);
}
END_TEST

/* A kernel that is a column times a row answers with the product of their answers. */
START_TEST(a_separable_kernel_answers_separably)
{
    double *map = core_query_values(
        "pad-demo", "grid=6x4&kernel=3,-6,9;1,-2,3;2,-4,6;0,0,0;5,-10,15", "response", NULL);
    double *down = core_query_values("pad-demo", "length=6&kernel=3,1,2,0,5", "response", NULL);
    double *along = core_query_values("pad-demo", "length=4&kernel=1,-2,3", "response", NULL);

    for (size_t i = 0; i < 24; i++)
        ck_assert(map[i] == down[i / 4] * along[i % 4]);
    free(map);
    free(down);
    free(along);
}
END_TEST

static const struct core_refusal refused[] = {
    {"kernel=1", PE_MISSING_PARAMETER, "length", "or grid is required", ""},
    {"kernel=1&length=2&grid=2x2", PE_CONFLICT, "length", "give it or grid", ""},
    {"kernel=1,1&length=4", PE_CONFLICT, "kernel", "odd numbers of rows and columns", ""},
    {"kernel=1;1&grid=4x4", PE_CONFLICT, "kernel", "got 2 of 1", ""},
    {"kernel=1;1;1&length=4", PE_CONFLICT, "kernel", "must be one row for length", ""},
    {"kernel=1,1,1&length=1&padding=reflect", PE_CONFLICT, "kernel",
     "at most 0 places beyond the input", ""},
    {"kernel=1,1,1,1,1&length=1&padding=circular", PE_CONFLICT, "kernel",
     "at most 1 places beyond the input", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("pad-demo"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(a_separable_kernel_answers_separably),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite pad_demo_suite = {SUITE_TESTS(tests)};
