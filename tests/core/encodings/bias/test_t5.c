/* SPDX-License-Identifier: Apache-2.0
 * test_t5.c - T5's buckets: worked examples, laws, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"t5", "q=1&k=0,1,2", "buckets", "1 0 17"},
    {"t5", "q=0:13&k=0", "buckets", "0 1 2 3 4 5 6 7 8 8 8 8 9"},
    {"t5", "q=15,16,22,23,31,32,45,46,63,64,90,91,1000&k=0", "buckets",
     "9 10 10 11 11 12 12 13 13 14 14 15 15"},
    {"t5", "q=0&k=1,8,128", "buckets", "17 24 31"},
    {"t5", "bidirectional=0&q=15,16,18,19,20,21,23,24,26,27,30,31,34,35,39,40,45,46&k=0",
     "buckets", "15 16 16 17 17 18 18 19 19 20 20 21 21 22 22 23 23 24"},
    {"t5", "bidirectional=0&q=51,52,58,59,66,67,76,77,86,87,98,99,112,113,4000&k=0", "buckets",
     "24 25 25 26 26 27 27 28 28 29 29 30 30 31 31"},
    {"t5", "bidirectional=0&q=0&k=0:4", "buckets", "0 0 0 0"},
    {"t5", "len=3&variant=tupe", "buckets", "16 16 16 32 0 17 32 1 0"},
    {"t5",
     "q=1&k=0,1,2&out=bias&table="
     "0;1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;"
     "16;17;18;19;20;21;22;23;24;25;26;27;28;29;30;31",
     "bias", "1 0 17"},
    {"t5", "q=1&k=0,1,2&out=bias&num_buckets=4&max_distance=3&table=1,2;3,4;5,6;7,8&scale=2",
     "bias", "6 2 14 8 4 16"},
    {"t5", "q=1&k=0,1&out=bias&num_buckets=4&max_distance=3&table=1;3;5;7&head_dim=4", "bias",
     "6 2"},
    {"t5", "len=2&out=bias&variant=tupe&num_buckets=4&max_distance=3&table=1;3;5;7;9", "bias",
     "5 5 9 1"},
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
    {"t5",
     {"q=0:4", PE_MISSING_PARAMETER, "k", "is required, or len: positions of the keys", ""}},
    {"t5",
     {"len=4&num_buckets=3", PE_CONFLICT, "num_buckets",
      "must be even and at least 4, half of them for either direction; got 3", ""}},
    {"t5",
     {"len=4&num_buckets=2", PE_CONFLICT, "num_buckets", "must be even and at least 4", ""}},
    {"t5",
     {"len=4&max_distance=8", PE_CONFLICT, "max_distance",
      "must be above 8, the distances that have a bucket each; got 8", ""}},
    {"t5",
     {"len=4&bidirectional=0&max_distance=16", PE_CONFLICT, "max_distance", "must be above 16",
      ""}},
    {"t5",
     {"len=4&variant=tupe&bidirectional=0", PE_CONFLICT, "variant",
      "must be t5 with bidirectional=0", ""}},
    {"t5",
     {"len=2&out=bias&num_buckets=4&max_distance=3&table=1,2;3,4", PE_CONFLICT, "table",
      "must have 4 rows; got 2", ""}},
    {"t5",
     {"len=2&out=bias", PE_MISSING_PARAMETER, "table",
      "is required: learned biases, a row a bucket", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(the_future_has_the_buckets_of_the_past_in_the_second_half)
{
    double *past = core_query_values("t5", "q=1:500&k=0", "buckets", NULL);
    double *future = core_query_values("t5", "q=0&k=1:500", "buckets", NULL);

    for (int i = 0; i < 499; i++)
        ck_assert(future[i] == past[i] + 16);
    free(past);
    free(future);
}
END_TEST

START_TEST(scattered_keys_have_the_buckets_of_whole_slices)
{
    double *slice = core_query_values("t5", "q=90:100&k=0:200", "buckets", NULL);
    double *scattered = core_query_values("t5", "q=95&k=7,199,3,100", "buckets", NULL);

    ck_assert(scattered[0] == slice[5 * 200 + 7] && scattered[1] == slice[5 * 200 + 199]);
    ck_assert(scattered[2] == slice[5 * 200 + 3] && scattered[3] == slice[5 * 200 + 100]);
    free(slice);
    free(scattered);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(the_future_has_the_buckets_of_the_past_in_the_second_half),
    TEST(scattered_keys_have_the_buckets_of_whole_slices),
};

const struct suite t5_suite = {SUITE_TESTS(tests)};
