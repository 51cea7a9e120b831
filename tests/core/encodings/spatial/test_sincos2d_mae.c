/* SPDX-License-Identifier: Apache-2.0
 * test_sincos2d_mae.c - halves of a row for column and row: worked examples, laws, refusals. */

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct core_known known[] = {
    {"grid=1x2&dim=8", "rows",
     "0 0 1 1 0 0 1 1 .84147098 .0099998333 .54030231 .999950000 0 0 1 1"},
    {"grid=1x2&dim=8&order=hw&cls_token=1", "rows",
     "0 0 0 0 0 0 0 0 0 0 1 1 0 0 1 1 0 0 1 1 .84147098 .0099998333 .54030231 .999950000"},
};

START_TEST(worked_examples_come_out)
{
    core_query_known("sincos2d-mae", &known[_i]);
}
END_TEST

static const struct core_twin equal[] = {
    /* a grid stretched to its own size is itself */
    {"grid=4x6&dim=8", "sincos2d-mae", "grid=4x6&dim=8&base_size=4,6", "rows"},

    {"grid=4x6&dim=8", "sincos2d-mae", "grid=4x6&dim=8&base_size=12,18&interpolation_scale=3",
     "rows"},
};

START_TEST(what_means_the_same_has_the_same_bits)
{
    core_query_twins("sincos2d-mae", &equal[_i]);
}
END_TEST

static const struct core_refusal refused[] = {
    {"grid=2x2&dim=8&interpolation_scale=2", PE_CONFLICT, "interpolation_scale",
     "has no effect without base_size", ""},
    {"grid=2x2&dim=8&base_size=1,2,3", PE_CONFLICT, "base_size", "must be one number or two",
     ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("sincos2d-mae"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST_EACH(what_means_the_same_has_the_same_bits, equal),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite sincos2d_mae_suite = {SUITE_TESTS(tests)};
