/* SPDX-License-Identifier: Apache-2.0
 * test_cost.c - a verdict that needs no search is there at once; where it takes a search, its
 * cost is told before it begins. */
#include <math.h>

#include "core/encoding.h"
#include "core/verify/search.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

/* Judges without a search; returns the operations that a search would take. */
static double judge_quickly(struct verify_case *made, struct pe_verdict **verdict)
{
    struct pe_errors errors = {.count = 0};
    double search = -1;

    ck_assert_int_eq(pe_verify_quickly(verdict, &search, made->claim, made->tensor, made->count,
                                       made->role, NULL, &verify_case_limits, &errors),
                     PE_OK);
    return search;
}

/* Replaces the numbers of the only tensor by random ones. */
static void make_random(struct verify_case *made)
{
    struct core_random random = {5};

    for (uint64_t i = 0; i < verify_case_elements(made, 0); i++)
        verify_case_set(made, 0, i, (double)core_random_whole(&random, -1000, 1000) / 1000);
}

START_TEST(right_numbers_need_no_search_and_have_the_same_verdict)
{
    static const char *const claims[] = {"rope?dim=8&pos=0:4&out=cos", "alibi?heads=4&len=8",
                                         "causal-mask?len=16", "ids-packed?lengths=5,9,3"};
    struct pe_verdict *verdict;
    struct verify_case made;

    verify_case_of(&made, claims[_i]);
    verify_case_claim(&made, claims[_i]);
    ck_assert_double_eq(judge_quickly(&made, &verdict), 0);
    ck_assert_int_eq(verdict->kind, PE_EXACT);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

START_TEST(numbers_that_nothing_explains_need_a_search_of_the_cost_that_is_told)
{
    struct pe_verdict *quick, *verdict;
    struct verify_case made;

    verify_case_of(&made, "rope?dim=8&pos=0:4&out=cos");
    make_random(&made);
    verify_case_claim(&made, "rope?dim=8&pos=0:4");
    const double search = judge_quickly(&made, &quick);
    ck_assert_ptr_null(quick);
    ck_assert_double_gt(search, 50e6); /* 16 numbers, and most of a second */
    ck_assert(isfinite(search));
    verdict = verify_case_verdict(&made);
    ck_assert_int_eq(verdict->kind, PE_UNEXPLAINED);
    ck_assert_double_gt(verdict->operations, search / 10);
    ck_assert_double_lt(verdict->operations, verdict->most);
    ck_assert(!verdict->budget_spent);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

START_TEST(a_search_ends_where_its_operations_are_spent_the_same_each_time)
{
    const double budget = 5e6;
    double operations[2];
    uint64_t tested[2];

    for (int i = 0; i < 2; i++) {
        struct verify_case made;
        struct search search;
        struct claim claim;

        verify_case_of(&made, "rope?dim=8&pos=0:4&out=cos");
        make_random(&made);
        verify_case_claim(&made, "rope?dim=8&pos=0:4");
        ck_assert(claim_init(&claim, made.claim, made.tensor, made.count, made.role, NULL,
                             &verify_case_limits));
        claim.budget = budget;
        ck_assert(search_run(&search, &claim, INFINITY));
        ck_assert(search.spent);
        ck_assert_double_ge(claim.operations, budget);
        ck_assert_double_lt(claim.operations, 2 * budget);
        operations[i] = claim.operations;
        tested[i] = search.tested;
        search_fini(&search);
        claim_fini(&claim);
        verify_case_free(&made);
    }
    ck_assert_double_eq(operations[0], operations[1]);
    ck_assert_uint_eq(tested[0], tested[1]);
}
END_TEST

START_TEST(judging_costs_more_where_there_is_more_to_judge)
{
    static const char *const claims[] = {"rope?dim=8&pos=0:4&out=cos",
                                         "rope?dim=128&pos=0:512&out=cos",
                                         "rope?dim=128&pos=0:32768&out=cos"};
    double before = 0;

    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        struct verify_case made;

        verify_case_of(&made, claims[i]);
        verify_case_claim(&made, claims[i]);
        const double cost = pe_verify_operations(made.claim, made.tensor, made.count, made.role,
                                                 &verify_case_limits);
        ck_assert_double_gt(cost, before);
        before = cost;
        verify_case_free(&made);
    }
    ck_assert_double_gt(before, 20e6);
}
END_TEST

SUITE(cost, TEST_RANGE(right_numbers_need_no_search_and_have_the_same_verdict, 0, 4),
      TEST(numbers_that_nothing_explains_need_a_search_of_the_cost_that_is_told),
      TEST(a_search_ends_where_its_operations_are_spent_the_same_each_time),
      TEST(judging_costs_more_where_there_is_more_to_judge));
