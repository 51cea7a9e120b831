/* SPDX-License-Identifier: Apache-2.0
 * test_softcap.c - tanh caps: worked examples, a law, refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"softcap", "logits=50&cap=30", "capped", "27.9333"},
    {"softcap", "logits=50,-50;0,1e30&cap=30", "capped", "27.9333 -27.9333 0 30"},
    {"softcap", "logits=50,-3&cap=0", "capped", "50 -3"},
    {"softcap", "logits=1e-30,2&cap=-1&dtype=f64", "capped", "1e-30 2"},
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
    {"softcap",
     {"cap=30", PE_MISSING_PARAMETER, "logits",
      "is required: numbers to bend, in rows: 50,-3;1,2", ""}},
    {"softcap",
     {"logits=1,2;3", PE_BAD_VALUE, "logits",
      "must have rows of one length; row 2 differs from the first", ""}},
    {"softcap", {"logits=1e39", PE_OUT_OF_RANGE, "logits", "must be rows of numbers", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(results_keep_order_and_sign_below_the_cap)
{
    size_t count;
    double *values = core_query_values(
        "softcap", "logits=-9,-1,-1e-9,0,1e-9,1,9&cap=2&dtype=f64", "capped", &count);

    for (size_t i = 0; i < count; i++) {
        ck_assert(fabs(values[i]) < 2 && values[i] == -values[count - 1 - i]);
        ck_assert(i == 0 || values[i] > values[i - 1]);
    }
    free(values);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(results_keep_order_and_sign_below_the_cap),
};

const struct suite softcap_suite = {SUITE_TESTS(tests)};
