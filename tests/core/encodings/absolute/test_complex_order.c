/* SPDX-License-Identifier: Apache-2.0
 * test_complex_order.c - complex words: worked examples, a law, refusals. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *query, *numbers;
} known[] = {
    {"pos=3&r=2&w=1", "-1.979984993 .2822400161"},
    {"pos=3&r=.5&w=.1&theta=.3", ".4126678075 .2823212367"},
    {"pos=3&r=2,.5&w=1,.1&theta=0,.3", "-1.979984993 .4126678075 .2822400161 .2823212367"},
    {"pos=3,-2&r=2,.5&w=1,.25&theta=0,.5&form=magnitude-phase", "2 .5 3 1.25 2 .5 -2 0"},
    {"pos=1e6&r=-3&w=7&form=magnitude-phase", "-3 7e6"},
    {"pos=4,5,4&tokens=1,0,1&r=1,2;3,4&w=0,1;.5,-1&form=magnitude-phase",
     "3 4 2 -4 1 2 0 5 3 4 2 -4"},
    {"pos=4,5&tokens=1,0&r=7&w=2;3&form=magnitude-phase", "7 12 7 10"},
    {"pos=4,5&tokens=1,0&r=7;8&w=2&form=magnitude-phase", "8 8 7 10"},
};

START_TEST(worked_examples_come_out)
{
    char query[200];

    snprintf(query, sizeof query, "%s&dtype=f64", known[_i].query);
    core_query_prints("complex-order", query, "rows", known[_i].numbers);
}
END_TEST

/* f(k) conj(f(k + n)) is the same for every k. */
START_TEST(products_with_the_conjugate_depend_on_the_distance_alone)
{
    enum { ROWS = 40, DISTANCE = 7 };
    double *rows = core_query_values("complex-order", "pos=0:40&r=1.5&w=.3&theta=1&dtype=f64",
                                     "rows", NULL);

    for (size_t k = 0; k + DISTANCE < ROWS; k++) {
        const double *near = rows + 2 * k, *far = near + 2 * (size_t)DISTANCE;

        ck_assert_double_eq_tol(near[0] * far[0] + near[1] * far[1], 2.25 * cos(2.1), 1e-14);
        ck_assert_double_eq_tol(near[1] * far[0] - near[0] * far[1], -2.25 * sin(2.1), 1e-14);
    }
    free(rows);
}
END_TEST

START_TEST(a_word_has_the_row_that_it_has_alone)
{
    double *words = core_query_values(
        "complex-order", "pos=9,1e15&tokens=2,0&r=1,2;3,4;5,6&w=.1,.2;1,2;-3,.7&theta=1,2",
        "rows", NULL);
    double *third =
        core_query_values("complex-order", "pos=9&r=5,6&w=-3,.7&theta=1,2", "rows", NULL);
    double *first =
        core_query_values("complex-order", "pos=1e15&r=1,2&w=.1,.2&theta=1,2", "rows", NULL);

    for (size_t i = 0; i < 4; i++)
        ck_assert(words[i] == third[i] && words[4 + i] == first[i]);
    free(words);
    free(third);
    free(first);
}
END_TEST

static const struct core_refusal refused[] = {
    {"pos=1&r=1&w=1,2", PE_CONFLICT, "r", "must have as many columns as w, 2; got 1", ""},
    {"pos=1&r=1,2&w=1,2&theta=1", PE_CONFLICT, "theta", "as many as columns of w, 2; got 1",
     ""},
    {"pos=1&tokens=0&r=1;2&w=1;2;3", PE_CONFLICT, "r", "as w has, 3; got 2", ""},
    {"pos=1&r=1&w=1;2", PE_MISSING_PARAMETER, "tokens", "the word at each of pos", ""},
    {"pos=1&tokens=0&r=1&w=1", PE_CONFLICT, "tokens", "has no effect", ""},
    {"pos=1,2&tokens=0&r=1&w=1;2", PE_CONFLICT, "tokens", "as many as pos, 2; got 1", ""},
    {"pos=1&tokens=2&r=1&w=1;2", PE_OUT_OF_RANGE, "tokens", "must be 0..1", ""},
    {"pos=1&tokens=-1&r=1;2&w=1", PE_OUT_OF_RANGE, "tokens", "got -1", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("complex-order"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(products_with_the_conjugate_depend_on_the_distance_alone),
    TEST(a_word_has_the_row_that_it_has_alone),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite complex_order_suite = {SUITE_TESTS(tests)};
