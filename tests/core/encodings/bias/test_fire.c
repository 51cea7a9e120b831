/* SPDX-License-Identifier: Apache-2.0
 * test_fire.c - a network of shares of the context: worked examples, laws, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"fire", "q=5&k=2&out=psi", "psi", ".0663360"},
    {"fire", "q=511&k=0&out=psi", "psi", ".999515"},
    {"fire", "q=1000&k=0,990,1000&out=psi", "psi", ".9999998 .150190 0"},
    {"fire", "q=5&k=2&w1=1&b1=0&w2=-2&b2=.1", "bias", "-.0326719"},
    {"fire", "q=5&k=2,7&causal=1&mask_value=-inf&w1=1,-1&w2=-2,0;1,1&b2=.1,0", "bias",
     "-.0326719 -inf .0663360 -inf"},
    {"fire", "q=5&k=7&causal=1&future=zero&w1=1&b1=.5&w2=2", "bias", "1"},
    {"fire", "q=3&k=1&l=2&l_multiplier=-2&out=psi&c=-1&eps=0&dtype=f64", "psi",
     ".68260619448598530"},
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
    {"fire",
     {"len=4&w1=1,2&w2=1", PE_CONFLICT, "w2",
      "must have rows of one number a row of w1, 2; got 1", ""}},
    {"fire",
     {"len=4&w1=1,2;3,4&w2=1", PE_CONFLICT, "w1", "must have rows of 1, for psi; got 2", ""}},
    {"fire",
     {"len=4&w1=1,2&b1=1&w2=1,2", PE_CONFLICT, "b1",
      "must have one number a row of w1, 2; got 1", ""}},
    {"fire",
     {"len=4&w1=1,2&w2=1,2&b2=1,2", PE_CONFLICT, "b2",
      "must have one number a row of w2, 1; got 2", ""}},
    {"fire",
     {"len=4&out=psi&c=0", PE_CONFLICT, "c", "must be at least 1e-18 in size; got 0", ""}},
    {"fire",
     {"len=4&out=psi&l=0&eps=0", PE_CONFLICT, "eps", "must be above 0 with a threshold below 1",
      ""}},
    {"fire",
     {"len=4&w1=1&w2=1&future=zero", PE_CONFLICT, "future", "has no effect without causal=1",
      ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(every_query_beyond_the_threshold_sees_its_first_key_alike)
{
    double *psi =
        core_query_values("fire", "q=20:90&k=0&l=20&eps=0&out=psi&dtype=f64", "psi", NULL);

    for (int i = 0; i < 70; i++)
        ck_assert(psi[i] == 1);
    free(psi);
}
END_TEST

START_TEST(a_network_that_passes_psi_on_answers_psi)
{
    double *psi = core_query_values("fire", "len=30&out=psi", "psi", NULL);
    double *bias = core_query_values("fire", "len=30&w1=2&w2=.5", "bias", NULL);

    ck_assert_mem_eq(bias, psi, 900 * sizeof *psi);
    free(psi);
    free(bias);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(every_query_beyond_the_threshold_sees_its_first_key_alike),
    TEST(a_network_that_passes_psi_on_answers_psi),
};

const struct suite fire_suite = {SUITE_TESTS(tests)};
