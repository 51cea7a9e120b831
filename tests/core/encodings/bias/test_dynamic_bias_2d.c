/* SPDX-License-Identifier: Apache-2.0
 * test_dynamic_bias_2d.c - a network of the offset of patches: worked examples, laws, refusals.
 * The layers are worked out in test_dynamic_bias.c. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const char *const name = "dynamic-bias-2d";

static const struct {
    const char *query, *numbers;
} examples[] = {
    /* x = dy + 10 dx, twice what is above 0 */
    {"window=2x2&w_in=1,10&w_out=2&norm=0", "0 0 0 0 20 0 18 0 2 0 0 0 22 2 20 0"},
    {"window=1x2&w_in=1,1&b_in=3&w_out=1&b_out=.5&norm=0", "3.5 2.5 4.5 3.5"},
    {"window=2x1&w_in=1,0&w_out=2&norm=0&activation=silu", "0 -.537883 1.462117 0"},
    /* x = 2, relu 2, times 3 is 6, with the residual 8; 5 times what is above 0 */
    {"window=1x1&w_in=1,1&b_in=2&w_hidden=3&w_out=5&norm=0", "30"},
    {"window=1x1&w_in=1,1&b_in=2&w_hidden=3&w_out=5&norm=0&residual=1", "40"},
    {"window=1x1&w_in=1,1&b_in=-2&w_hidden=3&b_hidden=7&w_out=5&norm=0&residual=1", "25"},
    /* two units a and -a are 1 and -1 of the root of a^2 / (a^2 + 1e-5) after the norm */
    {"window=2x1&w_in=1,0;-1,0&w_out=1,10", "0 9.99995 .999995 0"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints(name, examples[_i].query, "bias", examples[_i].numbers);
}
END_TEST

/* What is the same for the columns of a row is the other's in one axis. */
START_TEST(one_axis_is_the_network_of_the_distance)
{
    double *flat =
        core_query_values(name,
                          "window=1x5&w_in=7,1;9,-.5&b_in=.1,.2&w_hidden=1,2;3,4&w_out=1,1;2,-1"
                          "&activation=silu",
                          "bias", NULL);
    double *line = core_query_values(
        "dynamic-bias", "len=5&w_in=1,-.5&b_in=.1,.2&w_hidden=1,2;3,4&w_out=1,1;2,-1&norm=1",
        "bias", NULL);

    ck_assert_mem_eq(flat, line, 2 * 5 * 5 * sizeof *flat);
    free(flat);
    free(line);
}
END_TEST

static const struct core_refusal refused[] = {
    {"window=2x2&w_in=1,2,3&w_out=1", PE_CONFLICT, "w_in", "must have 1 rows of 2; got 1 of 3",
     ""},
    {"window=2x2&w_in=1,2;3,4&w_out=1", PE_CONFLICT, "w_out",
     "must have 1 rows of 2; got 1 of 1", ""},
    {"window=2x2&w_in=1,2&w_out=1&residual=1", PE_CONFLICT, "residual",
     "has no effect without w_hidden", ""},
    {"window=2x2&w_in=1,2&w_out=1&norm=0&norm_bias=1", PE_CONFLICT, "norm_bias",
     "has no effect without norm=1", ""},
    {"window=65536x1024&w_in=1,2&w_out=1", PE_TOO_LARGE, "window",
     "products of the network's weights; at most 268435456", ""},
    {"window=2048x512&w_in=1,2&w_out=1;2", PE_TOO_LARGE, "window",
     "biases of all offsets; at most 4194304", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(name), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST(one_axis_is_the_network_of_the_distance),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite dynamic_bias_2d_suite = {SUITE_TESTS(tests)};
