/* SPDX-License-Identifier: Apache-2.0
 * test_self_extend.c - grouped attention: worked examples, laws, refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"self-extend", "q=20&k=20:12:-1&group=4&window=8", "distance", "0 1 2 3 4 5 6 7"},
    {"self-extend", "q=20&k=12,4&group=4&window=8", "distance", "8 10"},
    {"self-extend", "q=20&k=12&group=4&window=6", "distance", "7"},
    {"self-extend", "q=20&k=12&group=4&window=6&shift_rounding=true", "distance", "6.5"},
    {"self-extend", "q=20&out=q_grouped&group=4&window=8", "q_grouped", "11"},
    {"self-extend", "k=-1,0,12&out=k_grouped&group=4", "k_grouped", "-1 0 3"},
    {"self-extend", "q=8191&out=logn_factor&training_length=2048", "logn_factor", "1.18182"},
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
    {"self-extend",
     {"len=4&group=4", PE_MISSING_PARAMETER, "window",
      "is required: distance from which on positions are grouped", ""}},
    {"self-extend",
     {"len=4&group=0&window=4", PE_OUT_OF_RANGE, "group", "must be a whole number, 1..", ""}},
    {"self-extend",
     {"q=4&out=logn_factor", PE_MISSING_PARAMETER, "training_length",
      "is required for out=logn_factor", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(groups_of_one_are_plain_distances)
{
    double *values =
        core_query_values("self-extend", "len=12&group=1&window=4", "distance", NULL);

    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++)
            ck_assert(values[12 * i + j] == i - j);
    free(values);
}
END_TEST

START_TEST(a_group_that_does_not_divide_the_window_is_warned_of)
{
    struct pe_plan *plan = core_query_plan(core_query_find("self-extend"),
                                           "len=4&group=4&window=6&shift_rounding=true");

    ck_assert_uint_eq(pe_plan_warning_count(plan), 1);
    ck_assert_str_eq(pe_plan_warning(plan, 0),
                     "group does not divide window: the released prefill and decoding disagree "
                     "here");
    pe_plan_free(plan);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(groups_of_one_are_plain_distances),
    TEST(a_group_that_does_not_divide_the_window_is_warned_of),
};

const struct suite self_extend_suite = {SUITE_TESTS(tests)};
