/* SPDX-License-Identifier: Apache-2.0
 * test_sincos2d_timm.c - sines and cosines of row and column: examples, laws, refusals. */

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct core_known known[] = {
    {"grid=2x1&dim=8", "rows",
     "0 0 0 0 1 1 1 1 .84147098 .0099998333 0 0 .54030231 .999950000 1 1"},
    {"grid=2x1&dim=8&interleave_sin_cos=1", "rows",
     "0 0 1 1 0 0 1 1 .84147098 .0099998333 .54030231 .999950000 0 0 1 1"},
    {"grid=1x2&dim=8&preset=simple-vit", "rows",
     "0 0 1 1 0 0 1 1 .84147098 .0000999999998 .54030231 .999999995 0 0 1 1"},
};

START_TEST(worked_examples_come_out)
{
    core_query_known("sincos2d-timm", &known[_i]);
}
END_TEST

static const struct core_twin equal[] = {
    /* simple ViT's columns on an open ladder are MAE's */
    {"grid=3x5&dim=12&order=wh&interleave_sin_cos=1", "sincos2d-mae", "grid=3x5&dim=12",
     "rows"},
    /* MoCo v3 on a square grid is the interleaved form */
    {"grid=3x3&dim=12&preset=moco-v3", "sincos2d-timm", "grid=3x3&dim=12&interleave_sin_cos=1",
     "rows"},
};

START_TEST(what_means_the_same_has_the_same_bits)
{
    core_query_twins("sincos2d-timm", &equal[_i]);
}
END_TEST

static const struct core_refusal refused[] = {
    {"grid=2x2&dim=8&reverse_coord=1&order=wh", PE_CONFLICT, "order", "must be hw or absent",
     ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("sincos2d-timm"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST_EACH(what_means_the_same_has_the_same_bits, equal),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite sincos2d_timm_suite = {SUITE_TESTS(tests)};
