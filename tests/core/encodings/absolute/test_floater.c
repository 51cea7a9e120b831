/* SPDX-License-Identifier: Apache-2.0
 * test_floater.c - codes along a path: worked examples, laws, refusals. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

#define TURN "p0=1,0&a=0,-1;1,0&dtype=f64&dt_position=0.1"
#define NETWORK                                                                                \
    "pos=3,-2.5&p0=1,-1&dtype=f64&dt_position=0.25&b1=0,1,0.5&b2=0.25,0&"                      \
    "w1=1,0,2;0,1,-1;-1,1,0&w2=1,0,1,2;0.5,1,0,-1"

/* The networks' numbers are the solver's in 40 digits. */
static const struct {
    const char *query, *numbers;
} known[] = {
    {TURN "&pos=0:4&step=0.1", "1 0 .995004166667 .0998333333333 .98006659724 .198669165278 "
                               ".955336542864 .295519962531"},
    {TURN "&pos=3&step=0.1", ".955336543 .295519963"},
    {TURN "&pos=0:4&step=0.1&solver=euler", "1 0 1 .1 .99 .2 .97 .299"},
    {NETWORK "&step=0.5", "3.8622636795 -.223875999451 1.03385416667 -1.38242310286"},
    {NETWORK "&step=0.1", "3.86424409392 -.223787088395 1.04234744098 -1.3797652451"},
    {NETWORK "&step=0.5&solver=euler", "2.59375 -.546875 .46875 -1.34375"},
    {NETWORK "&step=0.1&solver=euler", "3.49230301375 -.337598493125 .948275 -1.35798963437"},
    {"pos=0,2&p0=3&a=0&b=1&dt_position=0.5&dtype=f64", "3 4"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints("floater", known[_i].query, "rows", known[_i].numbers);
}
END_TEST

START_TEST(a_code_depends_on_its_position_alone)
{
    static const double at[] = {7, -3.3, 0, 2.5, 7, -11};
    size_t count;
    double *rows =
        core_query_values("floater", TURN "&step=0.03&pos=7,-3.3,0,2.5,7,-11", "rows", &count);

    ck_assert_uint_eq(count, 12);
    for (size_t i = 0; i < PE_LEN(at); i++) {
        char query[160];
        double *row;

        snprintf(query, sizeof query, TURN "&step=0.03&pos=%.17g", at[i]);
        row = core_query_values("floater", query, "rows", NULL);
        ck_assert_mem_eq(row, rows + 2 * i, 2 * sizeof *row);
        free(row);
    }
    free(rows);
}
END_TEST

static double error_at(const char *query)
{
    double *row = core_query_values("floater", query, "rows", NULL);
    double error = hypot(row[0] - cos(2), row[1] - sin(2));

    free(row);
    return error;
}

START_TEST(half_the_step_leaves_a_sixteenth_of_the_error_and_half_for_euler)
{
    double ratio = error_at(TURN "&pos=20&step=0.1") / error_at(TURN "&pos=20&step=0.05");
    double euler = error_at(TURN "&pos=20&step=0.01&solver=euler") /
                   error_at(TURN "&pos=20&step=0.005&solver=euler");

    ck_assert(ratio > 15.9 && ratio < 16.1);
    ck_assert(euler > 1.98 && euler < 2.02);
}
END_TEST

static const struct core_refusal refusals[] = {
    {"pos=1&p0=1", PE_MISSING_PARAMETER, "a", "must be given, or w1 and w2", ""},
    {"pos=1&p0=1&a=1&w1=1,1&w2=1,1", PE_CONFLICT, "w1", "is not for a: give one of them", ""},
    {"pos=1&p0=1,2&a=1,2", PE_CONFLICT, "a", "must have 2 rows; got 1", ""},
    {"pos=1&p0=1&w1=1&w2=1,1", PE_CONFLICT, "w1", "must have 2 columns; got 1", ""},
    {"pos=1&p0=1&w1=1,1&w2=1", PE_CONFLICT, "w2", "must have 2 columns; got 1", ""},
    {"pos=1&p0=1&w1=1,1&w2=1,1;1,1", PE_CONFLICT, "w2", "must have 1 rows; got 2", ""},
    {"pos=1000000&p0=1&a=1", PE_TOO_LARGE, "step",
     "must reach each position in at most 1048576 steps", ""},
    {"pos=200000&p0=1,1,1,1&a=1,1,1,1;1,1,1,1;1,1,1,1;1,1,1,1", PE_TOO_LARGE, "pos",
     "needs 144000144 products", ""},
    {"pos=400&p0=1&a=9&dt_position=1&step=1&solver=euler", PE_TOO_LARGE, "pos",
     "must be at most 100 steps of the solver from 0 here", ""},
    {"pos=-400&p0=1&a=11&dt_position=1&step=1&solver=euler", PE_TOO_LARGE, "pos",
     "must be at most 100 steps of the solver from 0 here", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("floater"), &refusals[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(a_code_depends_on_its_position_alone),
    TEST(half_the_step_leaves_a_sixteenth_of_the_error_and_half_for_euler),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refusals),
};

const struct suite floater_suite = {SUITE_TESTS(tests)};
