/* SPDX-License-Identifier: Apache-2.0
 * test_dca.c - dual chunk attention: worked examples, a law, refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"dca", "q=6&k=0:7&chunk_size=8&local_size=2", "distance", "6 5 4 3 2 1 0"},
    {"dca", "q=11&k=0:12&chunk_size=8&local_size=2", "distance", "8 7 6 5 4 3 5 4 3 2 1 0"},
    {"dca", "q=17&k=0:18&chunk_size=8&local_size=2", "distance",
     "8 7 6 5 4 3 8 7 6 5 4 3 5 4 3 2 1 0"},
    {"dca", "q=17&k=0,17&out=scaled_distance&scaling_factor=4&chunk_size=8&local_size=2",
     "scaled_distance", "2 0"},
    {"dca", "q=4,5,6,7&out=q_same,q_before&chunk_size=8&local_size=2", "q_same", "4 5 0 1"},
    {"dca", "q=4,5,6,7&out=q_same,q_before&chunk_size=8&local_size=2", "q_before", "8 8 6 7"},
    {"dca", "out=q_earlier&chunk_size=8&local_size=2", "q_earlier", "8"},
    {"dca", "out=q_earlier&chunk_size=8&local_size=5", "q_earlier", "5"},
    {"dca", "k=5:8&out=k_positions&chunk_size=8&local_size=2", "k_positions", "5 0 1"},
    {"dca", "out=tables&chunk_size=8&local_size=2", "tables",
     "0 1 2 3 4 5 6 7 8 8 8 8 0 1 2 3 4 5 6 7 8 9 10 11 8 9 10 11 12 13"},
    {"dca", "out=attention_factor&length=8192&train_length=4096", "attention_factor",
     "1.034657"},
    {"dca", "out=attention_factor&length=4096&train_length=4096", "attention_factor", "1"},
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
    {"dca",
     {"len=4&chunk_size=8", PE_MISSING_PARAMETER, "local_size",
      "is required: neighbours across chunks that keep their distance", ""}},
    {"dca",
     {"len=4&chunk_size=8&local_size=8", PE_CONFLICT, "local_size",
      "must be below chunk_size, 8; got 8", ""}},
    {"dca",
     {"q=-1&k=0&chunk_size=8&local_size=2", PE_OUT_OF_RANGE, "q", "must be 0 or more; got -1",
      ""}},
    {"dca",
     {"q=1&k=-2:0&chunk_size=8&local_size=2", PE_OUT_OF_RANGE, "k", "must be 0 or more; got -2",
      ""}},
    {"dca",
     {"len=4&scaling_factor=2&chunk_size=8&local_size=2", PE_CONFLICT, "scaling_factor",
      "has no effect on out=distance; leave it out", "out=scaled_distance uses it"}},
    {"dca",
     {"out=attention_factor&length=8", PE_MISSING_PARAMETER, "train_length",
      "is required: length the model was trained at", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(neighbours_keep_their_distance_and_no_distance_exceeds_a_chunk)
{
    size_t count;
    double *values =
        core_query_values("dca", "len=60&chunk_size=8&local_size=2", "distance", &count);

    for (int i = 0; i < 60; i++) {
        for (int j = 0; j <= i; j++) {
            double distance = values[60 * i + j];

            ck_assert(i - j > 2 || distance == i - j);
            ck_assert(distance >= 0 && distance <= 8);
        }
    }
    free(values);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(neighbours_keep_their_distance_and_no_distance_exceeds_a_chunk),
};

const struct suite dca_suite = {SUITE_TESTS(tests)};
