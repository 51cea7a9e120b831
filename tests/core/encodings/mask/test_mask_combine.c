/* SPDX-License-Identifier: Apache-2.0
 * test_mask_combine.c - the four operations, De Morgan's law, refusals. */
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_mask.h"
#include "tests/support/core_query.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

#define A "a=0,0,1;1,1,0"
#define B "&b=0,1,0;1,0,1"

static const struct {
    const char *query, *rows;
} examples[] = {
    {A B "&op=and", "000 100"},
    {A B "&op=or", "011 111"},
    {A B "&op=xor", "011 011"},
    {A "&op=not", "110 001"},
    {A "&op=not&true_means=masked", "001 110"},
    {A B "&op=and&fully_masked=unmask_all", "111 100"},
    {A B "&op=and&fully_masked=keep_self", "100 100"},
};

START_TEST(worked_examples_come_out)
{
    core_mask_prints("mask-combine", examples[_i].query, examples[_i].rows);
}
END_TEST

START_TEST(runs_and_scores_follow_the_combination)
{
    core_query_prints("mask-combine", A B "&op=xor&out=runs", "runs", "1 3 -1 -1 1 3 -1 -1");
    core_query_prints("mask-combine", A B "&op=xor&out=additive&mask_value=-9", "additive",
                      "-9 0 0 -9 0 0");
}
END_TEST

/* not (a and b) = (not a) or (not b) */
START_TEST(what_not_both_attend_to_one_of_them_masks)
{
    struct core_random random = {3};

    for (int i = 0; i < 32; i++) {
        char with[120], against[120];
        size_t count;
        double *and, * or ;
        int bits[8];

        for (int j = 0; j < 8; j++)
            bits[j] = (int)core_random_whole(&random, 0, 1);
        snprintf(with, sizeof with, "a=%d,%d;%d,%d&b=%d,%d;%d,%d&op=and", bits[0], bits[1],
                 bits[2], bits[3], bits[4], bits[5], bits[6], bits[7]);
        snprintf(against, sizeof against, "a=%d,%d;%d,%d&b=%d,%d;%d,%d&op=or", !bits[0],
                 !bits[1], !bits[2], !bits[3], !bits[4], !bits[5], !bits[6], !bits[7]);
        and = core_query_values("mask-combine", with, "mask", &count);
        or = core_query_values("mask-combine", against, "mask", NULL);
        ck_assert_uint_eq(count, 4);
        for (size_t j = 0; j < count; j++)
            ck_assert(and[j] != or [j]);
        free(and);
        free(or);
    }
}
END_TEST

static const struct core_refusal refused[] = {
    {A B "&op=not", PE_CONFLICT, "b", "has no effect with op=not", ""},
    {A "&op=and", PE_MISSING_PARAMETER, "b", "is required: a mask of 2 rows of 3", ""},
    {A "&b=1,1;0,0&op=or", PE_CONFLICT, "b", "must have the shape of a, 2 rows of 3", ""},
    {"a=0,0.5&op=not", PE_BAD_VALUE, "a", "must hold 0 and 1 only; got 0.5", ""},
    {"a=0,1&b=0.5,0&op=or", PE_BAD_VALUE, "b", "must hold 0 and 1 only; got 0.5", ""},
};

START_TEST(what_cannot_be_combined_is_refused)
{
    core_query_refused(core_query_find("mask-combine"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST(runs_and_scores_follow_the_combination),
    TEST(what_not_both_attend_to_one_of_them_masks),
    TEST_EACH(what_cannot_be_combined_is_refused, refused),
};

const struct suite mask_combine_suite = {SUITE_TESTS(tests)};
