/* SPDX-License-Identifier: Apache-2.0
 * test_nerf.c - frequencies that double: worked examples, laws, refusals. */

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct core_known known[] = {
    {"coords=.5&num_freqs=3", "rows",
     ".5 .479425539 .877582562 .841470985 .540302306 .909297427 -.416146837"},
    {"coords=.5&num_freqs=3&multiply_pi=1", "rows", ".5 1 0 0 -1 0 1"},
    {"coords=.5,-.25&num_freqs=2", "rows",
     ".5 -.25 .479425539 -.247403959 .877582562 .968912422 .841470985 -.479425539 .540302306 "
     ".877582562"},
    {"coords=.25&num_freqs=3&log_sampling=0&multiply_pi=1&include_input=0", "rows",
     ".707106781 .707106781 .923879533 -.382683432 0 -1"},
    {"coords=.5&num_freqs=3&max_freq_log2=0&multiply_pi=1", "rows", ".5 1 0 1 0 1 0"},
    {"coords=2&num_freqs=1&include_input=0", "rows", ".909297427 -.416146837"},
};

START_TEST(worked_examples_come_out)
{
    core_query_known("nerf", &known[_i]);
}
END_TEST

static const struct core_twin equal[] = {
    /* the last frequency of K bands is 2^F however they are spaced */
    {"coords=.7&num_freqs=2&log_sampling=0&max_freq_log2=5", "nerf",
     "coords=.7&num_freqs=2&max_freq_log2=5", "rows"},
};

START_TEST(what_means_the_same_has_the_same_bits)
{
    core_query_twins("nerf", &equal[_i]);
}
END_TEST

static const struct core_refusal refused[] = {
    {"coords=1&num_freqs=1&max_freq_log2=3", PE_CONFLICT, "max_freq_log2", "has no effect", ""},
    {"coords=1&num_freqs=122", PE_OUT_OF_RANGE, "num_freqs",
     "must be at most 121 unless max_freq_log2 is given; got 122", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("nerf"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST_EACH(what_means_the_same_has_the_same_bits, equal),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite nerf_suite = {SUITE_TESTS(tests)};
