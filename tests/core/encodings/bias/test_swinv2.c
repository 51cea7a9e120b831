/* SPDX-License-Identifier: Apache-2.0
 * test_swinv2.c - Swin V2's coordinates and network: worked examples, laws, refusals. */
#include <math.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"swinv2", "window=2x1&out=coords", "coords", "-1.05664 0 0 0 1.05664 0"},
    {"swinv2", "window=3x1&out=coords", "coords",
     "-1.05664 0 -0.773976 0 0 0 0.773976 0 1.05664 0"},
    {"swinv2", "window=1x3&mode=cr&out=coords", "coords",
     "0 -1.09861 0 -0.693147 0 0 0 0.693147 0 1.09861"},
    {"swinv2", "window=2x2", "index", "4 3 1 0 5 4 2 1 7 6 4 3 8 7 5 4"},
    {"swinv2", "window=1x2&out=bias&w1=0,0&b1=3&w2=1;-1&mode=cr&b2=0.5,0.25", "bias",
     "3.5 3.5 3.5 3.5 -2.75 -2.75 -2.75 -2.75"},
    {"swinv2", "window=1x1&out=bias&w1=1,1&w2=1&dtype=f64", "bias", "8"},
    {"swinv2", "window=1x1&out=bias&w1=0,0;0,0&b1=2,1&w2=1,1;-1,-1;-900,0", "bias",
     "15.2412 0.758814 0"},
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
    {"swinv2",
     {"window=2x2&mode=cr&pretrained_window=3x3&out=coords", PE_CONFLICT, "pretrained_window",
      "has no effect with mode=cr", ""}},
    {"swinv2",
     {"window=2x2&pretrained_window=1x3&out=coords", PE_CONFLICT, "pretrained_window",
      "must have sides of at least 2", ""}},
    {"swinv2",
     {"window=2x2&out=bias&w1=1,2,3&w2=1", PE_CONFLICT, "w1",
      "must have rows of 2, for dy and dx; got 3", ""}},
    {"swinv2",
     {"window=2x2&out=bias&w1=1,2&b1=1,2&w2=1", PE_CONFLICT, "b1",
      "must have one number a row of w1, 1; got 2", ""}},
    {"swinv2",
     {"window=2x2&out=bias&w1=1,2&w2=1,2", PE_CONFLICT, "w2",
      "must have rows of one number a row of w1, 1; got 2", ""}},
    {"swinv2",
     {"window=2x2&out=bias&w1=1,2&w2=1&b2=1,2", PE_CONFLICT, "b2",
      "must have one number a row of w2, 1; got 2", ""}},
    {"swinv2",
     {"window=65536x65536&out=bias&w1=1,2&w2=1", PE_TOO_LARGE, "window",
      "products of the network", ""}},
    {"swinv2",
     {"window=512x512&out=bias&w1=1,2&w2=1;1;1;1;1", PE_TOO_LARGE, "window",
      "needs 5232645 biases of all offsets; at most 4194304", ""}},
    {"swinv2",
     {"window=2x2&mode=cr", PE_CONFLICT, "mode", "has no effect on out=index",
      "out=coords uses it"}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(coordinates_are_odd_and_end_at_the_trained_windows_side)
{
    static const char query[] = "window=16x8&pretrained_window=8x8&out=coords&dtype=f64";
    double *coords = core_query_values("swinv2", query, "coords", NULL);
    const int rows = 31, cols = 15;

    for (int i = 0; i < rows * cols * 2; i += 2) {
        ck_assert(coords[i] == -coords[2 * rows * cols - 2 - i]);
        ck_assert(coords[i + 1] == -coords[2 * rows * cols - 1 - i]);
    }
    ck_assert(fabs(coords[2 * rows * cols - 2] - 1.39378) < 5e-6); /* 15 of 7 */
    ck_assert(fabs(coords[2 * rows * cols - 1] - 1.05664) < 5e-6); /* 7 of 7 */
    free(coords);
}
END_TEST

START_TEST(the_bias_is_the_network_at_the_index)
{
    static const char query[] =
        "window=3x2&mode=cr&out=bias&dtype=f64&w1=1,0;-1,0;0,1;0,-1&w2=1,-1,0,0;0,0,1,-1";
    double *bias = core_query_values("swinv2", query, "bias", NULL);
    double *index = core_query_values("swinv2", "window=3x2", "index", NULL);
    double *coords =
        core_query_values("swinv2", "window=3x2&mode=cr&out=coords&dtype=f64", "coords", NULL);

    for (int axis = 0; axis < 2; axis++)
        for (int i = 0; i < 36; i++)
            ck_assert(bias[36 * axis + i] == coords[2 * (int)index[i] + axis]);
    free(bias);
    free(index);
    free(coords);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(coordinates_are_odd_and_end_at_the_trained_windows_side),
    TEST(the_bias_is_the_network_at_the_index),
};

const struct suite swinv2_suite = {SUITE_TESTS(tests)};
