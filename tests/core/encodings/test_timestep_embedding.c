/* SPDX-License-Identifier: Apache-2.0
 * test_timestep_embedding.c - encodings of times and noise levels: timestep-embedding,
 * gaussian-fourier and time2vec: worked examples, laws, refusals. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"

static const struct {
    const char *encoding, *query, *numbers;
} known[] = {
    {"timestep-embedding", "pos=10&dim=4", "-.544021111 .000999999833 -.839071529 .9999995"},
    {"timestep-embedding", "pos=10&dim=4&preset=dit",
     "-.839071529 .995004165 -.544021111 .0998334166"},
    {"timestep-embedding", "pos=.5&dim=8&preset=flux",
     "-.883849273 .964966028 .283662185 .877582562 -.467771805 -.262374854 -.958924275 "
     ".479425539"},
    {"timestep-embedding", "pos=10&dim=5&preset=ggml",
     "-.839071529 .995004165 -.544021111 .0998334166 0"},
    {"timestep-embedding", "pos=10&dim=3&downscale_freq_shift=7", "-.544021111 -.839071529 0"},
    {"timestep-embedding", "pos=1&dim=4&downscale_freq_shift=1.5&base=4&scale=.5",
     ".479425539 .0312449140 .877582562 .999511758"},
    {"gaussian-fourier", "pos=.3&weights=.5,-1.25",
     ".809016994 -.707106781 .587785252 "
     "-.707106781"},
    {"gaussian-fourier", "pos=.3&weights=.5,-1.25&log=1",
     ".597836497 -.0311972694 -.801618066 -.999513247"},
    {"gaussian-fourier", "pos=.3&weights=.5,-1.25&order=cos-first",
     ".587785252 -.707106781 .809016994 -.707106781"},
    {"gaussian-fourier", "pos=2&weights=1,.125&phases=.25,.75", "0 1"},
    {"time2vec", "pos=3&w=.5,1,2&phi=.1,0,.3", "1.6 .141120008 .0168139005"},
    {"time2vec", "pos=3&w=1,2,.5&phi=0,.3,.1&linear=last", ".141120008 .0168139005 1.6"},
    {"time2vec", "pos=-1&w=2,-1&phi=0,0&activation=cos", "-2 .540302306"},
};

START_TEST(worked_examples_come_out)
{
    char query[200];

    snprintf(query, sizeof query, "%s&dtype=f64", known[_i].query);
    core_query_prints(known[_i].encoding, query, "rows", known[_i].numbers);
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

START_TEST(drawn_weights_can_be_given_back)
{
    size_t count;
    double *weights = core_query_values(
        "gaussian-fourier", "m=5&scale=3&seed=9&out=weights&dtype=f64", "weights", &count);
    char query[300] = "pos=0.3,7&weights=";

    for (size_t i = 0; i < count; i++)
        snprintf(query + strlen(query), sizeof query - strlen(query), "%s%.17g", i ? "," : "",
                 weights[i]);
    expect_equal("gaussian-fourier", "pos=0.3,7&m=5&scale=3&seed=9", "gaussian-fourier", query);
    free(weights);
}
END_TEST

START_TEST(seeds_decide_what_is_drawn)
{
    core_query_prints("gaussian-fourier", "m=4&scale=1&seed=42&out=weights&dtype=f64",
                      "weights", "-.303263065 .288461739 1.34381176 -.687975180");
    core_query_prints("gaussian-fourier", "m=2&seed=42&out=weights&dtype=f64", "weights",
                      "-4.85220903 4.61538782");
}
END_TEST

static const struct {
    const char *encoding;
    struct core_refusal refusal;
} refused[] = {
    {"timestep-embedding",
     {"pos=0&dim=8&downscale_freq_shift=4", PE_OUT_OF_RANGE, "downscale_freq_shift",
      "must be below 4, the number of frequencies; got 4", ""}},
    {"timestep-embedding", {"pos=0&dim=1", PE_OUT_OF_RANGE, "dim", "", ""}},
    {"gaussian-fourier", {"pos=1", PE_MISSING_PARAMETER, "weights", "or m is required", ""}},
    {"gaussian-fourier",
     {"pos=1&weights=1&seed=3", PE_CONFLICT, "weights", "are used as they are", ""}},
    {"gaussian-fourier",
     {"pos=1&weights=1&phases=1,2", PE_CONFLICT, "phases", "must be as many as weights, 1",
      ""}},
    {"gaussian-fourier",
     {"pos=1&weights=1&phases=1&order=sin-first", PE_CONFLICT, "order", "has no effect", ""}},
    {"gaussian-fourier",
     {"pos=1,0&weights=1&log=1", PE_OUT_OF_RANGE, "pos", "must be above 0 with log; got 0",
      ""}},
    {"time2vec",
     {"pos=1&w=1,2&phi=1", PE_CONFLICT, "phi", "must be as many as w, 2; got 1", ""}},
    {"time2vec",
     {"pos=1&w=1&phi=1&activation=sin", PE_CONFLICT, "activation", "has no effect", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

Suite *timestep_embedding_suite(void);

Suite *timestep_embedding_suite(void)
{
    Suite *suite = suite_create("timestep_embedding");
    TCase *tests = tcase_create("timestep_embedding");

    tcase_add_loop_test(tests, worked_examples_come_out, 0, PE_LEN(known));
    tcase_add_test(tests, timesteps_are_sinusoids_of_both_ladders);
    tcase_add_test(tests, drawn_weights_can_be_given_back);
    tcase_add_test(tests, seeds_decide_what_is_drawn);
    tcase_add_loop_test(tests, wrong_requests_are_told_what_would_be_right, 0, PE_LEN(refused));
    suite_add_tcase(suite, tests);
    return suite;
}
