/* SPDX-License-Identifier: Apache-2.0
 * test_random_offset.c - worked examples, a law, refusals. */
#include <math.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *query, *output, *numbers;
} known[] = {
    {"length=3&max_offset=100&seed=42", "ids", "58 59 60"},
    {"length=3&max_offset=100&seed=42&out=positions", "positions", "58 59 60"},
    {"length=3&kind=cape&out=positions", "positions", "0 1 2"},
    {"length=2&max_offset=0", "ids", "0 1"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints("random-offset", known[_i].query, known[_i].output, known[_i].numbers);
}
END_TEST

/* With the first units of seed 42, .0838629711 .378980251 .680043411, and no scale. */
START_TEST(cape_moves_all_by_one_shift_and_each_by_a_little)
{
    size_t count;
    double *positions = core_query_values(
        "random-offset",
        "length=2&kind=cape&max_global_shift=10&max_local_shift=.5&seed=42&out=positions"
        "&dtype=f64",
        "positions", &count);

    ck_assert_uint_eq(count, 2);
    ck_assert_double_eq_tol(positions[0],
                            10 * (2 * .0838629711 - 1) + .5 * (2 * .378980251 - 1), 1e-8);
    ck_assert_double_eq_tol(positions[1],
                            1 + 10 * (2 * .0838629711 - 1) + .5 * (2 * .680043411 - 1), 1e-8);
    free(positions);
}
END_TEST

/* The unit after the three shifts stretches what lies before it. */
START_TEST(cape_stretches_by_one_scale)
{
    static const char plain[] = "length=3&kind=cape&max_global_shift=10&seed=42&out=positions"
                                "&dtype=f64",
                      stretched[] = "length=3&kind=cape&max_global_shift=10&seed=42"
                                    "&out=positions&dtype=f64&max_scale=4";
    double *before = core_query_values("random-offset", plain, "positions", NULL),
           *after = core_query_values("random-offset", stretched, "positions", NULL);

    for (int i = 1; i < 3; i++)
        ck_assert_double_eq_tol(after[i] / before[i], after[0] / before[0], 1e-15);
    ck_assert(after[0] / before[0] > 0.25 && after[0] / before[0] < 4);
    ck_assert(after[0] != before[0]);
    free(before);
    free(after);
}
END_TEST

static const struct core_refusal refusals[] = {
    {"length=2&kind=cape", PE_CONFLICT, "out",
     "must be positions with kind=cape, whose positions are not whole", ""},
    {"length=2&kind=cape&max_offset=3&out=positions", PE_CONFLICT, "max_offset",
     "has no effect with kind=cape", ""},
    {"length=2", PE_MISSING_PARAMETER, "max_offset", "is required with kind=shape", ""},
    {"length=2&max_offset=1&max_scale=2", PE_CONFLICT, "max_scale",
     "has no effect with kind=shape", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("random-offset"), &refusals[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(cape_moves_all_by_one_shift_and_each_by_a_little),
    TEST(cape_stretches_by_one_scale),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refusals),
};

const struct suite random_offset_suite = {SUITE_TESTS(tests)};
