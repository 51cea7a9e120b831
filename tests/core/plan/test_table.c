/* SPDX-License-Identifier: Apache-2.0
 * test_table.c - tables that plans share: built by key, counted, never part of the answer. */
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

/* Encodings of the registry: a table of other arguments with the same key is as good. */
static const struct {
    const char *encoding, *maker, *user;
} sharers[] = {
    {"rope", "pos=0:600&dim=16", "pos=5:1200:2&dim=16&out=sin,cos&dtype=bf16"},
    {"rope", "pos=0:4&dim=16", "dim=64&rotary_dim=16&out=inv_freq&dtype=f64"},
    {"sinusoidal", "pos=0:600&dim=16", "pos=-700:0&dim=16&layout=concat&amplitude=3"},
    {"sinusoidal", "pos=0:4&dim=16", "dim=16&out=wavelengths"},
};

START_TEST(any_arguments_with_the_key_may_use_the_table)
{
    const struct pe_encoding *enc = core_query_find(sharers[_i].encoding);
    struct pe_args *maker = core_query_checked(enc, sharers[_i].maker);
    struct pe_args *user = core_query_checked(enc, sharers[_i].user);
    struct pe_limits limits = {.max_elements = 1 << 20, .max_prepared = 1000};
    struct pe_table *table = pe_table_build(maker);
    struct pe_plan *shared = NULL, *own = core_query_plan(enc, sharers[_i].user);
    const struct pe_tensor_info *tensor = pe_plan_tensor(own, 0);
    struct pe_errors errors = {.count = 0};
    void *a, *b;

    ck_assert_str_eq(pe_args_table_key(maker), pe_args_table_key(user));
    ck_assert_int_eq(pe_plan_new(&shared, user, table, &limits, &errors), PE_OK);
    a = core_query_bytes(own, 0);
    b = core_query_bytes(shared, 0);
    ck_assert_mem_eq(a, b, tensor->rows * tensor->cols * pe_dtype_size(tensor->dtype));
    free(a);
    free(b);
    pe_plan_free(own);
    pe_plan_free(shared);
    pe_table_free(table);
    pe_args_free(maker);
    pe_args_free(user);
}
END_TEST

static const struct {
    const char *encoding, *one, *other;
} strangers[] = {
    {"rope", "pos=0:4&dim=16", "pos=0:4&dim=16&base=10001"},
    {"rope", "pos=0:4&dim=16", "pos=0:600&dim=16"}, /* fine rows */
    {"rope", "pos=0:4&dim=16", "pos=0:4&dim=32"},
    {"rope", "pos=0:4&dim=16", "pos=0:4&dim=16&scaling=linear&factor=2"},
    {"sinusoidal", "pos=0:4&dim=16", "pos=0:4&dim=16&scale=2"},
    {"sinusoidal", "pos=0:4&dim=16", "pos=0:4&dim=16&ladder=closed"},
    {"sinusoidal", "pos=0:4&dim=5&odd=extra-sin", "pos=0:4&dim=5&odd=ceil-truncate"},
    {"sinusoidal", "pos=0:4&dim=16&ladder=closed", "pos=0:4&dim=16&min_timescale=2"},
};

START_TEST(what_decides_the_table_is_in_its_key)
{
    const struct pe_encoding *enc = core_query_find(strangers[_i].encoding);
    struct pe_args *one = core_query_checked(enc, strangers[_i].one);
    struct pe_args *other = core_query_checked(enc, strangers[_i].other);

    ck_assert_str_ne(pe_args_table_key(one), pe_args_table_key(other));
    pe_args_free(one);
    pe_args_free(other);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_table_knows_its_content_and_size),
    TEST(plans_that_share_a_table_outlive_its_maker),
    TEST(a_plan_without_a_callers_table_builds_its_own),
    TEST_EACH(any_arguments_with_the_key_may_use_the_table, sharers),
    TEST_EACH(what_decides_the_table_is_in_its_key, strangers),
};

const struct suite table_suite = {SUITE_TESTS(tests)};
