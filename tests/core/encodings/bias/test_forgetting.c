/* SPDX-License-Identifier: Apache-2.0
 * test_forgetting.c - sums of gates: worked examples, laws, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"forgetting", "gates=-.1,-.2,-.3&mask_value=-inf&dtype=f32", "bias",
     "0 -inf -inf -.200000 0 -inf -.500000 -.300000 0"},
    {"forgetting", "gates=-.5,-.25,-.125&q=2:3", "bias", "-.375 -.125 0"},
    {"forgetting", "gates=-.5,-.25,-.125&future_gates=-1,-2,-4&q=0,1", "bias",
     "0 -2 -6 -.25 0 -4"},
    {"forgetting", "gates=0,0,2&kind=logit&mask_value=-inf", "bias",
     "0 -inf -inf -.693147 0 -inf -.820075 -.126928 0"},
    {"forgetting", "gates=0,0&kind=logit&scale=2&q=1", "bias", "-1.38629 0"},
    {"forgetting", "gates=-1,-2;-4,-8&q=1", "bias", "-2 0 -8 0"},
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
    {"forgetting",
     {"gates=-1,-2&scale=2", PE_CONFLICT, "scale", "has no effect without kind=logit", ""}},
    {"forgetting",
     {"gates=-1,-2&q=2", PE_OUT_OF_RANGE, "q", "must be tokens of gates, 0..1", ""}},
    {"forgetting",
     {"gates=-1,-2&future_gates=-1,-2,-3", PE_CONFLICT, "future_gates",
      "must have the shape of gates, 1 heads of 2", ""}},
    {"forgetting",
     {"gates=-1,-2&future_gates=-1,-2&mask_value=-inf", PE_CONFLICT, "mask_value",
      "has no effect with future_gates", ""}},
    {"forgetting", {"q=0", PE_MISSING_PARAMETER, "gates", "is required: forget gates", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(equal_gates_are_a_slope)
{
    double *bias =
        core_query_values("forgetting", "gates=-.5,-.5,-.5,-.5,-.5,-.5", "bias", NULL);
    double *line = core_query_values("alibi", "heads=1&slopes=.5&len=6&causal=1", "bias", NULL);

    ck_assert_mem_eq(bias, line, 36 * sizeof *line);
    free(bias);
    free(line);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(equal_gates_are_a_slope),
};

const struct suite forgetting_suite = {SUITE_TESTS(tests)};
