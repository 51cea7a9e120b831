/* SPDX-License-Identifier: Apache-2.0
 * test_timestep_embedding.c - times of a diffusion: laws beyond the rows of
 * timestep_embedding.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static void expect_equal(const char *encoding, const char *query, const char *other,
                         const char *other_query)
{
    size_t count, other_count;
    double *values = core_query_values(encoding, query, "rows", &count);
    double *others = core_query_values(other, other_query, "rows", &other_count);

    ck_assert_uint_eq(count, other_count);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(values[i] == others[i], "%s: element %zu", query, i);
    free(values);
    free(others);
}

START_TEST(timesteps_are_sinusoids_of_both_ladders)
{
    expect_equal("timestep-embedding", "pos=-3:50:7&dim=16", "sinusoidal",
                 "pos=-3:50:7&dim=16&layout=concat&ladder=geometric-closed");
    expect_equal("timestep-embedding", "pos=0.5,999&dim=16&preset=wan", "sinusoidal",
                 "pos=0.5,999&dim=16&layout=concat-cs");
    expect_equal("timestep-embedding", "pos=0.125&dim=8&scale=250&time_factor=4",
                 "timestep-embedding", "pos=125&dim=8");
}
END_TEST

static const struct suite_test tests[] = {
    TEST(timesteps_are_sinusoids_of_both_ladders),
};

const struct suite timestep_embedding_suite = {SUITE_TESTS(tests)};
