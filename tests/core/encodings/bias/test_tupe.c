/* SPDX-License-Identifier: Apache-2.0
 * test_tupe.c - TUPE's untied positions: worked examples, a law, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"tupe", "len=2&table=2,0;0,1;1,-1&layer_norm=0", "bias", "2 2 0.5 1"},
    {"tupe",
     "len=2&dtype=f64&table=2,0;0,1;1,-1&ln_weight=1,2&ln_bias=0,1&wq=1,2;3,4"
     "&bq=1,0&relative_table=1;2;3;4;5&max_distance=3",
     "bias", "3.4999900001624981 3.4999900001624981 15.499760008599676 1.4999900001624981"},
    {"tupe", "len=1&table=3,4;0,0&layer_norm=0&wk=0,1;1,0&bk=1,2&heads=1", "bias", "17.5"},
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
    {"tupe",
     {"len=2&table=1,2;3,4;5,6&heads=3", PE_CONFLICT, "heads",
      "must divide the columns of table, 2; got 3", ""}},
    {"tupe",
     {"len=2&table=1,2;3,4;5,6&wq=1,2", PE_CONFLICT, "wq",
      "must have 2 rows of 2, as table has columns; got 1 of 2", ""}},
    {"tupe",
     {"len=2&table=1,2;3,4;5,6&bk=1", PE_CONFLICT, "bk",
      "must have 2 numbers, as table has columns; got 1", ""}},
    {"tupe",
     {"len=2&table=1,2;3,4;5,6&layer_norm=0&ln_bias=1,1", PE_CONFLICT, "ln_bias",
      "has no effect with layer_norm=0", ""}},
    {"tupe",
     {"len=2&table=1,2;3,4;5,6&num_buckets=4", PE_CONFLICT, "num_buckets",
      "has no effect without relative_table", ""}},
    {"tupe",
     {"len=2&table=1,2;3,4;5,6&relative_table=1;2;3;4;5;6;7;8;9&num_buckets=4", PE_CONFLICT,
      "relative_table",
      "must have num_buckets + 1 rows, 5, of one number a head, 1; got 9 of 1", ""}},
    {"tupe",
     {"len=3&table=1,2;3,4;5,6", PE_CONFLICT, "table",
      "must have len + 1 rows or more, 4; got 3", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(the_relative_part_is_t5s_with_the_buckets_of_tupe)
{
    double *both = core_query_values(
        "tupe", "len=5&table=0;0;0;0;0;0&layer_norm=0&relative_table=1;2;3;4;5&max_distance=3",
        "bias", NULL);
    double *alone = core_query_values(
        "t5", "len=5&out=bias&variant=tupe&num_buckets=4&max_distance=3&table=1;2;3;4;5",
        "bias", NULL);

    for (int i = 0; i < 25; i++)
        ck_assert(both[i] == alone[i]);
    free(both);
    free(alone);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(the_relative_part_is_t5s_with_the_buckets_of_tupe),
};

const struct suite tupe_suite = {SUITE_TESTS(tests)};
