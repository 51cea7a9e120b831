/* SPDX-License-Identifier: Apache-2.0
 * test_llama4_temperature.c - blocks and their logarithms: worked examples, laws, refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"llama4-temperature", "pos=0,8190,8191,16383,100000", "factor",
     "1 1 1.06931 1.10986 1.25649"},
    {"llama4-temperature", "pos=16383,16384&preset=ministral3", "factor", "1 1.06931"},
    {"llama4-temperature", "pos=16384&preset=ministral3&attn_scale=0", "factor", "1"},
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
    {"llama4-temperature",
     {"pos=-2:3", PE_OUT_OF_RANGE, "pos", "must be at least -offset, -1; got -2", ""}},
    {"llama4-temperature",
     {"pos=0.5", PE_BAD_VALUE, "pos", "must be whole positions here; got 0.5", ""}},
    {"llama4-temperature",
     {"pos=0&floor_scale=0", PE_OUT_OF_RANGE, "floor_scale", "must be a whole number, 1..",
      ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(a_block_has_one_factor_and_the_next_a_larger_one)
{
    size_t count;
    double *values = core_query_values(
        "llama4-temperature", "pos=0:64&floor_scale=8&offset=0&dtype=f64", "factor", &count);

    for (size_t i = 1; i < count; i++)
        ck_assert(i % 8 ? values[i] == values[i - 1] : values[i] > values[i - 1]);
    free(values);
}
END_TEST

START_TEST(positions_at_the_end_of_doubles_are_floored_exactly)
{
    core_query_prints("llama4-temperature",
                      "pos=9007199254740991,9007199254740992&floor_scale=4503599627370496&"
                      "offset=0&attn_scale=1",
                      "factor", "1.693147 2.098612");
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(a_block_has_one_factor_and_the_next_a_larger_one),
    TEST(positions_at_the_end_of_doubles_are_floored_exactly),
};

const struct suite llama4_temperature_suite = {SUITE_TESTS(tests)};
