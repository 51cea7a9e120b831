/* SPDX-License-Identifier: Apache-2.0
 * test_time2vec.c - a line and waves: worked examples, a law, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct core_known known[] = {
    {"pos=3&w=.5,1,2&phi=.1,0,.3", "rows", "1.6 .141120008 .0168139005"},
    {"pos=3&w=1,2,.5&phi=0,.3,.1&linear=last", "rows", ".141120008 .0168139005 1.6"},
    {"pos=-1&w=2,-1&phi=0,0&activation=cos", "rows", "-2 .540302306"},
};

START_TEST(worked_examples_come_out)
{
    core_query_known("time2vec", &known[_i]);
}
END_TEST

/* sin(w (t + 1)) = sin(w t + w) where w is exact. */
START_TEST(a_phase_is_a_later_time)
{
    double *phase =
        core_query_values("time2vec", "pos=0:20&w=1,.5&phi=0,.5&dtype=f64", "rows", NULL);
    double *later =
        core_query_values("time2vec", "pos=1:21&w=1,.5&phi=0,0&dtype=f64", "rows", NULL);

    for (size_t row = 0; row < 20; row++)
        ck_assert_double_eq_tol(phase[2 * row + 1], later[2 * row + 1], 0x1p-52);
    free(phase);
    free(later);
}
END_TEST

static const struct core_refusal refused[] = {
    {"pos=1&w=1,2&phi=1", PE_CONFLICT, "phi", "must be as many as w, 2; got 1", ""},
    {"pos=1&w=1&phi=1&activation=sin", PE_CONFLICT, "activation", "has no effect", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("time2vec"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(a_phase_is_a_later_time),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite time2vec_suite = {SUITE_TESTS(tests)};
