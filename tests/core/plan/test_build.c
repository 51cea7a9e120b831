/* SPDX-License-Identifier: Apache-2.0
 * test_build.c - what a prepare hook may do: memory, facts, warnings, and who fills what. */
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "core/plan/plan.h"
#include "tests/support/core_query.h"
#include "tests/support/core_sample.h"
#include "tests/support/suite.h"

START_TEST(memory_of_a_plan_is_zeroed_aligned_and_its_own)
{
    struct pe_plan *plan = core_query_plan(&core_sample, "pos=0:4&dim=4");
    struct pe_build build = {.plan = plan};
    unsigned char *last = NULL;

    for (size_t bytes = 0; bytes < 300; bytes += 7) {
        unsigned char *memory = pe_build_alloc(&build, bytes);

        ck_assert_ptr_nonnull(memory);
        ck_assert_ptr_ne(memory, last);
        ck_assert_uint_eq((uintptr_t)memory % 64, 0);
        for (size_t i = 0; i < bytes; i++)
            ck_assert_uint_eq(memory[i], 0);
        memset(memory, 0xff, bytes);
        last = memory;
    }
    pe_plan_free(plan); /* and all of it goes */
}
END_TEST

START_TEST(memory_beyond_all_bounds_is_refused_and_the_lack_is_remembered)
{
    struct pe_plan *plan = core_query_plan(&core_sample, "pos=0:4&dim=4");
    struct pe_build build = {.plan = plan};

    ck_assert(!build.no_memory);
    ck_assert_ptr_null(pe_build_alloc(&build, SIZE_MAX));
    ck_assert_ptr_null(pe_build_alloc(&build, SIZE_MAX - 127));
    ck_assert_ptr_null(pe_build_alloc(&build, SIZE_MAX / 2 + 1));
    ck_assert(build.no_memory);
    ck_assert_ptr_nonnull(pe_build_alloc(&build, 8)); /* memory that came with the plan */
    ck_assert(build.no_memory);
    pe_plan_free(plan);
}
END_TEST

/* The hook that a copy of an encoding has in place of its own. */
static enum pe_status plan_with(void (*prepare)(struct pe_build *, const void *),
                                struct pe_errors *errors)
{
    const struct pe_limits limits = {.max_elements = 1 << 20, .max_prepared = 1 << 16};
    struct pe_encoding enc = core_sample;
    struct pe_plan *plan;
    struct pe_args *args = NULL;
    enum pe_status status;

    enc.prepare = prepare;
    pe_errors_clear(errors);
    ck_assert_int_eq(core_query_args(&args, &enc, "pos=0:4&dim=4", errors), PE_OK);
    status = pe_plan_new(&plan, args, NULL, &limits, errors);
    if (!status)
        pe_plan_free(plan);
    pe_args_free(args);
    return status;
}

static void finds_no_memory(struct pe_build *build, const void *values)
{
    ck_assert(!pe_build_no_memory(build));
}

static void finds_a_problem(struct pe_build *build, const void *values)
{
    pe_fail(pe_build_errors(build), PE_BAD_VALUE, "dim", "must please the hook");
}

START_TEST(a_plan_fails_with_the_problem_of_its_hook)
{
    struct pe_errors errors;

    ck_assert_int_eq(plan_with(finds_no_memory, &errors), PE_NO_MEMORY);
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_str_eq(errors.at[0].detail, "out of memory");
    ck_assert_int_eq(plan_with(finds_a_problem, &errors), PE_BAD_VALUE);
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_str_eq(errors.at[0].detail, "must please the hook");
}
END_TEST

START_TEST(facts_are_numbers_or_texts_in_the_order_of_the_hook)
{
    struct pe_plan *plan = core_query_plan(&core_sample, "pos=0:4&dim=4");

    ck_assert_uint_eq(pe_plan_fact_count(plan), 2);
    ck_assert_str_eq(pe_plan_fact(plan, 0)->name, "answer");
    ck_assert_ptr_null(pe_plan_fact(plan, 0)->text);
    ck_assert(pe_plan_fact(plan, 0)->number == 42);
    ck_assert_str_eq(pe_plan_fact(plan, 1)->name, "sign");
    ck_assert_str_eq(pe_plan_fact(plan, 1)->text, "as it comes");
    ck_assert_uint_eq(pe_plan_warning_count(plan), 0);
    pe_plan_free(plan);
}
END_TEST

START_TEST(warnings_are_sentences_of_bounded_length)
{
    struct pe_plan *plan = core_query_plan(&core_sample, "pos=0:4&dim=4&gain=0.5");
    struct pe_build build = {.plan = plan};
    char longer[500];

    ck_assert_uint_eq(pe_plan_warning_count(plan), 1);
    ck_assert_str_eq(pe_plan_warning(plan, 0), "gain is 0.5: it softens");
    memset(longer, 'w', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    pe_build_warn(&build, "%s", longer);
    ck_assert_uint_eq(strlen(pe_plan_warning(plan, 1)), PLAN_WARNING_MAX - 1);
    pe_plan_free(plan);
}
END_TEST

START_TEST(hooks_see_the_arguments_and_the_table)
{
    struct pe_plan *plain = core_query_plan(&core_sample, "pos=0:4&dim=4");
    struct pe_plan *tabled = core_query_plan(&core_sample, "pos=0:4&dim=4&mode=table");
    struct pe_build build = {.plan = plain};

    ck_assert_ptr_null(pe_build_table(&build));
    ck_assert_ptr_eq(pe_build_args(&build), pe_plan_args(plain));
    build.plan = tabled;
    ck_assert(((const double *)pe_build_table(&build))[0] == 100);
    pe_plan_free(plain);
    pe_plan_free(tabled);
}
END_TEST

static void fills_every_group(struct pe_build *build, const void *values)
{
    const struct pe_encoding *enc = pe_args_encoding(pe_build_args(build));
    size_t wanted = 0;

    for (size_t i = 0; i < enc->output_count; i++) {
        if (pe_output_group(enc, i) == i)
            pe_build_fill(build, i, NULL, NULL);
        wanted += pe_output_group(enc, i) == i && pe_build_wants(build, i);
    }
    ck_assert_uint_eq(wanted, 1); /* that of rows, the output by default */
    core_sample.prepare(build, values);
}

START_TEST(a_filler_of_a_group_that_is_not_wanted_is_ignored)
{
    struct pe_errors errors;

    ck_assert_int_eq(plan_with(fills_every_group, &errors), PE_OK);
}
END_TEST

SUITE(build, TEST(memory_of_a_plan_is_zeroed_aligned_and_its_own),
      TEST(memory_beyond_all_bounds_is_refused_and_the_lack_is_remembered),
      TEST(a_plan_fails_with_the_problem_of_its_hook),
      TEST(a_filler_of_a_group_that_is_not_wanted_is_ignored),
      TEST(facts_are_numbers_or_texts_in_the_order_of_the_hook),
      TEST(warnings_are_sentences_of_bounded_length),
      TEST(hooks_see_the_arguments_and_the_table));
