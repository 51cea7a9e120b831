/* SPDX-License-Identifier: Apache-2.0
 * test_masks.c - a property of all masks: painted elements agree with the predicate. */
#include <stdlib.h>

#include "core/encoding.h"
#include "core/plan/plan.h"
#include "tests/support/core_draw.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* Each painted element agrees with the predicate. */
static void expect_painted(const struct pe_plan *plan, const char *query)
{
    for (size_t i = 0; i < pe_plan_tensor_count(plan); i++) {
        const struct pe_tensor_info *t = pe_plan_tensor(plan, i);
        const struct plan_group *group = &plan->groups[t->group];
        struct pe_rect all = {0, t->rows, 0, t->cols};
        double *painted, *defined;
        char rounded[8];

        if (!group->filler->typed || t->rows * t->cols == 0)
            continue;
        painted = core_query_doubles(plan, i);
        defined = calloc(t->rows * t->cols, sizeof *defined);
        pe_fill_doubles(group->filler, group->state, &all, (double *[]){defined}, NULL, NULL);
        for (size_t at = 0; at < t->rows * t->cols; at++) {
            pe_dtype_from_f64(t->dtype, rounded, &defined[at], 1);
            pe_dtype_to_f64(t->dtype, &defined[at], rounded, 1);
            ck_assert_msg(painted[at] == defined[at], "%s?%s: %s[%zu] is %g, not %g",
                          pe_name(pe_args_encoding(pe_plan_args(plan))), query, t->output->name,
                          at, painted[at], defined[at]);
        }
        free(defined);
        free(painted);
    }
}

START_TEST(painted_masks_agree_with_their_predicate)
{
    const struct pe_limits limits = {.max_elements = 20000, .max_prepared = 20000};
    const struct pe_encoding *enc = pe_at((size_t)_i);
    struct core_random random = {(uint64_t)_i + 5};
    char query[CORE_DRAW_MAX];
    int plans = 0;

    if (pe_family_of(enc) != PE_MASK || enc->kind == PE_INPUT)
        return;
    for (int i = 0; i < 200; i++) {
        struct pe_errors errors = {.count = 0};
        struct pe_plan *plan = NULL;
        struct pe_args *args;

        core_draw_query(enc, &random, query);
        if (core_query_args(&args, enc, query, &errors) == PE_OK &&
            pe_plan_new(&plan, args, NULL, &limits, &errors) == PE_OK)
            expect_painted(plan, query);
        plans += plan != NULL;
        pe_plan_free(plan);
        pe_args_free(args);
    }
    ck_assert_int_gt(plans, 10);
}
END_TEST

SUITE(masks, TEST_COUNTED(painted_masks_agree_with_their_predicate, pe_count));
