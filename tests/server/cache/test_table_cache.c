/* SPDX-License-Identifier: Apache-2.0
 * test_table_cache.c - shared tables: one build a key, bytes within their budget. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "server/cache/table_cache.h"
#include "tests/support/suite.h"

/* Checked args of rope with a base of its own, so a table of its own: many rows want one. */
static struct pe_args *args_at(int base, const char *pos)
{
    struct pe_args *args = pe_args_new(pe_find("rope", 4));
    struct pe_errors errors;

    pe_errors_clear(&errors);
    pe_args_set_number(args, "dim", 3, 128, &errors);
    pe_args_set_number(args, "base", 4, base, &errors);
    pe_args_set_text(args, "pos", 3, pos, strlen(pos), &errors);
    ck_assert_int_eq(pe_args_check(args, &errors), PE_OK);
    ck_assert_ptr_nonnull(pe_args_table_key(args));
    return args;
}

static struct pe_table *table_at(struct table_cache *store, int base, const char *pos)
{
    struct pe_args *args = args_at(base, pos);
    struct pe_table *table = NULL;

    ck_assert_int_eq(table_cache_get(store, &table, args), PE_OK);
    ck_assert_ptr_nonnull(table);
    if (pe_table_growth(table, args) > 0)
        ck_assert(table_cache_grow(store, table, args));
    pe_args_free(args);
    return table;
}

static struct pe_table *table_of(struct table_cache *store, int base)
{
    return table_at(store, base, "0:100000");
}

START_TEST(a_table_that_grows_is_counted)
{
    struct table_cache *store = table_cache_new(64 << 20);
    struct pe_table *table = table_at(store, 10000, "0:9"), *again;
    const char *const few[] = {"5:7", "1:9", "3:9"}; /* with the first 25 positions of 32 */
    const uint64_t small = table_cache_stats(store).bytes;

    ck_assert_uint_ge(small, pe_table_bytes(table));
    for (size_t i = 0; i < sizeof few / sizeof *few; i++)
        pe_table_free(table_at(store, 10000, few[i]));
    ck_assert_uint_eq(table_cache_stats(store).bytes, small); /* not worth fine rows yet */
    again = table_at(store, 10000, "5:12");
    ck_assert_ptr_eq(again, table);
    ck_assert_uint_ge(table_cache_stats(store).bytes, small + 256 * 64 * 2 * sizeof(double));
    ck_assert_uint_ge(table_cache_stats(store).bytes, pe_table_bytes(table));
    pe_table_free(again);
    pe_table_free(table);
    ck_assert_uint_gt(table_cache_shrink(store, 1), small);
    ck_assert_uint_eq(table_cache_stats(store).bytes, 0);
    table_cache_free(store);
}
END_TEST

START_TEST(a_table_that_outgrows_the_store_is_evicted_and_kept_by_its_holder)
{
    struct table_cache *store = table_cache_new(100000);
    struct pe_table *table = table_at(store, 10000, "0:9"), *again;

    ck_assert_uint_eq(table_cache_stats(store).tables, 1);
    again = table_at(store, 10000, "0:100");
    ck_assert_ptr_eq(again, table);
    ck_assert_uint_eq(table_cache_stats(store).tables, 0);
    ck_assert_uint_gt(pe_table_bytes(table), 100000);
    pe_table_free(again);
    pe_table_free(table);
    table_cache_free(store);
}
END_TEST

START_TEST(a_table_is_built_once_and_shared)
{
    struct table_cache *store = table_cache_new(64 << 20);
    struct pe_table *first = table_of(store, 10000), *second = table_of(store, 10000);
    struct pe_table *other = table_of(store, 20000);

    ck_assert_ptr_eq(first, second);
    ck_assert_ptr_ne(first, other);
    ck_assert_uint_eq(table_cache_stats(store).builds, 2);
    ck_assert_uint_eq(table_cache_stats(store).tables, 2);
    ck_assert_uint_ge(table_cache_stats(store).bytes, 2 * pe_table_bytes(first));
    pe_table_free(first);
    pe_table_free(second);
    table_cache_free(store);
    ck_assert_uint_gt(pe_table_bytes(other), 0); /* its holder keeps it */
    pe_table_free(other);
}
END_TEST

START_TEST(arguments_without_a_table_get_none)
{
    struct table_cache *store = table_cache_new(64 << 20);
    struct pe_args *args = pe_args_new(pe_find("alibi", 5));
    struct pe_table *table = NULL;
    struct pe_errors errors;

    pe_errors_clear(&errors);
    pe_args_set_number(args, "heads", 5, 8, &errors);
    pe_args_set_number(args, "len", 3, 4, &errors);
    ck_assert_int_eq(pe_args_check(args, &errors), PE_OK);
    ck_assert_int_eq(table_cache_get(store, &table, args), PE_OK);
    ck_assert_ptr_null(table);
    ck_assert_uint_eq(table_cache_stats(store).tables, 0);
    pe_args_free(args);
    table_cache_free(store);
}
END_TEST

