/* SPDX-License-Identifier: Apache-2.0
 * test_cache.c - one maker, many askers; bytes within their budget; the hot set stays. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/cache/cache.h"
#include "tests/support/suite.h"

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
static bool ask(struct cache *cache, const char *key, size_t len)
{
    struct cache_entry *entry = NULL;
    enum cache_result result = cache_get(cache, &entry, key, strlen(key), NULL);
    struct cache_answer answer;

    ck_assert(result == CACHE_READY || result == CACHE_MAKE);
    if (result == CACHE_MAKE) {
        answer = answer_of(key, len);
        cache_finish(cache, entry, &answer);
        ck_assert_ptr_null(answer.bytes); /* taken */
    }
    ck_assert_mem_eq(cache_entry_answer(entry)->bytes, key,
                     strlen(key) < len ? strlen(key) : len);
    cache_entry_unref(cache, entry);
    return result == CACHE_READY;
}

START_TEST(an_answer_is_made_once_and_found_again)
{
    struct cache *cache = cache_new(1 << 20);
    struct cache_entry *entry;

    ck_assert(!ask(cache, "/v1/rope?dim=8", 100));
    ck_assert(ask(cache, "/v1/rope?dim=8", 100));
    entry = cache_find(cache, "/v1/rope?dim=8", 14);
    ck_assert_ptr_nonnull(entry);
    ck_assert_str_eq(cache_entry_answer(entry)->headers, "A: b\n");
    ck_assert(!cache_entry_evicted(entry));
    cache_entry_drop(entry);
    ck_assert_ptr_null(cache_find(cache, "/v1/rope?dim=9", 14));
    cache_free(cache);
}
END_TEST

/* ---- one computation, many threads --------------------------------------------------- */

enum { ASKERS = 32, ROUNDS = 50 };

struct asker {
    struct cache_waiter waiter; /* first */
    sem_t woken;
};

