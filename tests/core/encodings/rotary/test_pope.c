/* SPDX-License-Identifier: Apache-2.0
 * test_pope.c - polar tables: worked examples, a law, refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"pope", "dim=4&out=inv_freq&dtype=f64", "inv_freq", "1 .1 .01 .001"},
    {"pope", "pos=0&dim=3", "cos", "1 1 1"},
    {"pope", "pos=1&dim=2&base=100&dtype=f64", "sin", "0.841470985 0.099833417"},
    {"pope", "pos=1&dim=2&base=100&bias=-1,-0.5;1,-9&dtype=f64", "cos",
     "1 0.921060994 0.540302306 0.995004165"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints(examples[_i].encoding, examples[_i].query, examples[_i].output,
                      examples[_i].numbers);
}
END_TEST

static const struct {
    const char *encoding;
    struct core_refusal refusal;
} refused[] = {
    {"pope",
     {"pos=0&dim=2&bias=1", PE_CONFLICT, "bias", "must have dim numbers a row, 2; got 1", ""}},
    {"pope",
     {"pos=0", PE_MISSING_PARAMETER, "dim", "is required: width of a head before it is doubled",
      ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(keys_without_a_bias_stand_where_queries_do)
{
    double *plain = core_query_values("pope", "pos=0:9&dim=3&dtype=f64", "sin", NULL);
    double *keys =
        core_query_values("pope", "pos=0:9&dim=3&bias=0,7,-7&dtype=f64", "sin", NULL);

    for (size_t i = 0; i < 27; i++)
        ck_assert(fabs(plain[i] - keys[i]) < 1e-15);
    free(plain);
    free(keys);
}
END_TEST

/* ---- vectors --------------------------------------------------------------------------- */

static double *polar(const char *query, size_t number, const double *x)
{
    void *inputs[CORE_TENSOR_MAX] = {NULL};
    struct pe_plan *plan = core_query_plan(core_query_find("pope/apply"), query);
    double *values;

    inputs[number] = (void *)(uintptr_t)x;
    values = core_tensor_doubles(plan, 0, inputs);
    pe_plan_free(plan);
    return values;
}

START_TEST(softplus_is_the_radius)
{
    static const double x[] = {1, -1, 1, -1};
    double *got = polar("pos=0&x=f64:4", 0, x);

    for (size_t i = 0; i < 4; i++) {
        ck_assert_double_eq_tol(got[i], i % 2 ? .313262 : 1.31326, .51e-5);
        ck_assert_double_eq(got[4 + i], 0);
    }
    free(got);
}
END_TEST

/* Queries and keys of two heads, by the tables of pope. */
START_TEST(vectors_stand_at_the_angles_of_the_tables)
{
    static const double x[] = {1, -1, 2, .5, -3, 4, 0, 1};
    double *q = polar("pos=3,4&q=f64:2x2x2&seq_axis=0&base=100", 1, x);
    double *k = polar("pos=3,4&k=f64:2x2x2&seq_axis=0&base=100&bias=-1,-.5;1,-9", 2, x);
    double *plain = core_query_values("pope", "pos=3,4&dim=2&base=100&dtype=f64", "cos", NULL);
    double *biased = core_query_values(
        "pope", "pos=3,4&dim=2&base=100&bias=-1,-.5;1,-9&dtype=f64", "sin", NULL);

    for (size_t i = 0; i < 8; i++) { /* vector i / 2 of 4: position i / 4, head i / 2 % 2 */
        const double radius = log1p(exp(x[i]));

        ck_assert_double_eq_tol(q[i / 2 * 4 + i % 2], radius * plain[i / 4 * 2 + i % 2], 1e-14);
        ck_assert_double_eq_tol(k[i / 2 * 4 + 2 + i % 2], radius * biased[i], 1e-14);
    }
    free(q), free(k), free(plain), free(biased);
}
END_TEST

static const struct core_refusal vectors_refused[] = {
    {"pos=1&k=1,2&bias=0,0;0,0", PE_MISSING_PARAMETER, "head_axis", "the 2 heads", ""},
    {"pos=1&k=1,2&bias=0,0&head_axis=0", PE_CONFLICT, "head_axis", "bias of heads", ""},
    {"pos=1&k=1,2&bias=0,0,0", PE_CONFLICT, "bias", "dim numbers a row, 2; got 3", ""},
    {"pos=1&q=1,2&bias=0,0", PE_CONFLICT, "bias", "no effect on out=q", ""},
    {"pos=1,2&x=1,2", PE_CONFLICT, "pos", "must hold 1 positions", ""},
};

START_TEST(vectors_that_do_not_fit_are_refused)
{
    core_query_refused(core_query_find("pope/apply"), &vectors_refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(softplus_is_the_radius),
    TEST(vectors_stand_at_the_angles_of_the_tables),
    TEST_EACH(vectors_that_do_not_fit_are_refused, vectors_refused),
    TEST(keys_without_a_bias_stand_where_queries_do),
};

const struct suite pope_suite = {SUITE_TESTS(tests)};
