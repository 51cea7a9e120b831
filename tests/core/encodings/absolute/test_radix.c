/* SPDX-License-Identifier: Apache-2.0
 * test_radix.c - worked examples, a law, refusals. */
#include <math.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *query, *output, *numbers;
} known[] = {
    {"pos=1749&digits=4", "rows", "1 7 4 9"},
    {"pos=1749&digits=11&base=2", "rows", "1 1 0 1 1 0 1 0 1 0 1"},
    {"pos=1749&digits=3&mode=interpolate&scale=2", "rows", "8 7 4.5"},
    {"pos=1749&digits=3&base=16&mode=convert", "rows", "6 13 5"},
    {"pos=1749&digits=6&mode=extrapolate", "rows", "0 0 1 7 4 9"},
    {"pos=1749&digits=4&order=lsd-first", "rows", "9 4 7 1"},
    {"pos=7.5&digits=1&mode=interpolate&scale=2", "rows", "3.75"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints("radix", known[_i].query, known[_i].output, known[_i].numbers);
}
END_TEST

START_TEST(digits_weighted_by_their_powers_are_the_position)
{
    size_t count;
    double *rows =
        core_query_values("radix", "pos=0:3000:7&digits=5&base=6&dtype=f64", "rows", &count);

    ck_assert_uint_eq(count, 5 * 429);
    for (size_t r = 0; r < count / 5; r++) {
        double sum = 0;

        for (size_t c = 0; c < 5; c++)
            sum = 6 * sum + rows[5 * r + c];
        ck_assert_double_eq(sum, 7 * (double)r);
    }
    free(rows);
}
END_TEST

static const struct core_refusal refusals[] = {
    {"pos=1000&digits=3", PE_OUT_OF_RANGE, "pos",
     "must lie in 0:10^3, what the digits can hold; got 1000", ""},
    {"pos=-1&digits=3", PE_OUT_OF_RANGE, "pos", "must lie in 0:10^3", ""},
    {"pos=2000&digits=3&mode=interpolate&scale=2", PE_OUT_OF_RANGE, "pos",
     "must lie in 0:10^3 after division by scale", ""},
    {"pos=1.5&digits=3", PE_CONFLICT, "pos",
     "must be whole; fractions go with mode=interpolate", ""},
    {"pos=1&digits=3&mode=interpolate", PE_MISSING_PARAMETER, "scale",
     "is required to interpolate", ""},
    {"pos=1&digits=3&scale=2", PE_CONFLICT, "scale", "has no effect without mode=interpolate",
     ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("radix"), &refusals[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(digits_weighted_by_their_powers_are_the_position),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refusals),
};

const struct suite radix_suite = {SUITE_TESTS(tests)};