struct contest {
    struct cache *cache;
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
    switch (
        cache_get(contest->cache, &entry, contest->key, strlen(contest->key), &asker.waiter)) {
    case CACHE_MAKE:
        atomic_fetch_add(&contest->makers, 1);
        answer = answer_of(contest->key, 64);
        cache_finish(contest->cache, entry, &answer);
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
    cache_entry_unref(contest->cache, entry);
    sem_destroy(&asker.woken);
    return NULL;
}

START_TEST(one_of_32_threads_computes)
{
    struct contest contest = {.cache = cache_new(1 << 20)};
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
    cache_free(contest.cache);
}
END_TEST

static void count_wake(struct cache_waiter *waiter)
{
    sem_post(&((struct asker *)(void *)waiter)->woken);
}

static int woken(struct asker *asker)
{
    int value = 0;

    sem_getvalue(&asker->woken, &value);
    return value;
}

START_TEST(waiters_of_a_failed_entry_see_its_problem)
{
    struct cache *cache = cache_new(1 << 20);
    struct asker asker = {.waiter.wake = count_wake};
    struct cache_entry *mine = NULL, *theirs = NULL;

    sem_init(&asker.woken, 0, 0);
    ck_assert_int_eq(cache_get(cache, &mine, "k", 1, NULL), CACHE_MAKE);
    ck_assert_int_eq(cache_get(cache, &theirs, "k", 1, &asker.waiter), CACHE_WAIT);
    ck_assert(!cache_entry_done(theirs));
    cache_fail(cache, mine, 7);
    ck_assert_int_eq(woken(&asker), 1);
    ck_assert(cache_entry_done(theirs));
    ck_assert_ptr_null(cache_entry_answer(theirs));
    ck_assert_int_eq(cache_entry_problem(theirs), 7);
    ck_assert(!cache_cancel(cache, theirs, &asker.waiter));
    cache_entry_unref(cache, mine);
    cache_entry_unref(cache, theirs);
    ck_assert_int_eq(cache_get(cache, &mine, "k", 1, NULL), CACHE_MAKE); /* forgotten */
    cache_fail(cache, mine, 0);
    cache_entry_unref(cache, mine);
    cache_free(cache);
}
END_TEST

START_TEST(a_cancelled_waiter_is_not_woken)
{
    struct cache *cache = cache_new(1 << 20);
    struct asker askers[3] = {{.waiter.wake = count_wake},
                              {.waiter.wake = count_wake},
                              {.waiter.wake = count_wake}};
    struct cache_entry *mine = NULL, *theirs[3] = {NULL};
    struct cache_answer answer = answer_of("x", 1);

    ck_assert_int_eq(cache_get(cache, &mine, "k", 1, NULL), CACHE_MAKE);
    for (int i = 0; i < 3; i++) {
        sem_init(&askers[i].woken, 0, 0);
        ck_assert_int_eq(cache_get(cache, &theirs[i], "k", 1, &askers[i].waiter), CACHE_WAIT);
    }
    ck_assert(cache_cancel(cache, theirs[1], &askers[1].waiter));
    ck_assert(!cache_cancel(cache, theirs[1], &askers[1].waiter));
    cache_finish(cache, mine, &answer);
    ck_assert_int_eq(woken(&askers[0]), 1);
    ck_assert_int_eq(woken(&askers[1]), 0);
    ck_assert_int_eq(woken(&askers[2]), 1);
    cache_entry_unref(cache, mine);
    for (int i = 0; i < 3; i++)
        cache_entry_unref(cache, theirs[i]);
    cache_free(cache);
}
END_TEST

START_TEST(without_a_waiter_an_unfinished_entry_is_made_twice)
{
    struct cache *cache = cache_new(1 << 20);
    struct cache_entry *first = NULL, *second = NULL;
    struct cache_answer one = answer_of("one", 4), two = answer_of("two", 4);

    ck_assert_int_eq(cache_get(cache, &first, "k", 1, NULL), CACHE_MAKE);
    ck_assert_int_eq(cache_get(cache, &second, "k", 1, NULL), CACHE_MAKE);
    ck_assert_ptr_ne(first, second);
    cache_finish(cache, second, &two);
    cache_finish(cache, first, &one);
    ck_assert_uint_eq(cache_stats(cache).entries, 1);
    cache_entry_unref(cache, second);
    cache_entry_unref(cache, first);
    first = cache_find(cache, "k", 1);
    ck_assert_str_eq(cache_entry_answer(first)->bytes, "one"); /* the private one is gone */
    cache_entry_unref(cache, first);
    cache_free(cache);
}
END_TEST

/* ---- keys ---------------------------------------------------------------------------- */

START_TEST(keys_whose_hashes_collide_stay_apart)
{
    struct cache *cache = cache_new(1 << 20);
    char key[32];

    cache_mask_hash(cache, 1); /* two hashes for all keys */
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 500; i++) {
            snprintf(key, sizeof key, "/v1/rope?dim=%d", i);
            ck_assert_int_eq(ask(cache, key, strlen(key) + 1), round == 1);
        }
    ck_assert(!ask(cache, "/v1/rope?dim=", 20)); /* a prefix of all is none of them */
    ck_assert_uint_eq(cache_stats(cache).entries, 501);
    cache_free(cache);
}
END_TEST

START_TEST(a_key_may_hold_any_bytes)
{
    struct cache *cache = cache_new(1 << 20);
    struct cache_entry *a = NULL, *b = NULL;
    struct cache_answer one = answer_of("1", 2), two = answer_of("2", 2);

    ck_assert_int_eq(cache_get(cache, &a, "k\0a", 3, NULL), CACHE_MAKE);
    ck_assert_int_eq(cache_get(cache, &b, "k\0b", 3, NULL), CACHE_MAKE);
    cache_finish(cache, a, &one);
    cache_finish(cache, b, &two);
    ck_assert_str_eq(cache_entry_answer(a)->bytes, "1");
    ck_assert_uint_eq(cache_stats(cache).entries, 2);
    cache_entry_unref(cache, a);
    cache_entry_unref(cache, b);
    cache_free(cache);
}
END_TEST

/* ---- bytes --------------------------------------------------------------------------- */

enum { BUDGET = 1 << 20, ANSWER = 2048, HOT = 40, FLOOD = 1000000 };

