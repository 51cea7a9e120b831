/* SPDX-License-Identifier: Apache-2.0
 * test_rerope.c - ReRoPE and its leaky form: worked examples, laws, refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"rerope", "q=7:8&k=0:8&window=4", "distance", "4 4 4 4 3 2 1 0"},
    {"rerope", "q=0:2&k=0:3", "distance", "0 -1 -2 1 0 -1"},
    {"rerope", "q=5:8&out=q_positions&window=4", "q_positions", "4 4 4"},
    {"rerope", "k=5:8&out=k_positions", "k_positions", "0 0 0"},
    {"rerope", "q=4095&out=logn_factor&training_length=512", "logn_factor", "1.33333"},
    {"leaky-rerope", "q=7:8&k=7:-1:-1&window=4", "distance", "0 1 2 3 4 4.125 4.25 4.375"},
    {"leaky-rerope", "q=8&out=q_positions&window=4&leaky_k=4", "q_positions", "5"},
    {"leaky-rerope", "k=8,9&out=k_positions&leaky_k=4", "k_positions", "2 2.25"},
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
    {"rerope",
     {"q=0:4", PE_MISSING_PARAMETER, "k", "is required, or len: positions of the keys", ""}},
    {"rerope",
     {"k=0:4", PE_MISSING_PARAMETER, "q", "is required, or len: positions of the queries", ""}},
    {"rerope",
     {"len=4&q=0:4", PE_CONFLICT, "len", "means q=0:len and k=0:len; give it alone", ""}},
    {"rerope",
     {"len=4&window=0", PE_OUT_OF_RANGE, "window", "must be a whole number, 1..", ""}},
    {"rerope",
     {"q=0:4&out=logn_factor", PE_MISSING_PARAMETER, "training_length",
      "is required for out=logn_factor", ""}},
    {"rerope",
     {"q=-1:4&out=logn_factor&training_length=8", PE_OUT_OF_RANGE, "q",
      "must be 0 or more for out=logn_factor, the logarithm of q + 1; got -1", ""}},
    {"leaky-rerope",
     {"len=4&leaky_k=0", PE_OUT_OF_RANGE, "leaky_k", "must be a whole number, 1..65536; got 0",
      ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(leaking_at_full_speed_is_plain_rope_and_very_slowly_is_rerope)
{
    double *plain, *slow, *rectified;

    plain = core_query_values("leaky-rerope", "len=9&window=3&leaky_k=1", "distance", NULL);
    slow = core_query_values("leaky-rerope", "len=9&window=3&leaky_k=65536", "distance", NULL);
    rectified = core_query_values("rerope", "len=9&window=3", "distance", NULL);
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 9; j++) {
            ck_assert(plain[9 * i + j] == i - j);
            ck_assert(fabs(slow[9 * i + j] - rectified[9 * i + j]) < 2e-4);
        }
    }
    free(plain);
    free(slow);
    free(rectified);
}
END_TEST

START_TEST(the_second_matrix_has_the_distances_beyond_the_window)
{
    static const char query[] = "q=40&k=3&window=8&leaky_k=4&dtype=f64";
    double *distance = core_query_values("leaky-rerope", query, "distance", NULL);
    double *q =
        core_query_values("leaky-rerope", "q=40&window=8&leaky_k=4&out=q_positions&dtype=f64",
                          "q_positions", NULL);
    double *k = core_query_values("leaky-rerope", "k=3&leaky_k=4&out=k_positions&dtype=f64",
                                  "k_positions", NULL);

    ck_assert(q[0] - k[0] == distance[0]);
    free(distance);
    free(q);
    free(k);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(leaking_at_full_speed_is_plain_rope_and_very_slowly_is_rerope),
    TEST(the_second_matrix_has_the_distances_beyond_the_window),
};

const struct suite rerope_suite = {SUITE_TESTS(tests)};
