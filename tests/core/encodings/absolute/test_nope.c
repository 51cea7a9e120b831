/* SPDX-License-Identifier: Apache-2.0
 * test_nope.c - worked examples, a law, refusals. */
#include <math.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *query, *output, *numbers;
} known[] = {
    {"pos=0:2&dim=3", "rows", "0 0 0 0 0 0"},
    {"pos=5&dim=4&out=cos", "cos", "1 1"},
    {"pos=5&dim=4&out=sin", "sin", "0 0"},
    {"layers=8&out=layers", "layers", "1 1 1 0 1 1 1 0"},
    {"layers=3&every=1&out=layers", "layers", "0 0 0"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints("nope", known[_i].query, known[_i].output, known[_i].numbers);
}
END_TEST

START_TEST(a_rotation_by_it_changes_nothing)
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

static const struct core_refusal refusals[] = {
    {"pos=0&dim=3&out=cos", PE_CONFLICT, "dim", "must be even for cos and sin; got 3", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("nope"), &refusals[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(a_rotation_by_it_changes_nothing),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refusals),
};

const struct suite nope_suite = {SUITE_TESTS(tests)};
