/* SPDX-License-Identifier: Apache-2.0
 * test_recent_tables.c - a loop gets the table that the table cache has, keeps it while it is
 * not evicted, and no longer. */
#include "server/cache/recent_tables.h"

#include <stdio.h>
#include <string.h>

#include "server/cache/table_cache.h"
#include "tests/support/suite.h"

static struct table_cache *cache;
static struct recent_tables *recent;

static void start(void)
{
    cache = table_cache_new(64 << 20);
    recent = recent_tables_new(cache);
    ck_assert(cache && recent);
}

static void stop(void)
{
    recent_tables_free(recent);
    table_cache_free(cache);
}

/* Gets the table of rope with that width; the caller frees it. */
static struct pe_table *get(int dim)
{
    const struct pe_encoding *enc = pe_find("rope", 4);
    struct pe_args *args = pe_args_new(enc);
    struct pe_errors errors = {.count = 0};
    struct pe_table *table;

    ck_assert_ptr_nonnull(args);
    pe_args_set_text(args, "pos", 3, "1", 1, &errors);
    pe_args_set_number(args, "dim", 3, dim, &errors);
    ck_assert_int_eq(pe_args_check(args, &errors), PE_OK);
    ck_assert_ptr_nonnull(pe_args_table_key(args));
    ck_assert_int_eq(recent_tables_get(recent, &table, args), PE_OK);
    ck_assert_ptr_nonnull(table);
    pe_args_free(args);
    return table;
}

START_TEST(the_same_table_is_got_again_and_built_once)
{
    struct pe_table *first = get(8), *again = get(8), *other = get(16);

    ck_assert_ptr_eq(first, again);
    ck_assert_ptr_ne(first, other);
    ck_assert_uint_eq(table_cache_stats(cache).builds, 2);
    pe_table_free(first);
    pe_table_free(again);
    pe_table_free(other);
}
END_TEST

START_TEST(more_keys_than_places_are_all_right)
{
    for (int turn = 0; turn < 2; turn++)
        for (int dim = 2; dim < 200; dim += 2) {
            struct pe_table *table = get(dim), *again = get(dim);

            ck_assert_ptr_eq(table, again);
            pe_table_free(table);
            pe_table_free(again);
        }
    ck_assert_uint_eq(table_cache_stats(cache).builds, 99);
}
END_TEST

START_TEST(a_table_that_is_evicted_is_not_kept)
{
    struct pe_table *table;
    const unsigned before = table_cache_evictions(cache);

    pe_table_free(get(8));
    pe_table_free(get(8));
    ck_assert_uint_eq(table_cache_evictions(cache), before);
    ck_assert_uint_gt(table_cache_shrink(cache, 1), 0);
    ck_assert_uint_ne(table_cache_evictions(cache), before);
    ck_assert_uint_eq(table_cache_stats(cache).tables, 0);
    table = get(8); /* built anew, since no reference is used that was taken before */
    ck_assert_uint_eq(table_cache_stats(cache).builds, 2);
    pe_table_free(table);
}
END_TEST

START_TEST(a_table_that_is_asked_for_is_not_evicted_before_others)
{
    struct recent_tables *other = recent_tables_new(cache), *mine = recent;

    pe_table_free(get(8));
    recent = other; /* another loop asks for tables, which are younger */
    for (int dim = 10; dim < 40; dim += 2)
        pe_table_free(get(dim));
    recent = mine;
    pe_table_free(get(8)); /* past the table cache */
    recent_tables_tick(recent);
    ck_assert_uint_gt(table_cache_shrink(cache, 10), 0);
    ck_assert_uint_lt(table_cache_stats(cache).tables, 16);
    pe_table_free(get(8));
    ck_assert_uint_eq(table_cache_stats(cache).builds, 16);
    recent_tables_free(other);
}
END_TEST

START_TEST(arguments_that_need_no_table_get_none)
{
    const struct pe_encoding *enc = pe_find("causal-mask", strlen("causal-mask"));
    struct pe_args *args = enc ? pe_args_new(enc) : NULL;
    struct pe_errors errors = {.count = 0};
    struct pe_table *table = NULL;

    ck_assert_ptr_nonnull(args);
    pe_args_set_text(args, "len", 3, "4", 1, &errors);
    ck_assert_int_eq(pe_args_check(args, &errors), PE_OK);
    ck_assert_int_eq(recent_tables_get(recent, &table, args), PE_OK);
    ck_assert_ptr_null(table);
    pe_args_free(args);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(the_same_table_is_got_again_and_built_once),
    TEST(more_keys_than_places_are_all_right),
    TEST(a_table_that_is_evicted_is_not_kept),
    TEST(a_table_that_is_asked_for_is_not_evicted_before_others),
    TEST(arguments_that_need_no_table_get_none),
};

const struct suite recent_tables_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