static int hot_hits(struct cache *cache)
{
    int hits = 0;
    char key[32];

    for (int i = 0; i < HOT; i++) {
        snprintf(key, sizeof key, "hot %d", i);
        hits += ask(cache, key, ANSWER);
    }
    return hits;
}

START_TEST(a_scan_of_single_requests_keeps_the_popular_entries)
{
    struct cache *cache = cache_new(BUDGET);
    char key[32];

    hot_hits(cache);
    ck_assert_int_eq(hot_hits(cache), HOT);
    for (int i = 0; i < FLOOD; i++) {
        snprintf(key, sizeof key, "flood %d", i);
        ck_assert(!ask(cache, key, ANSWER));
        ck_assert_uint_le(cache_stats(cache).bytes, BUDGET);
    }
    ck_assert_int_ge(hot_hits(cache), HOT * 9 / 10);
    ck_assert_uint_ge(cache_stats(cache).evictions, FLOOD - BUDGET / ANSWER);
    cache_free(cache);
}
END_TEST

START_TEST(bytes_count_key_answer_and_headers)
{
    struct cache *cache = cache_new(BUDGET);
    char key[1001];
    uint64_t before, after;

    memset(key, 'k', sizeof key - 1);
    key[sizeof key - 1] = '\0';
    ask(cache, "short", 100);
    before = cache_stats(cache).bytes;
    ask(cache, key, 5000);
    after = cache_stats(cache).bytes;
    ck_assert_uint_ge(after - before, 1000 + 5000 + 5);
    ck_assert_uint_le(after - before, 1000 + 5000 + 500);
    cache_free(cache);
}
END_TEST

START_TEST(an_entry_has_at_most_a_sixteenth_of_the_budget)
{
    struct cache *cache = cache_new(BUDGET);

    ck_assert(!ask(cache, "large", BUDGET / 16 + 1));
    ck_assert(!ask(cache, "large", BUDGET / 16 + 1));
    ck_assert_uint_eq(cache_stats(cache).entries, 0);
    ck_assert_uint_eq(cache_stats(cache).bytes, 0);
    ck_assert(!ask(cache, "fits", BUDGET / 16 - 1000));
    ck_assert(ask(cache, "fits", BUDGET / 16 - 1000));
    cache_free(cache);
}
END_TEST

START_TEST(nothing_is_kept_without_budget_or_under_pressure)
{
    struct cache *none = cache_new(0), *some = cache_new(BUDGET);

    ck_assert(!ask(none, "k", 10));
    ck_assert(!ask(none, "k", 10));
    cache_admit(some, false);
    ck_assert(!ask(some, "k", 10));
    ck_assert(!ask(some, "k", 10));
    cache_admit(some, true);
    ck_assert(!ask(some, "k", 10));
    ck_assert(ask(some, "k", 10));
    cache_free(none);
    cache_free(some);
}
END_TEST

START_TEST(many_shards_share_the_budget)
{
    enum { LARGE = 64 << 20, PIECE = 256 << 10 };
    struct cache *cache = cache_new(LARGE);
    char key[32];

    for (int i = 0; i < 1000; i++) {
        snprintf(key, sizeof key, "key %d", i);
        ask(cache, key, PIECE);
        ck_assert_uint_le(cache_stats(cache).bytes, LARGE);
    }
    ck_assert_uint_ge(cache_stats(cache).bytes, LARGE * 8 / 10);
    cache_free(cache);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(an_answer_is_made_once_and_found_again),
    TEST(one_of_32_threads_computes),
    TEST(waiters_of_a_failed_entry_see_its_problem),
    TEST(a_cancelled_waiter_is_not_woken),
    TEST(without_a_waiter_an_unfinished_entry_is_made_twice),
    TEST(keys_whose_hashes_collide_stay_apart),
    TEST(a_key_may_hold_any_bytes),
    TEST(a_scan_of_single_requests_keeps_the_popular_entries),
    TEST(bytes_count_key_answer_and_headers),
    TEST(an_entry_has_at_most_a_sixteenth_of_the_budget),
    TEST(nothing_is_kept_without_budget_or_under_pressure),
    TEST(many_shards_share_the_budget),
};

const struct suite cache_suite = {SUITE_TESTS(tests)};
