/* SPDX-License-Identifier: Apache-2.0
 * test_binary.c - worked examples, a law, refusals. */
#include <math.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *query, *output, *numbers;
} known[] = {
    {"pos=0:8&dim=3", "rows", "0 0 0 0 0 1 0 1 0 0 1 1 1 0 0 1 0 1 1 1 0 1 1 1"},
    {"pos=5&dim=4", "rows", "0 1 0 1"},
    {"pos=5&dim=4&bit_order=lsb-first", "rows", "1 0 1 0"},
    {"pos=5&dim=4&code=gray", "rows", "0 1 1 1"},
    {"pos=-1&dim=3&overflow=modulo", "rows", "1 1 1"},
    {"pos=8&dim=3&overflow=modulo", "rows", "0 0 0"},
    {"pos=2&dim=2&signed=1", "rows", "1 -1"},
    {"pos=-2&dim=64&overflow=modulo&bit_order=lsb-first", "rows",

     "0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"
     " 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints("binary", known[_i].query, known[_i].output, known[_i].numbers);
}
END_TEST

START_TEST(neighbours_in_gray_code_differ_in_one_bit)
{
    size_t count;
    double *rows = core_query_values("binary", "pos=0:256&dim=8&code=gray", "rows", &count);

    ck_assert_uint_eq(count, 2048);
    for (size_t r = 0; r < 256; r++) { /* 255 and 0 are neighbours too */
        double differ = 0;

        for (size_t c = 0; c < 8; c++)
            differ += fabs(rows[8 * r + c] - rows[8 * ((r + 1) % 256) + c]);
        ck_assert_double_eq(differ, 1);
    }
    free(rows);
}
END_TEST

static const struct core_refusal refusals[] = {
    {"pos=8&dim=3", PE_OUT_OF_RANGE, "pos",
     "must lie in 0:2^3, what dim bits can tell apart, or give overflow=modulo; got 8", ""},
    {"pos=-1&dim=3", PE_OUT_OF_RANGE, "pos", "must lie in 0:2^3", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("binary"), &refusals[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(neighbours_in_gray_code_differ_in_one_bit),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refusals),
};

const struct suite binary_suite = {SUITE_TESTS(tests)};
