/* SPDX-License-Identifier: Apache-2.0
 * test_pixel_fourier.c - frequencies up to a resolution: worked examples, laws, refusals. */

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct core_known known[] = {
    {"coords=.3&num_bands=2&max_freq=4", "features",
     ".809016994 .951056516 .587785252 -.309016994 .3"},
    {"grid=1x3&num_bands=1", "features", "-1 0 -1 -1 0 -1 -1 0 -1 0 0 1 -1 0 -1 1 0 -1"},
    {"coords=.5&num_bands=3&max_freq=8&linear_bands=0&concat_grid=0", "features",
     "1 0 0 0 -1 1"},
    {"coords=1&num_bands=4&max_freq=10&order=grid-first&concat_grid=1", "features",
     "1 0 .866025404 -.866025404 0 -1 .5 .5 -1"},
};

START_TEST(worked_examples_come_out)
{
    core_query_known("pixel-fourier", &known[_i]);
}
END_TEST

static const struct core_twin equal[] = {
    /* a grid is the coordinates of its points */
    {"grid=1x3&num_bands=3&max_freq=5&order=grid-last", "pixel-fourier",
     "coords=-1,-1;-1,0;-1,1&num_bands=3&max_freq=5", "features"},
};

START_TEST(what_means_the_same_has_the_same_bits)
{
    core_query_twins("pixel-fourier", &equal[_i]);
}
END_TEST

static const struct core_refusal refused[] = {
    {"num_bands=2", PE_MISSING_PARAMETER, "grid", "or coords is required", ""},
    {"grid=2x2&coords=1", PE_CONFLICT, "coords", "cannot be given together with grid", ""},
    {"grid=2x2&concat_grid=0&order=grid-last", PE_CONFLICT, "order", "has no effect", ""},
    {"grid=2x2&num_bands=1&max_freq=4", PE_CONFLICT, "max_freq", "has no effect", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("pixel-fourier"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST_EACH(what_means_the_same_has_the_same_bits, equal),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite pixel_fourier_suite = {SUITE_TESTS(tests)};
