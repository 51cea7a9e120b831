/* SPDX-License-Identifier: Apache-2.0
 * test_shaw.c - Shaw's relative vectors: worked examples, laws, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"shaw", "len=4&max_relative=2", "index", "2 3 4 4 1 2 3 4 0 1 2 3 0 0 1 2"},
    {"shaw", "q=100&k=0,99,100,107,108,300&left=64&right=8", "index", "0 63 64 71 72 72"},
    {"shaw", "len=2&max_relative=1&out=bias&table=1,2;3,4;5,6&queries=1,0;0,1&scaled=0", "bias",
     "3 5 2 4"},
    {"shaw", "len=2&max_relative=1&out=bias&table=1,2;3,4;5,6&queries=1,0;0,1", "bias",
     "2.12132 3.53553 1.41421 2.82843"},
    {"shaw", "len=2&max_relative=1&out=values&table=1,2;3,4;5,6&probabilities=1,0;0.5,0.5",
     "values", "3 4 2 3"},
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
    {"shaw",
     {"len=2", PE_MISSING_PARAMETER, "max_relative", "is required, or left and right", ""}},
    {"shaw",
     {"len=2&left=1", PE_MISSING_PARAMETER, "left", "and right must be given, both", ""}},
    {"shaw",
     {"len=2&left=1&right=1&max_relative=1", PE_CONFLICT, "max_relative",
      "means left and right; give it alone", ""}},
    {"shaw",
     {"len=2&max_relative=1&out=bias&table=1,2;3,4&queries=1,0;0,1", PE_CONFLICT, "table",
      "must have 3 rows of 2 elements, as wide as the vectors; got 2 of 2", ""}},
    {"shaw",
     {"len=3&max_relative=1&out=bias&table=1,2;3,4;5,6&queries=1,0;0,1", PE_CONFLICT, "queries",
      "must hold 3 queries along axis 1; got 2", ""}},
    {"shaw",
     {"len=2&max_relative=1&out=values&table=1,2;3,4;5,6&probabilities=1,0,0;0,1,0",
      PE_CONFLICT, "probabilities", "must hold 2 keys along axis 2; got 3", ""}},
    {"shaw",
     {"len=2&max_relative=1&out=bias&table=f32:3x3x2&queries=f32:2x2x2", PE_CONFLICT, "table",
      "must have 2 heads, or two axes; got 3", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(the_bias_is_the_product_with_the_row_of_the_index)
{
    double *bias = core_query_values(
        "shaw",
        "len=9&max_relative=3&out=bias&scaled=0&table=1;2;3;4;5;6;7&queries=1;2;3;4;5;6;7;8;9",
        "bias", NULL);
    double *index = core_query_values("shaw", "len=9&max_relative=3", "index", NULL);

    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++)
            ck_assert(bias[9 * i + j] == (i + 1) * (index[9 * i + j] + 1));
    free(bias);
    free(index);
}
END_TEST

START_TEST(all_attention_on_one_key_answers_its_row)
{
    double *values = core_query_values(
        "shaw", "q=5&k=3:6&left=2&right=0&out=values&table=1,2;3,4;5,6&probabilities=0,1,0",
        "values", NULL);

    ck_assert(values[0] == 3 && values[1] == 4);
    free(values);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(the_bias_is_the_product_with_the_row_of_the_index),
    TEST(all_attention_on_one_key_answers_its_row),
};

const struct suite shaw_suite = {SUITE_TESTS(tests)};
