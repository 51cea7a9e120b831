/* SPDX-License-Identifier: Apache-2.0
 * test_cache_waiters.c - requests that wait for an entry are woken when it is made or fails; an
 * entry without maker and waiters is stopped, and made anew for the next request. */
#include <stdlib.h>
#include <string.h>

#include "core/posenc.h"
#include "server/cache/cache.h"
#include "tests/support/suite.h"

static struct cache *cache;
static struct cache_entry *made, *waited[3];
static struct cache_waiter waiters[3];
static int woken, woken_each[3];

static void stop(void)
{
    cache_free(cache);
}

static void wake(struct cache_waiter *waiter)
{
    woken++;
    woken_each[waiter - waiters]++;
}

/* An entry that is being made, and its waiters. */
static void begin(int count)
{
    cache = cache_new(1 << 20);
    woken = 0;
    memset(woken_each, 0, sizeof woken_each);
    ck_assert_int_eq(cache_get(cache, &made, cache_key(cache, "k", 1), NULL), CACHE_MAKE);
    for (int i = 0; i < count; i++) {
        waiters[i] = (struct cache_waiter){.wake = wake};
        ck_assert_int_eq(cache_get(cache, &waited[i], cache_key(cache, "k", 1), &waiters[i]),
                         CACHE_WAIT);
    }
}

static void finish(struct cache_entry *entry)
{
    struct cache_answer answer = {.bytes = strdup("x"), .len = 1};

    cache_finish(cache, entry, &answer);
    cache_entry_unref(entry);
}

static bool is_stopped(const struct cache_entry *entry)
{
    return pe_stop_is_set(cache_entry_stop(entry));
}

START_TEST(an_abandoned_entry_without_waiters_is_stopped_and_not_found)
{
    struct cache_entry *other;

    begin(0);
    waiters[0] = (struct cache_waiter){.wake = wake};
    ck_assert(!is_stopped(made));
    ck_assert(cache_abandon(made));
    ck_assert(is_stopped(made));
    ck_assert_int_eq(cache_get(cache, &other, cache_key(cache, "k", 1), &waiters[0]),
                     CACHE_MAKE);
    ck_assert(other != made && !is_stopped(other));
    cache_fail(made, 1);
    cache_entry_unref(made);
    finish(other);
    other = cache_find(cache, cache_key(cache, "k", 1));
    ck_assert_ptr_nonnull(other);
    cache_entry_unref(other);
}
END_TEST

START_TEST(an_abandoned_entry_with_a_waiter_is_still_made)
{
    begin(2);
    ck_assert(!cache_abandon(made));
    ck_assert(cache_cancel(waited[0], &waiters[0]));
    ck_assert(!is_stopped(made));
    cache_entry_unref(waited[0]);
    finish(made);
    ck_assert_int_eq(woken, 1);
    ck_assert_ptr_nonnull(cache_entry_answer(waited[1]));
    ck_assert(!is_stopped(waited[1]));
    cache_entry_unref(waited[1]);
}
END_TEST

START_TEST(the_last_waiter_that_cancels_stops_the_entry)
{
    begin(2);
    ck_assert(!cache_abandon(made));
    for (int i = 0; i < 2; i++) {
        ck_assert(!is_stopped(made));
        ck_assert(cache_cancel(waited[i], &waiters[i]));
        cache_entry_unref(waited[i]);
    }
    ck_assert(is_stopped(made));
    ck_assert_int_eq(woken, 0);
    finish(made); /* it was done before it saw the stop: of use to nobody */
    ck_assert_ptr_null(cache_find(cache, cache_key(cache, "k", 1)));
    ck_assert_uint_eq(cache_stats(cache).entries, 0);
}
END_TEST

START_TEST(a_cancelled_waiter_stops_nothing_while_the_maker_stays)
{
    begin(1);
    ck_assert(cache_cancel(waited[0], &waiters[0]));
    ck_assert(!is_stopped(made));
    cache_entry_unref(waited[0]);
    finish(made);
    made = cache_find(cache, cache_key(cache, "k", 1));
    ck_assert_ptr_nonnull(made);
    ck_assert(!cache_abandon(made)); /* it is done */
    cache_entry_unref(made);
}
END_TEST

START_TEST(waiters_of_a_failed_entry_see_its_problem)
{
    begin(1);
    ck_assert(!cache_entry_done(waited[0]));
    cache_fail(made, 7);
    ck_assert_int_eq(woken, 1);
    ck_assert(cache_entry_done(waited[0]));
    ck_assert_ptr_null(cache_entry_answer(waited[0]));
    ck_assert_int_eq(cache_entry_problem(waited[0]), 7);
    ck_assert(!cache_cancel(waited[0], &waiters[0]));
    cache_entry_unref(made);
    cache_entry_unref(waited[0]);
    ck_assert_int_eq(cache_get(cache, &made, cache_key(cache, "k", 1), NULL),
                     CACHE_MAKE); /* forgotten */
    cache_fail(made, 0);
    cache_entry_unref(made);
}
END_TEST

START_TEST(a_cancelled_waiter_is_not_woken)
{
    begin(3);
    ck_assert(cache_cancel(waited[1], &waiters[1]));
    ck_assert(!cache_cancel(waited[1], &waiters[1]));
    finish(made);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(woken_each[i], i != 1);
        cache_entry_unref(waited[i]);
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST(an_abandoned_entry_without_waiters_is_stopped_and_not_found),
    TEST(an_abandoned_entry_with_a_waiter_is_still_made),
    TEST(the_last_waiter_that_cancels_stops_the_entry),
    TEST(a_cancelled_waiter_stops_nothing_while_the_maker_stays),
    TEST(waiters_of_a_failed_entry_see_its_problem),
    TEST(a_cancelled_waiter_is_not_woken),
};

const struct suite cache_waiters_suite = {SUITE_TESTS(tests), .teardown = stop};
