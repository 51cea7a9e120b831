/* SPDX-License-Identifier: Apache-2.0
 * test_masks.c - what all masks share, told with the causal one: which queries and keys, what
 * true means, padding, rows without a key, compact outputs; and a law over every mask. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "core/plan/plan.h"
#include "tests/support/core_draw.h"
#include "tests/support/core_mask.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *query, *rows;
} masks[] = {
    {"len=3", "100 110 111"},
    {"q=2:4&k=0:4", "1110 1111"},
    {"q_len=2&k_len=4", "1110 1111"},
    {"q_len=2&k_len=4&alignment=bottom-right", "1110 1111"},
    {"q_len=2&k_len=4&alignment=top-left", "1000 1100"},
    {"q_len=4&k_len=2", "00 00 10 11"},
    {"q_len=1&k_len=4", "1111"},
    {"q_len=1&k_len=4&alignment=top-left", "1000"},
    {"q_len=2&k_len=4&q_offset=1", "1100 1110"},
    {"q_len=2&k_len=2&q_offset=5&k_offset=5", "10 11"},
    {"q_len=2&k_len=4&k_offset=-1", "1110 1111"},
    {"q=3&k=5,3,1,4,2", "01101"},
    {"q=3&k=8:0:-2", "0001"},
    {"q=5&k=0:12:3", "1100"},
    {"len=2&true_means=masked", "01 00"},
    {"len=2&heads=2", "10 11 10 11"},
    {"len=3&padding=0,1,1", "000 010 011"},
    {"len=3&padding=0,1,1;1,1,0&heads=1", "000 010 011 100 110 110"},
    {"len=3&padding=0,1,1&fully_masked=keep_self", "100 010 011"},
    {"len=3&padding=0,1,1&fully_masked=unmask_all", "111 010 011"},
    {"q_len=3&k_len=2&fully_masked=keep_self", "11 10 11"},
    {"q_len=4&k_len=2&fully_masked=unmask_all", "11 11 10 11"},
    {"q=0:2&k=1,2,0&fully_masked=keep_self", "001 101"},
};

START_TEST(rows_come_out)
{
    core_mask_prints("causal-mask", masks[_i].query, masks[_i].rows);
}
END_TEST

static const struct {
    const char *query, *output, *numbers;
} others[] = {
    {"len=2&out=additive&mask_value=-inf", "additive", "0 -inf 0 0"},
    {"len=2&out=additive&mask_value=-100", "additive", "0 -100 0 0"},
    {"len=2&out=additive&dtype=f16", "additive", "0 -65504 0 0"},
    {"len=2&out=additive&dtype=f64", "additive", "0 -1.7976931348623157e308 0 0"},
    {"len=3&out=packed", "packed", "1 3 7"},
    {"len=2&out=packed&true_means=masked", "packed", "2 0"},
    {"q=8&k=0:10&out=packed", "packed", "255 1"},
    {"q=1:3&k=0:4&out=runs", "runs", "0 2 0 3"},
    {"q=1&k=3,1,2,0&out=runs", "runs", "1 2 3 4"},
    {"q_len=2&k_len=1&out=runs", "runs", "-1 -1 0 1"},
    {"len=4&out=blocks&block_size=2", "blocks", "1 0 2 1"},
    {"len=5&out=block_indices&block_size=2", "block_indices", "0 -1 -1 0 1 -1 0 1 2"},
    {"q_len=4&k_len=2&out=fully_masked_rows", "fully_masked_rows", "1 1 0 0"},
    {"q_len=3&k_len=2&out=fully_masked_rows", "fully_masked_rows", "1 0 0"},
    {"len=2&padding=0,1;0,0&out=fully_masked_rows", "fully_masked_rows", "1 0 1 1"},
};

START_TEST(other_outputs_come_out)
{
    core_query_prints("causal-mask", others[_i].query, others[_i].output, others[_i].numbers);
}
END_TEST

static const struct core_refusal refused[] = {
    {"q=0:2", PE_MISSING_PARAMETER, "k", "is required, or len", ""},
    {"k=0:4", PE_MISSING_PARAMETER, "q", "is required, or len", ""},
    {"len=4&q=0:4", PE_CONFLICT, "len", "is one way to say which queries and keys", ""},
    {"q_len=4&q=0:4&k=0:4", PE_CONFLICT, "q_len", "is one way to say", ""},
    {"q_len=4", PE_MISSING_PARAMETER, "k_len", "is required with its sibling", ""},
    {"len=4&alignment=top-left", PE_CONFLICT, "alignment",
     "has no effect without q_len and k_len; leave it out", ""},
    {"len=4&k_offset=1", PE_CONFLICT, "k_offset", "has no effect without q_len and k_len", ""},
    {"q_len=2&k_len=4&q_offset=0&alignment=top-left", PE_CONFLICT, "alignment",
     "has no effect with q_offset", ""},
    {"len=4&mask_value=-5", PE_CONFLICT, "mask_value", "has no effect on out=mask",
     "out=additive uses it"},
    {"len=4&out=additive&true_means=masked", PE_CONFLICT, "true_means",
     "has no effect on out=additive", "out=mask uses it"},
    {"len=4&block_size=2", PE_CONFLICT, "block_size", "has no effect on out=mask",
     "out=blocks uses it"},
    {"len=4&out=additive&dtype=f16&mask_value=-1e5", PE_CONFLICT, "mask_value",
     "must be within +-65504, the range of the dtype; got -100000", ""},
    {"len=3&padding=0,1", PE_CONFLICT, "padding",
     "must have a number for each key in a row, 3; got 2", ""},
    {"len=2&padding=0,0.5", PE_BAD_VALUE, "padding", "must hold 0 and 1 only; got 0.5", ""},
    {"q=0:1&k=0:4294967297&out=fully_masked_rows", PE_TOO_LARGE, "",
     "the mask has 4294967297 pairs of a query and a key", ""},
    {"q=0:16777217&k=0:1&fully_masked=keep_self", PE_TOO_LARGE, "",
     "the mask has 16777217 queries; at most 16777216 where fully_masked", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("causal-mask"), &refused[_i]);
}
END_TEST

static double fact(const struct pe_plan *plan, const char *name)
{
    for (size_t i = 0; i < pe_plan_fact_count(plan); i++)
        if (strcmp(pe_plan_fact(plan, i)->name, name) == 0)
            return pe_plan_fact(plan, i)->number;
    ck_abort_msg("no fact %s", name);
}

START_TEST(rows_without_a_key_are_counted)
{
    static const struct {
        const char *query;
        double count;
    } rows[] = {{"len=4", 0},
                {"q_len=4&k_len=2", 2},
                {"len=2&padding=0,1;0,0", 3},
                {"q_len=4&k_len=2&fully_masked=unmask_all", 2}};

    for (size_t i = 0; i < PE_LEN(rows); i++) {
        struct pe_plan *plan = core_query_plan(core_query_find("causal-mask"), rows[i].query);

        ck_assert_double_eq(fact(plan, "fully_masked_rows"), rows[i].count);
        pe_plan_free(plan);
    }
}
END_TEST

START_TEST(every_way_to_say_the_same_pairs_is_the_same_question)
{
    static const char *const same[] = {"len=3", "q=0:3&k=0,1,2", "q_len=3&k_len=3",
                                       "q_len=3&k_len=3&q_offset=0"};
    char *first = NULL;

    for (size_t i = 0; i < PE_LEN(same); i++) {
        struct pe_args *args = core_query_checked(core_query_find("causal-mask"), same[i]);
        char *text = core_query_canonical(args);

        if (first)
            ck_assert_str_eq(text, first);
        else
            first = text;
        if (text != first)
            free(text);
        pe_args_free(args);
    }
    free(first);
}
END_TEST

/* ---- every mask -------------------------------------------------------------------------- */

/* What is painted is what the predicate says, element by element. */
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
        group->filler->reference(group->state, &all, (double *[]){defined}, NULL, NULL);
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

START_TEST(what_is_painted_is_what_the_predicate_says)
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

static const struct suite_test tests[] = {
    TEST_EACH(rows_come_out, masks),
    TEST_EACH(other_outputs_come_out, others),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(rows_without_a_key_are_counted),
    TEST(every_way_to_say_the_same_pairs_is_the_same_question),
    TEST_COUNTED(what_is_painted_is_what_the_predicate_says, pe_count),
};

const struct suite masks_suite = {SUITE_TESTS(tests)};
