/* SPDX-License-Identifier: Apache-2.0
 * test_logn.c - the factor of ln(position): worked examples, a law, refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"logn", "pos=511,512,4095&train_length=512", "factor", "1 1.00031 1.33333"},
    {"logn", "length=1024&train_length=512", "factor", "1.11111"},
    {"logn", "pos=8191&train_length=2048", "factor", "1.18182"},
    {"logn", "pos=0,511&train_length=512", "factor", "1 1"},
    {"logn", "pos=0,511&train_length=512&clip=0&dtype=f64", "factor", "0 1"},
    {"logn", "length=8&train_length=64&clip=0", "factor", "0.500000"},
    {"logn", "length=8&train_length=64", "factor", "1"},
    {"logn", "pos=0,3&kappa=0.5&clip=0", "factor", "0 0.693147"},
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
    {"logn", {"train_length=512", PE_MISSING_PARAMETER, "pos", "is required, or length", ""}},
    {"logn",
     {"pos=1&length=4&train_length=512", PE_CONFLICT, "length",
      "is one factor, pos a list of them; give one", ""}},
    {"logn", {"pos=1", PE_MISSING_PARAMETER, "train_length", "is required, or kappa", ""}},
    {"logn",
     {"pos=1&train_length=512&kappa=1", PE_CONFLICT, "kappa",
      "stands in for 1 / ln(train_length); give one of them", ""}},
    {"logn",
     {"pos=-1&train_length=512", PE_OUT_OF_RANGE, "pos",
      "must be above -1, where ln(pos + 1) ends; got -1", ""}},
    {"logn",
     {"pos=1&train_length=1", PE_OUT_OF_RANGE, "train_length",
      "must be a number, above 1..9007199254740992; got 1", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(the_base_of_the_logarithm_cancels)
{
    double *of_pos =
        core_query_values("logn", "pos=63&train_length=8&dtype=f64", "factor", NULL);
    double *of_length =
        core_query_values("logn", "length=64&train_length=8&dtype=f64", "factor", NULL);

    ck_assert(of_pos[0] == 2 && of_length[0] == 2); /* log2: 6 / 3 */
    free(of_pos);
    free(of_length);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(the_base_of_the_logarithm_cancels),
};

const struct suite logn_suite = {SUITE_TESTS(tests)};
