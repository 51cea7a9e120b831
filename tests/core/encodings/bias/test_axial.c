/* SPDX-License-Identifier: Apache-2.0
 * test_axial.c - products along two axes: worked examples, a law, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"axial-relative-logits", "grid=1x2&out=index_w", "index_w", "1 2 0 1"},
    {"axial-relative-logits", "block=2&halo=1", "index_h", "3 4 5 6 2 3 4 5"},
    {"axial-relative-logits",
     "grid=2x2&out=bias&table_h=1;2;3&table_w=10;20;30&queries=1;2;3;4", "bias",
     "22 32 23 33 24 44 26 46 63 93 66 96 44 84 48 88"},
    {"decomposed-relpos", "q_grid=2x2", "index_h", "1 0 2 1"},
    {"decomposed-relpos", "q_grid=2x4&k_grid=4x2&out=index_h", "index_h", "3 2 1 0 5 4 3 2"},
    {"decomposed-relpos", "q_grid=1x4&k_grid=1x2&out=index_w", "index_w", "2 0 3 1 4 2 5 3"},
    {"decomposed-relpos",
     "q_grid=2x2&k_grid=2x4&out=bias&table_h=0;0;0&table_w=1;2;3;4;5;6;7&queries=1;10;1;10",
     "bias", "4 3 2 1 4 3 2 1 60 50 40 30 60 50 40 30 4 3 2 1 4 3 2 1 60 50 40 30 60 50 40 30"},
    {"decomposed-relpos", "q_grid=2x2&out=bias&table_h=1;2;3&table_w=10;20;30&queries=1;2;3;4",
     "bias", "22 12 21 11 64 44 62 42 69 39 66 36 132 92 128 88"},
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
    {"axial-relative-logits",
     {"halo=1", PE_MISSING_PARAMETER, "grid", "is required, or block", ""}},
    {"axial-relative-logits",
     {"grid=2x2&block=2&halo=1", PE_CONFLICT, "block", "stands in place of grid; give one",
      ""}},
    {"axial-relative-logits",
     {"block=2", PE_MISSING_PARAMETER, "halo", "is required with block", ""}},
    {"axial-relative-logits",
     {"grid=2x2&halo=1", PE_CONFLICT, "halo", "has no effect without block", ""}},
    {"axial-relative-logits",
     {"grid=2x2&out=bias&table_h=1;2;3&table_w=10;20&queries=1;2;3;4", PE_CONFLICT, "table_w",
      "must have 3 rows of 1 elements", ""}},
    {"decomposed-relpos",
     {"q_grid=2x2&out=bias&table_h=1;2;3&table_w=10;20;30&queries=1;2;3", PE_CONFLICT,
      "queries", "must hold 4 queries along axis 1; got 3", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(of_one_resolution_both_run_opposite_ways)
{
    double *axial = core_query_values("axial-relative-logits", "grid=3x5", "index_w", NULL);
    double *decomposed = core_query_values("decomposed-relpos", "q_grid=3x5", "index_w", NULL);

    for (int i = 0; i < 25; i++)
        ck_assert(axial[i] + decomposed[i] == 8);
    free(axial);
    free(decomposed);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(of_one_resolution_both_run_opposite_ways),
};

const struct suite axial_suite = {SUITE_TESTS(tests)};
