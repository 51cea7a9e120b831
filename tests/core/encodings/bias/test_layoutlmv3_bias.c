/* SPDX-License-Identifier: Apache-2.0
 * test_layoutlmv3_bias.c - biases on a page: worked examples, a law, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"layoutlmv3-bias",
     "position_ids=0,1&boxes=0,0,9,9;2,0,29,10&out=bias&head_dim=4"
     "&rel_pos_bins=4&max_rel_pos=2&rel_2d_pos_bins=4&max_rel_2d_pos=2"
     "&table=1;2;3;4&table_x=10;20;30;40&table_y=100;200;300;400",
     "bias", "55.5 222 111 55.5"},
    {"layoutlmv3-bias", "boxes=7,0,0,5;0,0,0,5&out=buckets_x,buckets_y", "buckets_x",
     "0 7 39 0"},
    {"layoutlmv3-bias", "boxes=7,0,0,5;0,0,0,6&out=buckets_y", "buckets_y", "0 33 1 0"},
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
    {"layoutlmv3-bias",
     {"rel_pos_bins=8", PE_MISSING_PARAMETER, "position_ids",
      "is required: number of each token", ""}},
    {"layoutlmv3-bias",
     {"out=buckets_x", PE_MISSING_PARAMETER, "boxes", "is required: x0,y0,x1,y1 of each token",
      ""}},
    {"layoutlmv3-bias",
     {"out=buckets_x&boxes=1,2,3", PE_CONFLICT, "boxes", "must have rows of 4; got 3", ""}},
    {"layoutlmv3-bias",
     {"out=buckets_x&boxes=1,2,3,4.5", PE_BAD_VALUE, "boxes",
      "must hold whole numbers; got 4.5", ""}},
    {"layoutlmv3-bias",
     {"position_ids=0:2&max_rel_pos=8", PE_CONFLICT, "max_rel_pos",
      "must be above 8, a quarter of rel_pos_bins", ""}},
    {"layoutlmv3-bias",
     {"boxes=1,2,3,4&out=buckets_y&max_rel_2d_pos=16", PE_CONFLICT, "max_rel_2d_pos",
      "must be above 16, a quarter of rel_2d_pos_bins", ""}},
    {"layoutlmv3-bias",
     {"position_ids=0,1&boxes=0,0,9,9&out=bias&head_dim=4&rel_pos_bins=4"
      "&max_rel_pos=2&rel_2d_pos_bins=4&max_rel_2d_pos=2&table=1;2;3;4"
      "&table_x=1;2;3;4&table_y=1;2;3;4",
      PE_CONFLICT, "boxes", "must have one row a token, 2; got 1", ""}},
    {"layoutlmv3-bias",
     {"position_ids=0&boxes=0,0,9,9&out=bias&head_dim=4&rel_pos_bins=4"
      "&max_rel_pos=2&rel_2d_pos_bins=4&max_rel_2d_pos=2&table=1;2;3;4"
      "&table_x=1,1;2,2;3,3;4,4&table_y=1;2;3;4",
      PE_CONFLICT, "table_x", "must have as many heads as table, 1; got 2", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(tokens_in_the_text_have_t5s_buckets)
{
    double *layout =
        core_query_values("layoutlmv3-bias", "position_ids=0:150", "buckets", NULL);
    double *t5 = core_query_values("t5", "len=150", "buckets", NULL);

    for (int i = 0; i < 150 * 150; i++)
        ck_assert(layout[i] == t5[i]);
    free(layout);
    free(t5);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(tokens_in_the_text_have_t5s_buckets),
};

const struct suite layoutlmv3_bias_suite = {SUITE_TESTS(tests)};
