/* SPDX-License-Identifier: Apache-2.0
 * test_kept_plans.c - plans are found by equal keys, outlive their places, and are bounded in
 * bytes. */
#include "core/verify/claim/kept_plans.h"

#include "core/plan/plan.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static struct planned planned_of(const char *query)
{
    static const struct pe_limits limits = {.max_elements = 1 << 20};
    struct planned planned = {.args = core_query_checked(pe_find("rope", 4), query)};
    struct pe_errors errors = {.count = 0};

    ck_assert_int_eq(pe_plan_new(&planned.plan, planned.args, NULL, &limits, &errors), PE_OK);
    return planned;
}

static void release(const struct planned *planned)
{
    pe_plan_free(planned->plan);
    pe_args_free(planned->args);
}

START_TEST(a_plan_is_found_by_its_key_and_outlives_its_place)
{
    struct kept_plans plans = {.bytes_most = 1 << 20};
    const struct planned one = planned_of("dim=8&pos=0:4");
    struct planned found;

    ck_assert(!kept_plans_find(&plans, "one", 3, &found));
    ck_assert(kept_plans_add(&plans, "one", 3, &one));
    release(&one);
    ck_assert(!kept_plans_find(&plans, "on", 2, &found));
    ck_assert(!kept_plans_find(&plans, "two", 3, &found));
    ck_assert(kept_plans_find(&plans, "one", 3, &found));
    kept_plans_fini(&plans);
    ck_assert_uint_eq(plans.bytes, 0);
    ck_assert_uint_eq(pe_plan_elements(found.plan), 32);
    release(&found);
}
END_TEST

START_TEST(plans_whose_bytes_are_too_many_are_not_kept)
{
    const struct planned small = planned_of("dim=8&pos=0:4");
    const struct planned large = planned_of("dim=8&pos=5,9,3,8,1,7,2,6,4,0,15,11,19,13,17,12");
    struct kept_plans plans = {.bytes_most = plan_bytes(small.plan) + 200};
    struct planned found;

    ck_assert_uint_gt(plan_bytes(large.plan), plan_bytes(small.plan) + 200);
    ck_assert(kept_plans_add(&plans, "large", 5, &large));
    ck_assert(!kept_plans_find(&plans, "large", 5, &found));
    ck_assert(kept_plans_add(&plans, "small", 5, &small));
    ck_assert(kept_plans_add(&plans, "again", 5, &small));
    ck_assert(kept_plans_find(&plans, "small", 5, &found));
    ck_assert_uint_le(plans.bytes, plans.bytes_most);
    ck_assert(!kept_plans_find(&plans, "again", 5, &(struct planned){.args = NULL}));
    release(&found);
    release(&small);
    release(&large);
    kept_plans_fini(&plans);
}
END_TEST

START_TEST(arguments_of_a_refused_plan_count)
{
    enum { MOST = 1 << 20 };
    struct kept_plans plans = {.bytes_most = MOST};
    struct planned refused = planned_of("dim=8&pos=5,9,3,8,1,7,2,6,4,0,15,11,19,13,17,12");

    pe_plan_free(refused.plan);
    refused.plan = NULL;
    for (int i = 0; i < 10000; i++)
        ck_assert(kept_plans_add(&plans, &i, sizeof i, &refused));
    ck_assert_uint_le(plans.bytes, MOST);
    ck_assert_uint_gt(plans.bytes, MOST - 4096);
    release(&refused);
    kept_plans_fini(&plans);
}
END_TEST

SUITE(kept_plans, TEST(a_plan_is_found_by_its_key_and_outlives_its_place),
      TEST(plans_whose_bytes_are_too_many_are_not_kept),
      TEST(arguments_of_a_refused_plan_count));
