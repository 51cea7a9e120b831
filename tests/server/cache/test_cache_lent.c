/* SPDX-License-Identifier: Apache-2.0
 * test_cache_lent.c - the bytes of entries that are not in the cache and still being read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/cache/cache.h"
#include "tests/support/suite.h"

enum { BUDGET = 1 << 20, ANSWER = 2048, HOT = 40, FLOOD = 1000000 };

/* The entry of a key, made if need be, and held. */
static struct cache_entry *make(struct cache *cache, const char *key)
{
    struct cache_entry *entry = NULL;
    struct cache_answer answer = {.len = ANSWER};

    if (cache_get(cache, &entry, cache_key(cache, key, strlen(key)), NULL) == CACHE_READY)
        return entry;
    answer.bytes = calloc(1, ANSWER);
    memcpy(answer.bytes, key, strlen(key));
    cache_finish(cache, entry, &answer);
    return entry;
}

START_TEST(an_evicted_entry_counts_as_lent_until_it_is_dropped)
{
    struct cache *cache = cache_new(BUDGET);
    struct cache_entry *held = NULL;
    char key[32];

    held = make(cache, "held");
    for (int i = 0; i < 2 * FLOOD && !cache_entry_evicted(held); i++) {
        snprintf(key, sizeof key, "other %d", i);
        cache_entry_unref(make(cache, key));
        ck_assert_uint_eq(cache_stats(cache).lent > 0, cache_entry_evicted(held));
    }
    ck_assert(cache_entry_evicted(held));
    ck_assert_ptr_null(cache_find(cache, cache_key(cache, "held", 4)));
    ck_assert_str_eq(cache_entry_answer(held)->bytes, "held"); /* still whole */
    ck_assert_uint_ge(cache_stats(cache).lent, ANSWER);
    ck_assert_uint_eq(cache_entry_lent(held), cache_lent(cache));
    cache_entry_unref(held);
    ck_assert_uint_eq(cache_stats(cache).lent, 0);
    cache_free(cache);
}
END_TEST

/* Readers that never end hold every new entry: the cache keeps within its bytes, and the
 * entries that are asked for often stay. */
START_TEST(readers_of_all_newcomers_neither_empty_nor_swell_the_cache)
{
    enum { READERS = 3 * BUDGET / ANSWER };
    struct cache *cache = cache_new(BUDGET);
    struct cache_entry **held = calloc(READERS, sizeof(struct cache_entry *));
    char key[32];

    for (int round = 0; round < 3; round++)
        for (int i = 0; i < HOT; i++) {
            snprintf(key, sizeof key, "hot %d", i);
            cache_entry_unref(make(cache, key));
        }
    for (int i = 0; i < READERS; i++) {
        snprintf(key, sizeof key, "read %d", i);
        held[i] = make(cache, key);
        ck_assert_uint_le(cache_stats(cache).bytes, BUDGET);
    }
    ck_assert_uint_ge(cache_stats(cache).bytes, BUDGET * 9 / 10);
    ck_assert_uint_ge(cache_stats(cache).lent, BUDGET);
    for (int i = 0; i < HOT; i++) {
        struct cache_entry *hot;

        snprintf(key, sizeof key, "hot %d", i);
        hot = cache_find(cache, cache_key(cache, key, strlen(key)));
        ck_assert_ptr_nonnull(hot);
        cache_entry_unref(hot);
    }
    for (int i = 0; i < READERS; i++)
        cache_entry_unref(held[i]);
    ck_assert_uint_eq(cache_stats(cache).lent, 0);
    free(held);
    cache_free(cache);
}
END_TEST

START_TEST(an_entry_that_is_never_kept_is_lent_to_its_maker)
{
    struct cache *none = cache_new(0);
    struct cache_entry *entry = NULL;

    entry = make(none, "k");
    ck_assert_uint_ge(cache_lent(none), ANSWER);
    cache_entry_unref(entry);
    ck_assert_uint_eq(cache_lent(none), 0);
    cache_free(none);
}
END_TEST

SUITE(cache_lent, TEST(an_evicted_entry_counts_as_lent_until_it_is_dropped),
      TEST(readers_of_all_newcomers_neither_empty_nor_swell_the_cache),
      TEST(an_entry_that_is_never_kept_is_lent_to_its_maker));
