/* SPDX-License-Identifier: Apache-2.0
 * test_dape.c - scores and biases mixed by networks: worked examples, laws, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"dape", "scores=1&bias=-.5&w1=1,.5;-1,.2&w2=.3,-.2&b2=.05", "mixed", ".777200"},
    {"dape", "scores=1,-1&w1=1&w2=1", "mixed", "2 -1.01000"},
    {"dape", "scores=1,-1&w1=1&w2=2&b1=-2&negative_slope=.5", "mixed", "0 -4"},
    {"dape-v2", "scores=1&bias=-.5&kernel_size=1&w1=1,.5;-1,.2&w2=.3,-.2&b2=.05", "mixed",
     ".777200"},
    {"dape-v2", "scores=1,2,3&w1=1,10,100&w2=0,1,0", "mixed", "211 323 35"},
    {"dape-v2", "scores=1,2,3&w1=0,1,0&w2=1,10,100", "mixed", "211 323 35"},
    {"dape-v2", "scores=1,2;3,4&w1=0,1,0&w2=0,1,0", "mixed", "2 2 6 8"},
    {"dape-v2", "scores=1,2;3,4&bias=8,8;8,8&w1=0,0,0,0,1,0&w2=0,1,0", "mixed", "17 10 19 20"},
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
    {"dape",
     {"scores=1,2&w1=1,2&w2=1", PE_CONFLICT, "w1", "must have 1 rows of 1; got 1 of 2", ""}},
    {"dape",
     {"scores=1,2&w1=1&w2=1,2", PE_CONFLICT, "w2", "must have 1 rows of 1; got 1 of 2", ""}},
    {"dape",
     {"scores=1,2&bias=1&w1=1,2&w2=1", PE_CONFLICT, "bias",
      "must have the shape of scores, 1,1,2", ""}},
    {"dape",
     {"scores=1,2&w1=1&w2=1&b1=1,2", PE_CONFLICT, "b1", "must have 1 rows of 1; got 1 of 2",
      ""}},
    {"dape-v2",
     {"scores=1,2&w1=1,2&kernel_size=2&w2=1,2", PE_OUT_OF_RANGE, "kernel_size",
      "must be odd; got 2", ""}},
    {"dape-v2",
     {"scores=1,2&w1=1&w2=1,2,3", PE_CONFLICT, "w1", "must have 1 rows of 3; got 1 of 1", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(every_division_of_the_keys_mixes_alike)
{
    struct pe_plan *plan =
        core_query_plan(core_query_find("dape-v2"),
                        "scores=f64:2x3x200&bias=f64:2x3x200&kernel_size=5&dtype=f64"
                        "&w1=1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2&w2=1,2,3,4,5;5,4,3,2,1");
    void *inputs[CORE_TENSOR_MAX] = {NULL};
    double *whole, part[7];
    void *out[] = {part};
    void *scratch = malloc(pe_plan_scratch(plan, 7));
    const struct pe_rect rect = {4, 1, 61, 7};

    core_tensor_draw_inputs(plan, inputs);
    whole = core_tensor_bytes(plan, 0, inputs);
    pe_fill(plan, 0, &rect, out, (const void *const *)inputs, scratch);
    ck_assert_mem_eq(part, whole + 4 * 200 + 61, sizeof part);
    free(scratch);
    free(whole);
    core_tensor_free_inputs(inputs);
    pe_plan_free(plan);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(every_division_of_the_keys_mixes_alike),
};

const struct suite dape_suite = {SUITE_TESTS(tests)};