START_TEST(the_oldest_tables_are_evicted_at_the_byte_limit)
{
    struct table_cache *probe = table_cache_new(1);
    struct pe_table *table = table_of(probe, 10000);
    size_t size = pe_table_bytes(table);
    struct table_cache *store = table_cache_new(size * 3 + size / 2);

    ck_assert_uint_eq(table_cache_stats(probe).tables,
                      0); /* too large for its store, yet usable */
    pe_table_free(table);
    table_cache_free(probe);
    for (int base = 2; base < 5; base++)
        pe_table_free(table_of(store, base));
    pe_table_free(table_of(store, 2)); /* now 3 is the oldest */
    pe_table_free(table_of(store, 5));
    ck_assert_uint_eq(table_cache_stats(store).tables, 3);
    ck_assert_uint_eq(table_cache_stats(store).builds, 4);
    pe_table_free(table_of(store, 2));
    ck_assert_uint_eq(table_cache_stats(store).builds, 4);
    pe_table_free(table_of(store, 3));
    ck_assert_uint_eq(table_cache_stats(store).builds, 5);
    ck_assert_uint_le(table_cache_stats(store).bytes, size * 3 + size / 2);
    table_cache_free(store);
}
END_TEST

START_TEST(shrinking_evicts_the_oldest_tables)
{
    struct table_cache *store = table_cache_new(64 << 20);
    uint64_t one;

    /* whose keys are as long as each other */
    for (int base = 10; base < 14; base++)
        pe_table_free(table_of(store, base));
    one = table_cache_stats(store).bytes / 4;
    ck_assert_uint_ge(table_cache_shrink(store, 2), 2 * one); /* half of it */
    ck_assert_uint_eq(table_cache_stats(store).tables, 2);
    ck_assert_uint_le(table_cache_stats(store).bytes, 2 * one);
    pe_table_free(table_of(store, 13));
    ck_assert_uint_eq(table_cache_stats(store).builds, 4); /* the youngest is still there */
    ck_assert_uint_gt(table_cache_shrink(store, 1), 0);
    ck_assert_uint_eq(table_cache_shrink(store, 1), 0);
    ck_assert_uint_eq(table_cache_stats(store).bytes, 0);
    pe_table_free(table_of(store, 13));
    ck_assert_uint_eq(table_cache_stats(store).builds, 5); /* and it keeps as before */
    ck_assert_uint_eq(table_cache_stats(store).tables, 1);
    table_cache_free(store);
}
END_TEST

enum { ASKERS = 16, TABLES = 4 };

struct contest {
    struct table_cache *store;
    pthread_barrier_t start;
};

static void *contend(void *cls)
{
    struct contest *contest = cls;

    pthread_barrier_wait(&contest->start);
    for (int base = 0; base < TABLES; base++)
        pe_table_free(table_of(contest->store, 1000 + base));
    return NULL;
}

/* Lets many threads ask a cache of this size for the same tables at once. */
static struct table_cache *contest_of(size_t max_bytes)
{
    struct contest contest = {.store = table_cache_new(max_bytes)};
    pthread_t threads[ASKERS];

    pthread_barrier_init(&contest.start, NULL, ASKERS);
    for (int i = 0; i < ASKERS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, contend, &contest), 0);
    for (int i = 0; i < ASKERS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&contest.start);
    return contest.store;
}

START_TEST(concurrent_askers_wait_for_the_builder)
{
    struct table_cache *store = contest_of(64 << 20);

    ck_assert_uint_eq(table_cache_stats(store).builds, TABLES);
    table_cache_free(store);
}
END_TEST

START_TEST(concurrent_askers_of_a_store_that_is_too_small_all_get_theirs)
{
    struct table_cache *store = contest_of(1);

    ck_assert_uint_eq(table_cache_stats(store).bytes, 0);
    table_cache_free(store);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_table_is_built_once_and_shared),
    TEST(a_table_that_grows_is_counted),
    TEST(a_table_that_outgrows_the_store_is_evicted_and_kept_by_its_holder),
    TEST(arguments_without_a_table_get_none),
    TEST(the_oldest_tables_are_evicted_at_the_byte_limit),
    TEST(shrinking_evicts_the_oldest_tables),
    TEST(concurrent_askers_wait_for_the_builder),
    TEST(concurrent_askers_of_a_store_that_is_too_small_all_get_theirs),
};

const struct suite table_cache_suite = {SUITE_TESTS(tests), .timeout = 60};
