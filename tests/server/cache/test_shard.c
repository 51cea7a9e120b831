/* SPDX-License-Identifier: Apache-2.0
 * test_shard.c - eviction at the byte limit, and when memory is short. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/cache/cache.h"
#include "server/cache/shard.h"
#include "tests/support/suite.h"

enum { BUDGET = 1 << 20, BYTES = 1000 };

static struct shard shard;
static _Atomic uint64_t lent;

static void start(void)
{
    shard = (struct shard){0};
    atomic_store(&lent, 0);
    ck_assert(shard_init(&shard, BUDGET, &lent));
}

static void stop(void)
{
    shard_fini(&shard); /* asserts that nothing is held */
}

static size_t length(const struct cache_entry *chain)
{
    size_t count = 0;

    for (; chain; chain = chain->chain)
        count++;
    return count;
}

static uint64_t hash_of(unsigned number)
{
    return (number + 1) * UINT64_C(7919);
}

/* Adds an entry of BYTES and drops the entries that are evicted for it. */
static struct cache_entry *keep_as(unsigned number, bool cheap)
{
    struct cache_entry *entry, *gone;
    char key[32];
    int len = snprintf(key, sizeof key, "key %u", number);

    entry = shard_entry_new(&shard, hash_of(number), key, (size_t)len);
    ck_assert_ptr_nonnull(entry);
    shard_list(&shard, entry);
    entry->node.bytes = BYTES;
    entry->node.cheap = cheap;
    gone = shard_keep(&shard, entry, BYTES);
    shard_chain_drop(gone);
    shard_entry_drop(entry); /* the table's reference is left */
    return entry;
}

static struct cache_entry *keep(unsigned number)
{
    return keep_as(number, false);
}

static bool has(unsigned number)
{
    char key[32];
    int len = snprintf(key, sizeof key, "key %u", number);

    return shard_find(&shard, hash_of(number), key, (size_t)len) != NULL;
}

START_TEST(no_more_entries_are_evicted_than_needed)
{
    unsigned number = 0;

    while (shard.evictions == 0)
        keep(number++);
    ck_assert_uint_eq(shard.evictions, 1);
    ck_assert_uint_eq(number, BUDGET / BYTES + 1);
    ck_assert(!has(0));
    ck_assert(has(1));
    ck_assert_uint_le(shard.bytes, BUDGET);
}
END_TEST

START_TEST(a_scan_of_cheap_entries_uses_few_bytes)
{
    for (unsigned i = 0; i < 100; i++)
        keep(i);
    for (unsigned i = 100; i < 10000; i++) {
        keep_as(i, true);
        ck_assert(has(i));
        ck_assert_uint_le(shard.bytes, 100 * BYTES + BUDGET / 64);
    }
    for (unsigned i = 0; i < 100; i++)
        ck_assert(has(i));
    ck_assert(!has(100));
    ck_assert_uint_eq(shard.evictions, 10000 - shard.entries);
}
END_TEST

START_TEST(a_shard_shrinks_to_the_given_bytes)
{
    struct cache_entry *gone;

    for (unsigned i = 0; i < 100; i++)
        keep(i);
    ck_assert_ptr_null(shard_shrink(&shard, 100 * BYTES));
    gone = shard_shrink(&shard, 70 * BYTES + 1);
    ck_assert_uint_eq(length(gone), 30);
    ck_assert_uint_eq(shard.entries, 70);
    ck_assert_uint_eq(shard.evictions, 30);
    for (unsigned i = 0; i < 100; i++)
        ck_assert_int_eq(has(i), i >= 30);
    shard_chain_drop(gone);
    ck_assert_uint_eq(shard.bytes, 70 * BYTES);
    gone = shard_shrink(&shard, 0);
    ck_assert_uint_eq(length(gone), 70);
    shard_chain_drop(gone);
    ck_assert_uint_eq(shard.bytes, 0);
    keep(1);
    ck_assert(has(1)); /* and it keeps as before */
}
END_TEST

START_TEST(entries_requested_again_are_evicted_last)
{
    struct cache_entry *gone;

    for (unsigned i = 0; i < 100; i++) {
        struct cache_entry *entry = keep(i);

        if (i % 10 == 0)
            s3fifo_touch(&entry->node);
    }
    gone = shard_shrink(&shard, 20 * BYTES);
    ck_assert_uint_eq(length(gone), 80);
    for (unsigned i = 0; i < 100; i += 10)
        ck_assert(has(i));
    shard_chain_drop(gone);
}
END_TEST

START_TEST(an_entry_in_use_outlives_eviction_and_counts_as_lent)
{
    struct cache_entry *held = keep(1), *gone;

    atomic_fetch_add(&held->refs, 1);
    ck_assert_uint_eq(cache_entry_lent(held), 0);
    gone = shard_shrink(&shard, 0);
    ck_assert_ptr_eq(gone, held);
    ck_assert_uint_eq(atomic_load(&lent), BYTES);
    shard_chain_drop(gone);
    ck_assert(cache_entry_evicted(held));
    ck_assert_uint_eq(shard.bytes, 0);
    ck_assert_uint_eq(cache_entry_lent(held), BYTES);
    atomic_fetch_add(&held->refs, 1); /* two readers share it */
    ck_assert_uint_eq(cache_entry_lent(held), BYTES / 2);
    shard_entry_drop(held);
    ck_assert_uint_eq(atomic_load(&lent), BYTES);
    shard_entry_drop(held);
    ck_assert_uint_eq(atomic_load(&lent), 0);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(no_more_entries_are_evicted_than_needed),
    TEST(a_scan_of_cheap_entries_uses_few_bytes),
    TEST(a_shard_shrinks_to_the_given_bytes),
    TEST(entries_requested_again_are_evicted_last),
    TEST(an_entry_in_use_outlives_eviction_and_counts_as_lent),
};

const struct suite shard_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
