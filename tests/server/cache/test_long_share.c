/* SPDX-License-Identifier: Apache-2.0
 * test_long_share.c - long answers are kept in a share of the cache, when they are asked for
 * again, and leave the short ones the rest. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/cache/cache.h"
#include "tests/support/suite.h"

enum { MIB = 1 << 20, BUDGET = 64 * MIB, SHARE = BUDGET / 4, SHORT = 64 << 10, LONG = 3 * MIB };

static struct cache *cache;

static void start(void)
{
    cache = cache_new(BUDGET);
}

static void stop(void)
{
    cache_free(cache);
}

static bool has(const char *key)
{
    struct cache_entry *entry = cache_find(cache, cache_key(cache, key, strlen(key)));

    if (entry)
        cache_entry_drop(entry);
    return entry != NULL;
}

static void make(const char *key, size_t len)
{
    struct cache_answer answer = {.bytes = malloc(len), .len = len};
    struct cache_entry *entry;

    ck_assert_int_eq(cache_get(cache, &entry, cache_key(cache, key, strlen(key)), NULL),
                     CACHE_MAKE);
    memset(answer.bytes, 0, len);
    cache_finish(cache, entry, &answer);
    cache_entry_drop(entry);
    ck_assert_uint_le(cache_stats(cache).bytes, BUDGET);
}

/* Asks for a long answer as an exchange does. Returns whether it was, or is now, kept. */
static bool ask_long(const char *kind, unsigned number, size_t len)
{
    char key[32];

    snprintf(key, sizeof key, "%s %u", kind, number);
    if (has(key))
        return true;
    if (!cache_wants_long(cache, cache_key(cache, key, strlen(key)), len))
        return false;
    make(key, len);
    return has(key);
}

static void make_short(unsigned count)
{
    char key[32];

    for (unsigned i = 0; i < count; i++) {
        snprintf(key, sizeof key, "short %u", i);
        make(key, SHORT);
    }
}

static unsigned short_ones(unsigned count)
{
    unsigned found = 0;
    char key[32];

    for (unsigned i = 0; i < count; i++) {
        snprintf(key, sizeof key, "short %u", i);
        found += has(key);
    }
    return found;
}

START_TEST(a_long_answer_is_wanted_at_its_second_request)
{
    ck_assert(!ask_long("long", 1, LONG));
    ck_assert(!ask_long("long", 2, LONG));
    ck_assert(ask_long("long", 1, LONG));
    ck_assert(ask_long("long", 2, LONG));
    ck_assert_uint_ge(cache_stats(cache).bytes, 2 * LONG);
    ck_assert_uint_eq(cache_stats(cache).lent, 0);
}
END_TEST

START_TEST(while_a_long_answer_is_made_or_kept_it_is_wanted)
{
    const struct cache_key key = cache_key(cache, "long", 4);
    struct cache_answer answer = {.bytes = calloc(1, LONG), .len = LONG};
    struct cache_entry *entry;

    ck_assert(!cache_wants_long(cache, key, LONG));
    ck_assert(cache_wants_long(cache, key, LONG));
    ck_assert_int_eq(cache_get(cache, &entry, key, NULL), CACHE_MAKE);
    ck_assert(cache_wants_long(cache, key, LONG));
    cache_finish(cache, entry, &answer);
    cache_entry_drop(entry);
    for (int times = 0; times < 3; times++) /* requests that looked it up before it was kept */
        ck_assert(cache_wants_long(cache, key, LONG));
}
END_TEST

START_TEST(an_answer_that_does_not_fit_the_share_is_never_wanted)
{
    for (int times = 0; times < 3; times++) {
        ck_assert(!ask_long("long", 1, SHARE));
        ck_assert(!ask_long("long", 2, BUDGET));
    }
    ck_assert(!ask_long("long", 3, SHARE - SHARE / 64));
    ck_assert(ask_long("long", 3, SHARE - SHARE / 64));
}
END_TEST

START_TEST(while_memory_is_short_no_long_answer_is_wanted)
{
    ck_assert(!ask_long("long", 1, LONG));
    cache_admit(cache, false);
    ck_assert(!ask_long("long", 1, LONG));
    cache_admit(cache, true);
    ck_assert(ask_long("long", 1, LONG));
}
END_TEST

START_TEST(a_scan_of_long_answers_leaves_the_short_ones)
{
    enum { COUNT = BUDGET / SHORT * 9 / 10 };
    uint64_t evictions;
    unsigned before;

    make_short(COUNT);
    before = short_ones(COUNT);
    evictions = cache_stats(cache).evictions;
    for (unsigned i = 0; i < 1000; i++)
        ck_assert(!ask_long("scan", i, LONG));
    ck_assert_uint_eq(short_ones(COUNT), before);
    ck_assert_uint_eq(cache_stats(cache).evictions, evictions);
}
END_TEST

