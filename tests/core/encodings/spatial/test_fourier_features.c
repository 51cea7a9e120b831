/* SPDX-License-Identifier: Apache-2.0
 * test_fourier_features.c - random directions: worked examples, laws, refusals. */

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct core_known known[] = {
    {"coords=.1,.2&b=1,0;0,2", "rows", ".809016994 -.809016994 .587785252 .587785252"},
    {"coords=.25,.25&b=1,0;1,1&a=2,-3", "rows", "0 3 2 0"},
    {"coords=0,0&f=2&sigma=2&seed=42", "directions",
     "-.606526129 .576923478 2.68762353 -1.37595036"},
};

START_TEST(worked_examples_come_out)
{
    core_query_known("fourier-features", &known[_i]);
}
END_TEST

static const struct core_twin equal[] = {
    /* a matrix without mixing is NeRF's ladder of two frequencies in turns */
    {"coords=.3;1.7&b=.5;1&a=1,1", "fourier-features", "coords=.3;1.7&b=.5;1", "rows"},
};

START_TEST(what_means_the_same_has_the_same_bits)
{
    core_query_twins("fourier-features", &equal[_i]);
}
END_TEST

static const struct core_refusal refused[] = {
    {"coords=1,2", PE_MISSING_PARAMETER, "b", "or f is required", ""},
    {"coords=1,2&b=1,2&sigma=3", PE_CONFLICT, "b", "is used as it is", ""},
    {"coords=1,2&b=1,2,3", PE_CONFLICT, "b", "must have a column a coordinate, 2; got 3", ""},
    {"coords=1,2&b=1,2&a=1,2", PE_CONFLICT, "a", "must have a number a feature, 1; got 2", ""},
    {"coords=1,2,3,4,5,6,7,8,9&f=1", PE_CONFLICT, "coords", "at most 8 columns; got 9", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("fourier-features"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST_EACH(what_means_the_same_has_the_same_bits, equal),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite fourier_features_suite = {SUITE_TESTS(tests)};
