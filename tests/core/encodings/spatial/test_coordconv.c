/* SPDX-License-Identifier: Apache-2.0
 * test_coordconv.c - coordinates as channels: worked examples, a law, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct core_known known[] = {
    {"grid=1x3&with_r=1", "map", "-1 0 1 -1 -1 -1 2.12132034 1.58113883 1.58113883"},
    {"grid=3x1&with_r=1&r_center=0&order=yx", "map", "-1 0 1 -1 -1 -1 1.41421356 1 1.41421356"},
};

START_TEST(worked_examples_come_out)
{
    core_query_known("coordconv", &known[_i]);
}
END_TEST

START_TEST(opposite_pixels_have_opposite_coordinates)
{
    size_t count;
    double *map = core_query_values("coordconv", "grid=3x7&dtype=f64", "map", &count);

    ck_assert_uint_eq(count, 42);
    for (size_t i = 0; i < 21; i++) {
        ck_assert(map[i] == -map[20 - i]);
        ck_assert(map[21 + i] == -map[41 - i]);
    }
    free(map);
}
END_TEST

static const struct core_refusal refused[] = {
    {"grid=1x3&r_center=0", PE_CONFLICT, "r_center", "has no effect without with_r", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("coordconv"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(opposite_pixels_have_opposite_coordinates),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite coordconv_suite = {SUITE_TESTS(tests)};
