/* SPDX-License-Identifier: Apache-2.0
 * test_fope.c - mixes of frequencies: worked examples, a law, refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"fope", "pos=3&dim=8&num_inv_freq=2&cos_coef=1,2;3,4&sin_coef=1,1;1,-1&dtype=f64", "cos",
     "1.876016971 1.841360963 1 1"},
    {"fope", "pos=3&dim=8&num_inv_freq=2&cos_coef=1,2;3,4&sin_coef=1,1;1,-1&dtype=f64", "sin",
     "0.436640215 -0.154400199 1 1"},
    {"fope",
     "pos=3&dim=8&num_inv_freq=2&cos_coef=1,2;3,4&sin_coef=1,1;1,1&norm=1"
     "&pad=identity&dtype=f64",
     "sin", "0.218320107 0.218320107 0 0"},
    {"fope", "pos=3&dim=4&heads=2&num_inv_freq=1&cos_coef=1;2&sin_coef=1;2&dtype=f64", "cos",
     "-0.989992497 1 -1.979984993 1"},
    {"fope", "pos=3&dim=8&max_pos=64&cos_coef=1;0&sin_coef=1;0&dtype=f64", "cos",
     "-0.989992497 1 1 1"},
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
    {"fope",
     {"pos=0&dim=8&cos_coef=1&sin_coef=1", PE_CONFLICT, "num_inv_freq",
      "or max_pos says which frequencies are mixed; give one of them", ""}},
    {"fope",
     {"pos=0&dim=8&num_inv_freq=1&cos_coef=1&sin_coef=1,2", PE_CONFLICT, "sin_coef",
      "must have the shape of cos_coef, 1 rows of 1; got 1 of 2", ""}},
    {"fope",
     {"pos=0&dim=4&num_inv_freq=1&cos_coef=1,2,3&sin_coef=1,2,3", PE_CONFLICT, "cos_coef",
      "must have at most 2 columns, a pair each; got 3", ""}},
    {"fope",
     {"pos=0&dim=8&num_inv_freq=2&cos_coef=1&sin_coef=1", PE_CONFLICT, "cos_coef",
      "must have a row for every head and frequency; got 1", ""}},
    {"fope",
     {"pos=0&dim=4&num_inv_freq=3&cos_coef=1;1;1&sin_coef=1;1;1", PE_CONFLICT, "num_inv_freq",
      "must be at most the pairs, 2; got 3", ""}},
    {"fope",
     {"pos=0&dim=8&num_inv_freq=2&cos_coef=1;-1&sin_coef=1;1&norm=1", PE_OUT_OF_RANGE,
      "cos_coef", "must have columns whose sums norm can divide by; that of column 0 is 0",
      ""}},
    {"fope",
     {"pos=0&dim=8&max_pos=64&cos_coef=1&sin_coef=1", PE_CONFLICT, "cos_coef",
      "must have a row for every head and each of the 2 frequencies that turn "
      "once in max_pos; got 1",
      ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(coefficients_of_one_frequency_each_are_plain_rope)
{
    double *plain = core_query_values("rope", "pos=0:50:7&dim=4&dtype=f64", "sin", NULL);
    double *mix = core_query_values(
        "fope", "pos=0:50:7&dim=4&num_inv_freq=2&cos_coef=1,0;0,1&sin_coef=1,0;0,1&dtype=f64",
        "sin", NULL);

    for (size_t i = 0; i < 16; i++)
        ck_assert(plain[i] == mix[i]);
    free(plain);
    free(mix);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(coefficients_of_one_frequency_each_are_plain_rope),
};

const struct suite fope_suite = {SUITE_TESTS(tests)};
