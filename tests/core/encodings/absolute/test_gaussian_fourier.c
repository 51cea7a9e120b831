/* SPDX-License-Identifier: Apache-2.0
 * test_gaussian_fourier.c - random frequencies: worked examples, laws, refusals. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct core_known known[] = {
    {"pos=.3&weights=.5,-1.25", "rows",
     ".809016994 -.707106781 .587785252 "
     "-.707106781"},
    {"pos=.3&weights=.5,-1.25&log=1", "rows",
     ".597836497 -.0311972694 -.801618066 -.999513247"},
    {"pos=.3&weights=.5,-1.25&order=cos-first", "rows",
     ".587785252 -.707106781 .809016994 -.707106781"},
    {"pos=2&weights=1,.125&phases=.25,.75", "rows", "0 1"},
};

START_TEST(worked_examples_come_out)
{
    core_query_known("gaussian-fourier", &known[_i]);
}
END_TEST

static void expect_equal(const char *encoding, const char *query, const char *other,
                         const char *other_query)
{
    size_t count, other_count;
    double *values = core_query_values(encoding, query, "rows", &count);
    double *others = core_query_values(other, other_query, "rows", &other_count);

    ck_assert_uint_eq(count, other_count);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(values[i] == others[i], "%s: element %zu", query, i);
    free(values);
    free(others);
}

START_TEST(drawn_weights_can_be_given_back)
{
    size_t count;
    double *weights = core_query_values(
        "gaussian-fourier", "m=5&scale=3&seed=9&out=weights&dtype=f64", "weights", &count);
    char query[300] = "pos=0.3,7&weights=";

    for (size_t i = 0; i < count; i++)
        snprintf(query + strlen(query), sizeof query - strlen(query), "%s%.17g", i ? "," : "",
                 weights[i]);
    expect_equal("gaussian-fourier", "pos=0.3,7&m=5&scale=3&seed=9", "gaussian-fourier", query);
    free(weights);
}
END_TEST

START_TEST(seeds_decide_what_is_drawn)
{
    core_query_prints("gaussian-fourier", "m=4&scale=1&seed=42&out=weights&dtype=f64",
                      "weights", "-.303263065 .288461739 1.34381176 -.687975180");
    core_query_prints("gaussian-fourier", "m=2&seed=42&out=weights&dtype=f64", "weights",
                      "-4.85220903 4.61538782");
}
END_TEST

static const struct core_refusal refused[] = {
    {"pos=1", PE_MISSING_PARAMETER, "weights", "or m is required", ""},
    {"pos=1&weights=1&seed=3", PE_CONFLICT, "weights", "are used as they are", ""},
    {"pos=1&weights=1&phases=1,2", PE_CONFLICT, "phases", "must be as many as weights, 1", ""},
    {"pos=1&weights=1&phases=1&order=sin-first", PE_CONFLICT, "order", "has no effect", ""},
    {"pos=1,0&weights=1&log=1", PE_OUT_OF_RANGE, "pos", "must be above 0 with log; got 0", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("gaussian-fourier"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(drawn_weights_can_be_given_back),
    TEST(seeds_decide_what_is_drawn),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite gaussian_fourier_suite = {SUITE_TESTS(tests)};
