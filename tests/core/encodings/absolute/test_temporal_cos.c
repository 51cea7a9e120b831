/* SPDX-License-Identifier: Apache-2.0
 * test_temporal_cos.c - worked examples, a law, refusals. */
#include <math.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *query, *output, *numbers;
} known[] = {
    {"pos=3&dim=4&dtype=f64", "rows", "-.989992 -.313698 .371148 .731689"},
    {"pos=3&dim=1&dtype=f64", "rows", "-.989992"},
    {"pos=0&dim=3", "rows", "1 1 1"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints("temporal-cos", known[_i].query, known[_i].output, known[_i].numbers);
}
END_TEST

START_TEST(times_and_their_opposites_look_alike)
{
    size_t count;
    double *rows =
        core_query_values("temporal-cos", "pos=12.5,-12.5&dim=16&dtype=f64", "rows", &count);

    ck_assert_uint_eq(count, 32);
    for (size_t c = 0; c < 16; c++)
        ck_assert_double_eq(rows[c], rows[16 + c]);
    free(rows);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(times_and_their_opposites_look_alike),
};

const struct suite temporal_cos_suite = {SUITE_TESTS(tests)};
