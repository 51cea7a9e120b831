/* SPDX-License-Identifier: Apache-2.0
 * test_cache.c - one request computes, many wait; the bytes stay within their budget, and
 * entries that are asked for often stay. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/cache/cache.h"
#include "tests/support/suite.h"

enum { BUDGET = 1 << 20 };

static struct cache *cache;

static void start(void)
{
    cache = cache_new(BUDGET);
}

static void stop(void)
{
    cache_free(cache);
}

static struct cache_answer answer_of(const char *text, size_t len)
{
    struct cache_answer answer = {.bytes = malloc(len),
                                  .len = len,
                                  .headers = strdup("A: b\n")};

    memset(answer.bytes, 0, len);
    memcpy(answer.bytes, text, strlen(text) < len ? strlen(text) : len);
    return answer;
}

/* Gets a key, if need be making `len` bytes that start with it; true if it was there. */
static bool ask_of(struct cache *where, const char *key, size_t len)
{
    struct cache_entry *entry = NULL;
    enum cache_result result =
        cache_get(where, &entry, cache_key(where, key, strlen(key)), NULL);
    struct cache_answer answer;

    ck_assert(result == CACHE_READY || result == CACHE_MAKE);
    if (result == CACHE_MAKE) {
        answer = answer_of(key, len);
        cache_finish(where, entry, &answer);
        ck_assert_ptr_null(answer.bytes); /* taken */
    }
    ck_assert_mem_eq(cache_entry_answer(entry)->bytes, key,
                     strlen(key) < len ? strlen(key) : len);
    cache_entry_unref(entry);
    return result == CACHE_READY;
}

static bool ask(const char *key, size_t len)
{
    return ask_of(cache, key, len);
}

START_TEST(an_answer_is_made_once_and_found_again)
{
    struct cache_entry *entry;

    ck_assert(!ask("/v1/rope?dim=8", 100));
    ck_assert(ask("/v1/rope?dim=8", 100));
    entry = cache_find(cache, cache_key(cache, "/v1/rope?dim=8", 14));
    ck_assert_ptr_nonnull(entry);
    ck_assert_str_eq(cache_entry_answer(entry)->headers, "A: b\n");
    ck_assert(!cache_entry_evicted(entry));
    cache_entry_drop(entry);
    ck_assert_ptr_null(cache_find(cache, cache_key(cache, "/v1/rope?dim=9", 14)));
}
END_TEST

/* ---- one computation, many threads --------------------------------------------------- */

enum { ASKERS = 32, ROUNDS = 50 };

struct asker {
    struct cache_waiter waiter; /* first */
    sem_t woken;
};

struct contest {
    pthread_barrier_t start;
    atomic_int makers, waiters, right;
    char key[32];
};

static void on_wake(struct cache_waiter *waiter)
{
    sem_post(&((struct asker *)(void *)waiter)->woken);
}

static void *contend(void *cls)
{
    struct contest *contest = cls;
    struct asker asker = {.waiter.wake = on_wake};
    struct cache_entry *entry = NULL;
    struct cache_answer answer;

    sem_init(&asker.woken, 0, 0);
    pthread_barrier_wait(&contest->start);
    switch (cache_get(cache, &entry, cache_key(cache, contest->key, strlen(contest->key)),
                      &asker.waiter)) {
    case CACHE_MAKE:
        atomic_fetch_add(&contest->makers, 1);
        answer = answer_of(contest->key, 64);
        cache_finish(cache, entry, &answer);
        break;
    case CACHE_WAIT:
        atomic_fetch_add(&contest->waiters, 1);
        sem_wait(&asker.woken);
        break;
    default:
        break;
    }
    if (strcmp(cache_entry_answer(entry)->bytes, contest->key) == 0)
        atomic_fetch_add(&contest->right, 1);
    cache_entry_unref(entry);
    sem_destroy(&asker.woken);
    return NULL;
}

START_TEST(one_of_32_threads_computes)
{
    struct contest contest;
    pthread_t threads[ASKERS];

    pthread_barrier_init(&contest.start, NULL, ASKERS);
    for (int round = 0; round < ROUNDS; round++) {
        snprintf(contest.key, sizeof contest.key, "key %d", round);
        atomic_store(&contest.makers, 0);
        atomic_store(&contest.right, 0);
        for (int i = 0; i < ASKERS; i++)
            ck_assert_int_eq(pthread_create(&threads[i], NULL, contend, &contest), 0);
        for (int i = 0; i < ASKERS; i++)
            pthread_join(threads[i], NULL);
        ck_assert_int_eq(atomic_load(&contest.makers), 1);
        ck_assert_int_eq(atomic_load(&contest.right), ASKERS);
    }
    pthread_barrier_destroy(&contest.start);
}
END_TEST

START_TEST(without_a_waiter_an_unfinished_entry_is_made_twice)
{
    struct cache_entry *first = NULL, *second = NULL;
    struct cache_answer one = answer_of("one", 4), two = answer_of("two", 4);

    ck_assert_int_eq(cache_get(cache, &first, cache_key(cache, "k", 1), NULL), CACHE_MAKE);
    ck_assert_int_eq(cache_get(cache, &second, cache_key(cache, "k", 1), NULL), CACHE_MAKE);
    ck_assert_ptr_ne(first, second);
    cache_finish(cache, second, &two);
    cache_finish(cache, first, &one);
    ck_assert_uint_eq(cache_stats(cache).entries, 1);
    cache_entry_unref(second);
    cache_entry_unref(first);
    first = cache_find(cache, cache_key(cache, "k", 1));
    ck_assert_str_eq(cache_entry_answer(first)->bytes, "one"); /* the private one is gone */
    cache_entry_unref(first);
}
END_TEST

