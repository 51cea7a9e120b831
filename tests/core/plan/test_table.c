/* SPDX-License-Identifier: Apache-2.0
 * test_table.c - tables that plans share: built by key, counted, never part of the answer.
 * Which requests share a table are rows of tables.txt. */
#include "core/plan/table.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/core_query.h"
#include "tests/support/core_sample.h"
#include "tests/support/suite.h"

#define QUERY "pos=0:3&dim=4&mode=table"

static struct pe_plan *plan_with(struct pe_args *args, struct pe_table *table)
{
    struct pe_limits limits = {.max_elements = 1000, .max_prepared = 1000};
    struct pe_errors errors = {.count = 0};
    struct pe_plan *plan = NULL;

    ck_assert_int_eq(pe_plan_new(&plan, args, table, &limits, &errors), PE_OK);
    return plan;
}

START_TEST(a_table_knows_its_content_and_size)
{
    struct pe_args *args = core_query_checked(&core_sample, QUERY);
    struct pe_table *table = pe_table_build(args);
    const double *content = table_content(table);

    ck_assert(content[0] == 100 && content[3] == 103);
    ck_assert_uint_ge(pe_table_bytes(table), 4 * sizeof(double));
    ck_assert_uint_lt(pe_table_bytes(table), 4 * sizeof(double) + 200);
    pe_table_free(table);
    pe_table_free(NULL);
    pe_args_free(args);
}
END_TEST

START_TEST(plans_that_share_a_table_outlive_its_maker)
{
    struct pe_args *args = core_query_checked(&core_sample, QUERY);
    struct pe_table *table = pe_table_build(args);
    struct pe_plan *first = plan_with(args, table), *second = plan_with(args, table);
    double *values;

    pe_args_free(args);
    ck_assert_ptr_eq(pe_table_ref(table), table);
    pe_table_free(table);
    pe_table_free(table);
    pe_plan_free(first);
    values = core_query_doubles(second, 0);
    ck_assert(values[0] == 100 && values[4] == 101 && values[11] == 105);
    free(values);
    pe_plan_free(second);
}
END_TEST

START_TEST(a_plan_without_a_callers_table_builds_its_own)
{
    struct pe_args *args = core_query_checked(&core_sample, QUERY);
    struct pe_table *table = pe_table_build(args);
    struct pe_plan *own = plan_with(args, NULL), *shared = plan_with(args, table);
    float *a = core_query_bytes(own, 0), *b = core_query_bytes(shared, 0);

    ck_assert_mem_eq(a, b, 12 * sizeof *a);
    free(a);
    free(b);
    pe_plan_free(own);
    pe_plan_free(shared);
    pe_table_free(table);
    pe_args_free(args);
}
END_TEST

SUITE(table, TEST(a_table_knows_its_content_and_size),
      TEST(plans_that_share_a_table_outlive_its_maker),
      TEST(a_plan_without_a_callers_table_builds_its_own));
