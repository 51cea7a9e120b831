/* SPDX-License-Identifier: Apache-2.0
 * test_dynamic_bias_2d.c - a network of the offset of patches: laws beyond the rows of
 * dynamic_bias_2d.txt. The layers are worked out in test_dynamic_bias.c. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const char *const name = "dynamic-bias-2d";

/* A window of one row has the bias of dynamic-bias on one axis. */
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

static const struct suite_test tests[] = {
    TEST(one_axis_is_the_network_of_the_distance),
};

const struct suite dynamic_bias_2d_suite = {SUITE_TESTS(tests)};
