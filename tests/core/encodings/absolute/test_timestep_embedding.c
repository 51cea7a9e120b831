/* SPDX-License-Identifier: Apache-2.0
 * test_timestep_embedding.c - times of a diffusion: worked examples, laws, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct core_known known[] = {
    {"pos=10&dim=4", "rows", "-.544021111 .000999999833 -.839071529 .9999995"},
    {"pos=10&dim=4&preset=dit", "rows", "-.839071529 .995004165 -.544021111 .0998334166"},
    {"pos=.5&dim=8&preset=flux", "rows",
     "-.883849273 .964966028 .283662185 .877582562 -.467771805 -.262374854 -.958924275 "
     ".479425539"},
    {"pos=10&dim=5&preset=ggml", "rows", "-.839071529 .995004165 -.544021111 .0998334166 0"},
    {"pos=10&dim=3&downscale_freq_shift=7", "rows", "-.544021111 -.839071529 0"},
    {"pos=1&dim=4&downscale_freq_shift=1.5&base=4&scale=.5", "rows",
     ".479425539 .0312449140 .877582562 .999511758"},
};

START_TEST(worked_examples_come_out)
{
    core_query_known("timestep-embedding", &known[_i]);
}
END_TEST

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

static const struct core_refusal refused[] = {
    {"pos=0&dim=8&downscale_freq_shift=4", PE_OUT_OF_RANGE, "downscale_freq_shift",
     "must be below 4, the number of frequencies; got 4", ""},
    {"pos=0&dim=1", PE_OUT_OF_RANGE, "dim", "", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("timestep-embedding"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(timesteps_are_sinusoids_of_both_ladders),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite timestep_embedding_suite = {SUITE_TESTS(tests)};
