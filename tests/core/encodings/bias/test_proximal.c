/* SPDX-License-Identifier: Apache-2.0
 * test_proximal.c - a bias of the logarithm: worked examples, laws, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"proximal", "q=10&k=9,0,10,11", "bias", "-.693147 -2.39790 0 -.693147"},
    {"proximal", "len=2&causal=1&mask_value=-inf", "bias", "0 -inf -.693147 0"},
    {"proximal", "len=2&causal=1&future=zero", "bias", "0 0 -.693147 0"},
    {"proximal", "len=2&out=toeplitz&dtype=f64", "toeplitz",
     "-.69314718055994531 0 -.69314718055994531"},
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
    {"proximal",
     {"len=4&future=zero", PE_CONFLICT, "future", "has no effect without causal=1", ""}},
    {"proximal",
     {"len=4&mask_value=-inf", PE_CONFLICT, "mask_value", "has no effect without causal=1",
      ""}},
    {"proximal",
     {"len=4&causal=1&future=zero&mask_value=-inf", PE_CONFLICT, "mask_value",
      "has no effect without future=masked", ""}},
    {"proximal",
     {"len=4&causal=1&dtype=f16&mask_value=-1e6", PE_CONFLICT, "mask_value",
      "must be within +-65504, the range of the dtype; got -1000000", ""}},
    {"proximal",
     {"q=0:4:2&k=0:4&out=toeplitz", PE_CONFLICT, "q",
      "must be one slice of step 1 for out=toeplitz", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(the_bias_is_the_same_by_difference)
{
    double *matrix = core_query_values("proximal", "q=3:8&k=0:11", "bias", NULL);
    double *compact =
        core_query_values("proximal", "q=3:8&k=0:11&out=toeplitz", "toeplitz", NULL);

    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 11; j++)
            ck_assert(matrix[i * 11 + j] == compact[i + 10 - j]);
    free(matrix);
    free(compact);
}
END_TEST

START_TEST(far_distances_add_a_logarithm)
{
    double *bias =
        core_query_values("proximal", "q=0&k=9007199254740991&dtype=f64", "bias", NULL);

    ck_assert(bias[0] == -36.7368005696771);
    free(bias);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(the_bias_is_the_same_by_difference),
    TEST(far_distances_add_a_logarithm),
};

const struct suite proximal_suite = {SUITE_TESTS(tests)};
