/* SPDX-License-Identifier: Apache-2.0
 * test_sink_softmax.c - softmax with a sink: worked examples, a law, refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"
#include <stdio.h>

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"sink-softmax", "logits=1,2&sink=0.5", "probabilities", "0.231224 0.628532"},
    {"sink-softmax", "logits=1,2", "probabilities", "0.268941 0.731059"},
    {"sink-softmax", "logits=1,2&sink=0.5&out=sink_probability", "sink_probability",
     "0.140244"},
    {"sink-softmax", "logits=1,2;1,2&sink=0.5&mask=1,1;0,0", "probabilities",
     "0.231224 0.628532 0 0"},
    {"sink-softmax", "logits=1,2;1,2&sink=0,0.5&mask=0,0;1,1&out=sink_probability",
     "sink_probability", "1 0.140244"},
    {"sink-softmax", "logits=3e38,-3e38&sink=0", "probabilities", "1 0"},
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
    {"sink-softmax",
     {"logits=1,2;3,4;5,6&sink=1,2", PE_CONFLICT, "sink",
      "must have one number, or one a row of logits, 3; got 2", ""}},
    {"sink-softmax",
     {"logits=1,2&out=sink_probability", PE_MISSING_PARAMETER, "sink",
      "is required for out=sink_probability", ""}},
    {"sink-softmax",
     {"logits=1,2&mask=0,0", PE_CONFLICT, "mask",
      "leaves nothing in row 0, whose softmax is then undefined; give sink", ""}},
    {"sink-softmax",
     {"logits=1,2&mask=1,0.5", PE_BAD_VALUE, "mask", "must hold 0 and 1; got 0.5", ""}},
    {"sink-softmax",
     {"logits=1,2&mask=1,0,1", PE_CONFLICT, "mask",
      "must have the shape of logits, 1 rows of 2; got 1 of 3", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(a_row_and_its_sink_sum_to_one)
{
    static const char query[] =
        "logits=1,-2,30,4;5,6,7,8&sink=3,9&mask=1,1,0,1;1,0,1,1&dtype=f64";
    double *shares = core_query_values("sink-softmax", query, "probabilities", NULL);
    double *sinks;
    char both[160];

    snprintf(both, sizeof both, "%s&out=sink_probability", query);
    sinks = core_query_values("sink-softmax", both, "sink_probability", NULL);
    for (size_t row = 0; row < 2; row++) {
        double sum = sinks[row];

        for (size_t col = 0; col < 4; col++)
            sum += shares[4 * row + col];
        ck_assert(fabs(sum - 1) < 1e-15);
    }
    free(shares);
    free(sinks);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(a_row_and_its_sink_sum_to_one),
};

const struct suite sink_softmax_suite = {SUITE_TESTS(tests)};
