/* SPDX-License-Identifier: Apache-2.0
 * test_levit_bias.c - LeViT's distances: worked examples, a law, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"levit-bias", "resolution=2x3", "index",
     "0 1 2 3 4 5 1 0 1 4 3 4 2 1 0 5 4 3 3 4 5 0 1 2 4 3 4 1 0 1 5 4 3 2 1 0"},
    {"levit-bias", "resolution=3x3&stride=2", "index",
     "0 1 2 3 4 5 6 7 8 2 1 0 5 4 3 8 7 6 6 7 8 3 4 5 0 1 2 8 7 6 5 4 3 2 1 0"},
    {"levit-bias", "resolution=1x2&out=bias&table=1,2;3,4", "bias", "1 2 2 1 3 4 4 3"},
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
    {"levit-bias",
     {"resolution=2x2&stride=0", PE_OUT_OF_RANGE, "stride",
      "must be a whole number, 1..65536; got 0", ""}},
    {"levit-bias",
     {"resolution=2x2&out=bias&table=1,2;3,4", PE_CONFLICT, "table",
      "must have 4 columns, one an index; got 2", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(strided_queries_are_rows_of_the_whole_matrix)
{
    double *whole = core_query_values("levit-bias", "resolution=4x5", "index", NULL);
    double *strided = core_query_values("levit-bias", "resolution=4x5&stride=2", "index", NULL);

    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 20; j++)
            ck_assert(strided[20 * i + j] == whole[20 * (i / 3 * 10 + i % 3 * 2) + j]);
    free(whole);
    free(strided);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(strided_queries_are_rows_of_the_whole_matrix),
};

const struct suite levit_bias_suite = {SUITE_TESTS(tests)};
