/* SPDX-License-Identifier: Apache-2.0
 * test_deberta.c - DeBERTa's buckets: worked examples, a law, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"deberta", "q=128,129,131,200,300,511,-511,512,2999&k=0", "buckets",
     "128 129 131 169 207 255 -255 256 418"},
    {"deberta", "q=512,2999,-2999&k=0&clamp_distance=1", "buckets", "255 255 -255"},
    {"deberta", "q=5,6,7,9,10,15&k=0&position_buckets=8&max_relative_positions=16", "buckets",
     "5 5 6 6 7 7"},
    {"deberta", "q=0:2&k=0:4&position_buckets=-1&max_relative_positions=-1", "buckets",
     "0 -1 -2 -3 1 0 -1 -2"},
    {"deberta", "q=9&k=0&position_buckets=2&max_relative_positions=16", "buckets", "1"},
    {"deberta", "len=2&out=c2p&position_buckets=-1&key_table=1,0;0,1&queries=1,2;3,4", "c2p",
     "2 1 4 4"},
    {"deberta", "len=2&out=p2c&position_buckets=-1&query_table=1,1;2,0&keys=1,0;0,1", "p2c",
     "2 1 2 0"},
    {"deberta",
     "len=2&out=bias&position_buckets=-1&key_table=1,0;0,1&query_table=1,1;2,0"
     "&queries=1,2;3,4&keys=1,0;0,1",
     "bias", "1.63299 0.816497 2.44949 1.63299"},
    {"deberta",
     "len=2&out=bias&terms=c2p&position_buckets=-1&key_table=2,0;0,2"
     "&queries=1,2;3,4",
     "bias", "2 1 4 4"},
    {"deberta",
     "len=2&out=bias&terms=p2c&position_buckets=-1&query_table=2,2;4,0"
     "&keys=1,0;0,1",
     "bias", "2 1 2 0"},
    {"deberta",
     "q=0,9&k=0&out=c2p&position_buckets=2&max_relative_positions=4"
     "&key_table=1;2;3;4&queries=1;1",
     "c2p", "3 4"},
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
    {"deberta",
     {"len=4&position_buckets=1", PE_CONFLICT, "position_buckets", "must be at least 2, or -1",
      ""}},
    {"deberta",
     {"len=4&max_relative_positions=129", PE_CONFLICT, "max_relative_positions",
      "must be above 129, half of position_buckets and one; got 129", ""}},
    {"deberta",
     {"len=4&position_buckets=-1&clamp_distance=1", PE_CONFLICT, "clamp_distance",
      "has no effect without position_buckets", ""}},
    {"deberta", {"k=0:4", PE_MISSING_PARAMETER, "q", "is required, or len", ""}},
    {"deberta",
     {"len=2&out=c2p&key_table=1,0;0,1", PE_MISSING_PARAMETER, "queries", "is required for c2p",
      ""}},
    {"deberta",
     {"len=2&out=p2c&keys=1,0;0,1", PE_MISSING_PARAMETER, "query_table", "is required for p2c",
      ""}},
    {"deberta",
     {"len=2&out=c2p&position_buckets=2&max_relative_positions=4&key_table=1;2"
      "&queries=1;1",
      PE_CONFLICT, "key_table", "must have 4 rows of 1 elements", ""}},
    {"deberta",
     {"len=2&out=c2p&position_buckets=-1&key_table=1;2;3&queries=1;1", PE_CONFLICT, "key_table",
      "must have an even count of rows, half for either sign; got 3", ""}},
    {"deberta",
     {"len=2&out=bias&position_buckets=-1&key_table=1;2&query_table=1;2;3;4"
      "&queries=1;1&keys=1;1",
      PE_CONFLICT, "query_table", "must have as many rows as key_table, 2; got 4", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(buckets_are_odd_and_never_fall)
{
    double *buckets = core_query_values("deberta", "q=-4000:4001&k=0", "buckets", NULL);

    for (int i = 1; i < 8001; i++)
        ck_assert(buckets[i] >= buckets[i - 1] && buckets[8000 - i] == -buckets[i]);
    free(buckets);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(buckets_are_odd_and_never_fall),
};

const struct suite deberta_suite = {SUITE_TESTS(tests)};
