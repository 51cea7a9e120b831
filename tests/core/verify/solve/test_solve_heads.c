/* SPDX-License-Identifier: Apache-2.0
 * test_solve_heads.c - biases whose heads have slopes, or columns of a table, that faulty
 * programs give them. */
#include "core/verify/solve/solve_heads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

/* The slopes of 16 heads, twice. */
#define SIXTEEN                                                                                \
    "0.70710678118654752,0.5,0.35355339059327376,0.25,0.17677669529663688,0.125,"              \
    "0.08838834764831844,0.0625,0.04419417382415922,0.03125,0.02209708691207961,0.015625,"     \
    "0.011048543456039806,0.0078125,0.005524271728019903,0.00390625"
#define EIGHT "0.5,0.25,0.125,0.0625,0.03125,0.015625,0.0078125,0.00390625"

static const struct {
    const char *made, *claim, *slug, *says;
} biases[] = {
    /* Each of two ranks made the slopes of 16 heads (flashinfer#1606). */
    {"alibi?heads=32&slopes=" SIXTEEN "," SIXTEEN "&out=slopes", "alibi?heads=32",
     "other-slopes",
     "the slopes are those of 16 heads, 2 times: each of 2 ranks made the slopes of its own 16 "
     "heads, where those of 32 are right"},
    {"alibi?heads=16&len=9&slopes=" EIGHT "," EIGHT "&out=bias", "alibi?heads=16&len=9",
     "other-slopes",
     "the slopes are those of 8 heads, 2 times: each of 2 ranks made the slopes of its own 8 "
     "heads, where those of 16 are right"},
    {"alibi?heads=4&len=9&slopes=0.03125,0.015625,0.0078125,0.00390625&out=bias",
     "alibi?heads=4&len=9", "other-slopes",
     "the slopes are those of heads 4:8 of 8 heads, where those of 4 are right"},
    {"alibi?heads=4&len=9&slopes=0.25,0.25,0.25,0.25&out=bias", "alibi?heads=4&len=9",
     "other-slopes", "every head has the same slope, 0.25"},
    {"alibi?heads=4&len=9&slopes=1,0.25,0.0625,0.015625&out=bias", "alibi?heads=4&len=9",
     "other-slopes",
     "the exponents of the slopes count from 0, so that head 0 has the slope 1, where they "
     "count from 1 and it has 0.25"},
    {"alibi?heads=8&slopes=0.5,0.25,0.125,0.0625,0.03125,0.25,0.0078125,0.00390625&out=slopes",
     "alibi?heads=8", "one-slope",
     "head 5 has slope 0.25 where this claim has 0.015625; the other heads are right"},
    {"alibi?heads=8&len=20&slopes=0.5,0.25,0.125,0.0625,0.3,0.015625,0.0078125,0.00390625"
     "&out=bias&dtype=f16",
     "alibi?heads=8&len=20", "one-slope",
     "head 4 has slope 0.3 where this claim has 0.03125; the other heads are right"},
    {"kerple?len=9&a=2,0.25,0.5,1&p=2,3,1,0.5&out=bias",
     "kerple?len=9&a=0.5,1,2,0.25&p=1,0.5,2,3", "other-heads",
     "heads 0:2 are those of heads 2:4, heads 2:4 are those of heads 0:2"},
};

START_TEST(a_verdict_says_which_slopes_or_heads_the_heads_have)
{
    struct pe_verdict *verdict = verify_case_compare(biases[_i].made, biases[_i].claim);
    const struct pe_mistake *mistake = &verdict->explanation.mistake[0];

    ck_assert_int_eq(verdict->kind, PE_MISTAKE);
    ck_assert_str_eq(mistake->slug, biases[_i].slug);
    ck_assert_str_eq(mistake->says, biases[_i].says);
    pe_verdict_free(verdict);
}
END_TEST

START_TEST(slopes_of_no_rule_are_told_head_by_head)
{
    struct pe_verdict *verdict = verify_case_compare(
        "alibi?heads=4&len=9&slopes=0.25,0.3,0.3,0.7&out=bias", "alibi?heads=4&len=9");

    ck_assert_int_eq(verdict->kind, PE_UNEXPLAINED);
    ck_assert_uint_eq(verdict->finding_count, 3);
    for (size_t i = 0; i < verdict->finding_count; i++)
        ck_assert_str_eq(verdict->finding[i].axis, "heads");
    ck_assert(verdict->finding[0].right && !verdict->finding[1].right);
    ck_assert_uint_eq(verdict->finding[1].from, 1);
    ck_assert_uint_eq(verdict->finding[1].to, 3);
    ck_assert_str_eq(verdict->finding[0].is, "slope 0.25");
    ck_assert_str_eq(verdict->finding[2].is, "slope 0.699999988");
    pe_verdict_free(verdict);
}
END_TEST

/* One head of a table that is looked up has a column of its own. */
START_TEST(a_head_that_is_none_of_the_claims_is_told_beside_those_that_are_right)
{
    struct verify_case made;

    verify_case_of(&made, "t5?len=12&table=f32[32,4]&out=bias");
    for (uint64_t i = 0; i < 144; i++)
        verify_case_set(&made, 1, 2 * 144 + i, 0.25 * (double)(i % 7));
    verify_case_claim(&made, "t5?len=12&table=f32[32,4]");
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert_int_eq(verdict->kind, PE_UNEXPLAINED);
    ck_assert_ptr_nonnull(
        strstr(verdict->says, "head 2 is none of the claim's; the other heads are right"));
    ck_assert_uint_eq(verdict->finding_count, 3);
    ck_assert_str_eq(verdict->finding[1].axis, "heads");
    ck_assert_str_eq(verdict->finding[1].is, "none of the claim's");
    ck_assert(verdict->finding[0].right && !verdict->finding[1].right);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

/* Some rows of each head decide, however many there are. */
START_TEST(heads_of_more_elements_than_are_read_are_those_of_others)
{
    static const double slopes[] = {0.0625, 0.25, 0.00390625, 0.015625};
    struct pe_verdict *verdict = verify_case_compare(
        "alibi?heads=4&len=1100&slopes=0.0625,0.25,0.00390625,0.015625&out=bias",
        "alibi?heads=4&len=1100");

    ck_assert_int_eq(verdict->kind, PE_MISTAKE);
    ck_assert_str_eq(verdict->explanation.mistake[0].slug, "other-heads");
    ck_assert_uint_eq(verdict->finding_count, sizeof slopes / sizeof *slopes);
    for (size_t i = 0; i < verdict->finding_count; i++) {
        char is[40];

        snprintf(is, sizeof is, "slope %.9g", slopes[i]);
        ck_assert_str_eq(verdict->finding[i].is, is);
    }
    pe_verdict_free(verdict);
}
END_TEST

SUITE(solve_heads, TEST_EACH(a_verdict_says_which_slopes_or_heads_the_heads_have, biases),
      TEST(slopes_of_no_rule_are_told_head_by_head),
      TEST(a_head_that_is_none_of_the_claims_is_told_beside_those_that_are_right),
      TEST(heads_of_more_elements_than_are_read_are_those_of_others));