/* ---- keys ---------------------------------------------------------------------------- */

START_TEST(keys_whose_hashes_collide_stay_apart)
{
    char key[32];

    cache_mask_hash(cache, 1); /* two hashes for all keys */
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 500; i++) {
            snprintf(key, sizeof key, "/v1/rope?dim=%d", i);
            ck_assert_int_eq(ask(key, strlen(key) + 1), round == 1);
        }
    ck_assert(!ask("/v1/rope?dim=", 20)); /* a prefix of all is none of them */
    ck_assert_uint_eq(cache_stats(cache).entries, 501);
}
END_TEST

START_TEST(a_key_may_hold_any_bytes)
{
    struct cache_entry *a = NULL, *b = NULL;
    struct cache_answer one = answer_of("1", 2), two = answer_of("2", 2);

    ck_assert_int_eq(cache_get(cache, &a, cache_key(cache, "k\0a", 3), NULL), CACHE_MAKE);
    ck_assert_int_eq(cache_get(cache, &b, cache_key(cache, "k\0b", 3), NULL), CACHE_MAKE);
    cache_finish(cache, a, &one);
    cache_finish(cache, b, &two);
    ck_assert_str_eq(cache_entry_answer(a)->bytes, "1");
    ck_assert_uint_eq(cache_stats(cache).entries, 2);
    cache_entry_unref(a);
    cache_entry_unref(b);
}
END_TEST

/* ---- bytes --------------------------------------------------------------------------- */

enum { ANSWER = 2048, HOT = 40, FLOOD = 1000000 };

static int hot_hits(void)
{
    int hits = 0;
    char key[32];

    for (int i = 0; i < HOT; i++) {
        snprintf(key, sizeof key, "hot %d", i);
        hits += ask(key, ANSWER);
    }
    return hits;
}

START_TEST(a_scan_of_single_requests_keeps_the_popular_entries)
{
    char key[32];

    hot_hits();
    ck_assert_int_eq(hot_hits(), HOT);
    for (int i = 0; i < FLOOD; i++) {
        snprintf(key, sizeof key, "flood %d", i);
        ck_assert(!ask(key, ANSWER));
        ck_assert_uint_le(cache_stats(cache).bytes, BUDGET);
    }
    ck_assert_int_ge(hot_hits(), HOT * 9 / 10);
    ck_assert_uint_ge(cache_stats(cache).evictions, FLOOD - BUDGET / ANSWER);
}
END_TEST

START_TEST(bytes_count_key_answer_and_headers)
{
    char key[1001];
    uint64_t before, after;

    memset(key, 'k', sizeof key - 1);
    key[sizeof key - 1] = '\0';
    ask("short", 100);
    before = cache_stats(cache).bytes;
    ask(key, 5000);
    after = cache_stats(cache).bytes;
    ck_assert_uint_ge(after - before, 1000 + 5000 + 5);
    ck_assert_uint_le(after - before, 1000 + 5000 + 500);
}
END_TEST

START_TEST(an_entry_has_at_most_a_sixteenth_of_the_budget)
{
    ck_assert(!ask("large", BUDGET / 16 + 1));
    ck_assert(!ask("large", BUDGET / 16 + 1));
    ck_assert_uint_eq(cache_stats(cache).entries, 0);
    ck_assert_uint_eq(cache_stats(cache).bytes, 0);
    ck_assert(!ask("fits", BUDGET / 16 - 1000));
    ck_assert(ask("fits", BUDGET / 16 - 1000));
}
END_TEST

START_TEST(nothing_is_kept_without_budget_or_under_pressure)
{
    struct cache *none = cache_new(0);

    ck_assert(!ask_of(none, "k", 10));
    ck_assert(!ask_of(none, "k", 10));
    cache_admit(cache, false);
    ck_assert(!ask("k", 10));
    ck_assert(!ask("k", 10));
    cache_admit(cache, true);
    ck_assert(!ask("k", 10));
    ck_assert(ask("k", 10));
    cache_free(none);
}
END_TEST

START_TEST(many_shards_share_the_budget)
{
    enum { LARGE = 64 << 20, CHUNK = 256 << 10 };
    struct cache *large = cache_new(LARGE);
    char key[32];

    for (int i = 0; i < 1000; i++) {
        snprintf(key, sizeof key, "key %d", i);
        ask_of(large, key, CHUNK);
        ck_assert_uint_le(cache_stats(large).bytes, LARGE);
    }
    ck_assert_uint_ge(cache_stats(large).bytes, LARGE * 8 / 10);
    cache_free(large);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(an_answer_is_made_once_and_found_again),
    TEST(one_of_32_threads_computes),
    TEST(without_a_waiter_an_unfinished_entry_is_made_twice),
    TEST(keys_whose_hashes_collide_stay_apart),
    TEST(a_key_may_hold_any_bytes),
    TEST(a_scan_of_single_requests_keeps_the_popular_entries),
    TEST(bytes_count_key_answer_and_headers),
    TEST(an_entry_has_at_most_a_sixteenth_of_the_budget),
    TEST(nothing_is_kept_without_budget_or_under_pressure),
    TEST(many_shards_share_the_budget),
};

const struct suite cache_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                  .timeout = 30};