START_TEST(long_answers_take_a_quarter_from_the_short_ones_and_give_it_back)
{
    enum { COUNT = 2 * BUDGET / SHORT };
    uint64_t full;

    make_short(COUNT);
    full = cache_stats(cache).bytes;
    ck_assert_uint_gt(full, BUDGET / 10 * 9);
    for (unsigned i = 0; i < 50; i++) {
        ask_long("long", i, LONG);
        ck_assert(ask_long("long", i, LONG));
    }
    ck_assert_uint_ge(cache_stats(cache).bytes, full - BUDGET / 20);
    ck_assert_uint_ge(short_ones(COUNT) * SHORT, BUDGET / 10 * 6);
    ck_assert_uint_ge(cache_shrink(cache, 1), full - BUDGET / 20); /* everything */
    ck_assert_uint_eq(cache_stats(cache).bytes, 0);
    make_short(COUNT);
    ck_assert_uint_ge(cache_stats(cache).bytes, full - SHORT);
}
END_TEST

START_TEST(among_long_answers_those_that_are_asked_for_stay)
{
    unsigned found = 0;

    for (unsigned i = 0; i < 40; i++) {
        for (int times = 0; times < 2; times++)
            ask_long("now and then", i, LONG);
        ask_long("often", i % 2, LONG);
        found += i >= 4 && ask_long("often", i % 2, LONG);
    }
    ck_assert_uint_eq(found, 36);
}
END_TEST

START_TEST(an_evicted_long_answer_is_readable_and_lent_until_it_is_dropped)
{
    struct cache_entry *held;

    ask_long("long", 0, LONG);
    ask_long("long", 0, LONG);
    held = cache_find(cache, cache_key(cache, "long 0", 6));
    for (unsigned i = 1; !cache_entry_evicted(held); i++) {
        ck_assert_uint_lt(i, 20);
        ask_long("long", i, LONG);
        ask_long("long", i, LONG);
    }
    ck_assert_int_eq(cache_entry_answer(held)->bytes[LONG - 1], 0);
    ck_assert_uint_ge(cache_stats(cache).lent, LONG);
    cache_entry_drop(held);
    ck_assert_uint_eq(cache_stats(cache).lent, 0);
}
END_TEST

/* ---- many threads -------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 400 };

static void *mix(void *arg)
{
    unsigned seed = (unsigned)(uintptr_t)arg;

    for (unsigned i = 0; i < ROUNDS; i++) {
        unsigned number = (i * 7 + seed * 3) % 12;
        const bool is_long = i % 4 == 0;
        size_t len = is_long ? LONG : SHORT;
        struct cache_entry *entry;
        char key[32];

        snprintf(key, sizeof key, "%s %u", is_long ? "long" : "short", number);
        if (is_long && !cache_wants_long(cache, cache_key(cache, key, strlen(key)), len))
            continue;
        if (cache_get(cache, &entry, cache_key(cache, key, strlen(key)), NULL) == CACHE_MAKE) {
            struct cache_answer answer = {.bytes = calloc(1, len), .len = len};

            cache_finish(cache, entry, &answer);
        }
        ck_assert_ptr_nonnull(cache_entry_answer(entry));
        cache_entry_drop(entry);
        if (i % 64 == 0)
            cache_shrink(cache, 4);
        ck_assert_uint_le(cache_stats(cache).bytes, BUDGET);
    }
    return NULL;
}

START_TEST(threads_never_keep_more_than_the_budget)
{
    pthread_t threads[THREADS];

    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, mix, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(cache_stats(cache).lent, 0);
    cache_shrink(cache, 1);
    ck_assert_uint_eq(cache_stats(cache).bytes, 0);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_long_answer_is_wanted_at_its_second_request),
    TEST(while_a_long_answer_is_made_or_kept_it_is_wanted),
    TEST(an_answer_that_does_not_fit_the_share_is_never_wanted),
    TEST(while_memory_is_short_no_long_answer_is_wanted),
    TEST(a_scan_of_long_answers_leaves_the_short_ones),
    TEST(long_answers_take_a_quarter_from_the_short_ones_and_give_it_back),
    TEST(among_long_answers_those_that_are_asked_for_stay),
    TEST(an_evicted_long_answer_is_readable_and_lent_until_it_is_dropped),
    TEST(threads_never_keep_more_than_the_budget),
};

const struct suite long_share_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                       .timeout = 60};
