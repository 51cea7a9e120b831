/* SPDX-License-Identifier: Apache-2.0
 * test_recursive.c - codes from codes: worked examples, laws, refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *query, *numbers;
} known[] = {
    {"length=4&p0=1,0&angles=0.1&dtype=f64",
     "1 0 .995004165 .0998334166 .980066578 .198669331 .955336489 .295520207"},
    {"length=3&p0=1,2&a=0.5,1;0,-0.5&b=1,0&dtype=f64", "1 2 3.5 -1 1.75 .5"},
    {"length=3&p0=1,2&a=0.5,1;0,-0.5&b=1,0&tanh=1&dtype=f64",
     "1 2 .998177897611 -.761594155956 .627629188249 .363399484389"},
    {"length=3&p0=1,-1&w1=1,2;0.5,0;1,1&b1=0,1,0&w2=1,0,1;0,2,0&b2=0,0.5&dtype=f64",
     "1 -1 -.761594155956 2.31029650729 1.91268202409 1.60114562584"},
    {"length=3&p0=2&w1=1;-1&w2=0.5,0.5&dtype=f64", "2 0 0"},
    {"length=4&p0=1,1&diagonal=0.5,-2&b=0,1&dtype=f64", "1 1 .5 -1 .25 3 .125 -5"},
    {"length=1&p0=7&a=3&dtype=f64", "7"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints("recursive", known[_i].query, "rows", known[_i].numbers);
}
END_TEST

START_TEST(blocks_of_the_ladder_are_sinusoids_cosine_first)
{
    size_t count;
    double *rows = core_query_values(
        "recursive", "length=500&p0=1,0,1,0&angles=1,0.01&dtype=f64", "rows", &count);
    double *waves =
        core_query_values("sinusoidal", "pos=0:500&dim=4&dtype=f64", "rows", &count);

    ck_assert_uint_eq(count, 2000);
    for (size_t i = 0; i < count; i++) /* a step errs by 2^-52 */
        ck_assert_double_le(fabs(rows[i] - waves[i ^ 1]), 500 * 0x1p-52);
    free(rows);
    free(waves);
}
END_TEST

START_TEST(a_diagonal_is_the_matrix_with_it)
{
    size_t count, again;
    double *diagonal = core_query_values(
        "recursive", "length=60&p0=1,3&diagonal=0.9,-1.01&b=.1,.3&dtype=f64", "rows", &count);
    double *matrix = core_query_values(
        "recursive", "length=60&p0=1,3&a=0.9,0;0,-1.01&b=.1,.3&dtype=f64", "rows", &again);

    ck_assert_uint_eq(count, again);
    ck_assert_mem_eq(diagonal, matrix, count * sizeof *matrix);
    free(diagonal);
    free(matrix);
}
END_TEST

static const struct {
    const char *query;
    double radius; /* 0: not said */
} radii[] = {
    {"length=2&p0=1,1&diagonal=0.5,-2", 2},
    {"length=2&p0=1,0&angles=3", 1},
    {"length=2&p0=1,0&a=0,2;1,0", 0},
};

START_TEST(the_spectral_radius_is_said_where_it_is_known)
{
    struct pe_plan *plan = core_query_plan(core_query_find("recursive"), radii[_i].query);
    double radius = 0;

    for (size_t i = 0; i < pe_plan_fact_count(plan); i++)
        if (strcmp(pe_plan_fact(plan, i)->name, "spectral_radius") == 0)
            radius = pe_plan_fact(plan, i)->number;
    ck_assert_double_eq(radius, radii[_i].radius);
    pe_plan_free(plan);
}
END_TEST

static const struct core_refusal refusals[] = {
    {"length=2&p0=1", PE_MISSING_PARAMETER, "a",
     "must be given, or diagonal, angles, or w1 and w2", ""},
    {"length=2&p0=1&a=1&diagonal=1", PE_CONFLICT, "diagonal", "is not for a: give one of them",
     ""},
    {"length=2&p0=1,2&a=1,2", PE_CONFLICT, "a", "must have 2 rows; got 1", ""},
    {"length=2&p0=1,2&a=1;2", PE_CONFLICT, "a", "must have 2 columns; got 1", ""},
    {"length=2&p0=1,2&diagonal=1", PE_CONFLICT, "diagonal", "must have 2 numbers; got 1", ""},
    {"length=2&p0=1,2,3&angles=1", PE_CONFLICT, "angles",
     "must be one for each two numbers of p0, which has 3; got 1", ""},
    {"length=2&p0=1,2&angles=1&b=1", PE_CONFLICT, "b", "must have 2 numbers; got 1", ""},
    {"length=2&p0=1&w1=1", PE_CONFLICT, "w2", "the network has two layers", ""},
    {"length=2&p0=1&a=1&w2=1", PE_CONFLICT, "w1", "the network has two layers", ""},
    {"length=2&p0=1&a=1&b1=1", PE_CONFLICT, "b1", "has no effect without w1 and w2", ""},
    {"length=2&p0=1&w1=1&w2=1&b=1", PE_CONFLICT, "b", "its biases are b1 and b2", ""},
    {"length=2&p0=1&w1=1&w2=1,2", PE_CONFLICT, "w2", "must have 1 columns; got 2", ""},
    {"length=2&p0=1&w1=1&w2=1&b1=1,2", PE_CONFLICT, "b1", "must have 1 numbers; got 2", ""},
    {"length=2&p0=1&w1=1&w2=1&tanh=1", PE_CONFLICT, "tanh", "has no effect on the network", ""},
    {"length=1048576&p0=1,1,1,1,1,1,1,1,1,1,1,1&w1=1,1,1,1,1,1,1,1,1,1,1,1;"
     "1,1,1,1,1,1,1,1,1,1,1,1;1,1,1,1,1,1,1,1,1,1,1,1;1,1,1,1,1,1,1,1,1,1,1,1;"
     "1,1,1,1,1,1,1,1,1,1,1,1&w2=1,1,1,1,1;1,1,1,1,1;1,1,1,1,1;1,1,1,1,1;1,1,1,1,1;"
     "1,1,1,1,1;1,1,1,1,1;1,1,1,1,1;1,1,1,1,1;1,1,1,1,1;1,1,1,1,1;1,1,1,1,1",
     PE_TOO_LARGE, "length", "needs 138412032 products; at most 134217728", ""},
    {"length=400&p0=1&a=10", PE_TOO_LARGE, "length",
     "must be at most 101 here: codes leave +-1e100", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("recursive"), &refusals[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(blocks_of_the_ladder_are_sinusoids_cosine_first),
    TEST(a_diagonal_is_the_matrix_with_it),
    TEST_EACH(the_spectral_radius_is_said_where_it_is_known, radii),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refusals),
};

const struct suite recursive_suite = {SUITE_TESTS(tests)};
