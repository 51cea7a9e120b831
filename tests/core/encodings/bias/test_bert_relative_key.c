/* SPDX-License-Identifier: Apache-2.0
 * test_bert_relative_key.c - BERT's relative keys: worked examples, a law, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"bert-relative-key", "len=3&max_pos=3", "index", "2 1 0 3 2 1 4 3 2"},
    {"bert-relative-key", "q=2&k=0:3&max_pos=3", "index", "4 3 2"},
    {"bert-relative-key", "len=2&max_pos=2&out=bias&table=1,2;3,4;5,6&queries=1,0;0,1&scaled=0",
     "bias", "3 1 6 4"},
    {"bert-relative-key",
     "len=2&max_pos=2&out=query_key_bias&table=1,2;3,4;5,6&queries=1,0;0,1"
     "&keys=1,1;2,0&scaled=0",
     "query_key_bias", "10 3 17 10"},
    {"bert-relative-key",
     "len=2&max_pos=2&out=bias&table=1,0,0,0;2,0,0,0;3,0,0,0&queries=1,0,0,0;1,0,0,0", "bias",
     "1 0.5 1.5 1"},
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
    {"bert-relative-key",
     {"len=4&max_pos=3", PE_OUT_OF_RANGE, "len",
      "must keep queries and keys within 2 of each other, max_pos less 1: "
      "distances are not clipped; got 3",
      ""}},
    {"bert-relative-key",
     {"q=5&k=0:6&max_pos=3", PE_OUT_OF_RANGE, "k", "must keep queries and keys within 2", ""}},
    {"bert-relative-key",
     {"len=2&max_pos=2&out=bias&table=1,2;3,4&queries=1,0;0,1", PE_CONFLICT, "table",
      "must have 3 rows of 2 elements", ""}},
    {"bert-relative-key",
     {"len=2&max_pos=2&out=query_key_bias&table=1,2;3,4;5,6&queries=1,0;0,1&keys=1;2",
      PE_CONFLICT, "keys", "must have 1 heads of 2 elements, as the queries; got 1 of 1", ""}},
    {"bert-relative-key",
     {"len=2", PE_MISSING_PARAMETER, "max_pos", "is required: positions the table is for", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(shaws_index_runs_the_other_way)
{
    double *bert = core_query_values("bert-relative-key", "len=5&max_pos=5", "index", NULL);
    double *shaw = core_query_values("shaw", "len=5&max_relative=4", "index", NULL);

    for (int i = 0; i < 25; i++)
        ck_assert(bert[i] + shaw[i] == 8);
    free(bert);
    free(shaw);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(shaws_index_runs_the_other_way),
};

const struct suite bert_relative_key_suite = {SUITE_TESTS(tests)};
