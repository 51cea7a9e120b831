/* SPDX-License-Identifier: Apache-2.0
 * test_inflight.c - accounts of the in-flight budget: loops take bytes from their own, and all
 * of them together never have more than the budget. */
#include "server/net/inflight.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "server/cache/cache.h"
#include "server/net/body_budget.h"
#include "server/shared.h"
#include "tests/support/suite.h"

enum { THREADS = 6, ROUNDS = 100000, BUDGET = 8 << 20 };

static struct service service;

static void start(void)
{
    service = (struct service){.config.max_inflight = BUDGET, .cache = cache_new(0)};
    ck_assert_ptr_nonnull(service.cache);
    service.bodies = body_budget_new(BUDGET / 2, BUDGET / 2);
    ck_assert_ptr_nonnull(service.bodies);
    ck_assert(inflight_open_accounts(&service, THREADS));
}

static void stop(void)
{
    inflight_close_accounts(&service);
    body_budget_free(service.bodies);
    cache_free(service.cache);
}

static uint64_t drawn(void)
{
    return atomic_load(&service.inflight_bytes);
}

START_TEST(an_account_draws_once_for_many_requests)
{
    struct inflight_account *account = inflight_account(&service, 0);
    uint64_t first;

    ck_assert(inflight_account_reserve(account, 1000));
    first = drawn();
    ck_assert_uint_gt(first, 1000);
    ck_assert_uint_eq(inflight_used(&service), 1000);
    for (int i = 0; i < 1000; i++) {
        ck_assert(inflight_account_reserve(account, 1000 + (uint64_t)i));
        inflight_account_release(account, 1000 + (uint64_t)i);
        ck_assert_uint_eq(drawn(), first);
    }
    inflight_account_release(account, 1000);
    ck_assert_uint_eq(inflight_used(&service), 0);
}
END_TEST

START_TEST(what_can_be_done_without_asks_nobody_for_memory)
{
    struct inflight_account *account = inflight_account(&service, 0);

    ck_assert(inflight_try(&service, BUDGET));
    ck_assert(!inflight_try(&service, 1));
    ck_assert(!inflight_account_try(account, 1));
    ck_assert(!inflight_is_short(&service));
    ck_assert(!inflight_account_reserve(account, 1));
    ck_assert(inflight_is_short(&service));
    inflight_release(&service, BUDGET);
    ck_assert(inflight_account_try(account, 1));
    inflight_account_release(account, 1);
}
END_TEST

START_TEST(what_accounts_have_left_is_collected_before_a_request_is_refused)
{
    for (size_t i = 0; i < THREADS; i++) {
        ck_assert(inflight_account_reserve(inflight_account(&service, i), 10));
        inflight_account_release(inflight_account(&service, i), 10);
    }
    ck_assert_uint_gt(drawn(), THREADS * 10);
    ck_assert(inflight_reserve(&service, BUDGET));
    ck_assert(!inflight_account_reserve(inflight_account(&service, 0), 1));
    ck_assert_uint_eq(inflight_used(&service), BUDGET);
    inflight_release(&service, BUDGET);
    ck_assert(inflight_account_reserve(inflight_account(&service, 0), BUDGET - 5));
    ck_assert(inflight_account_reserve(inflight_account(&service, 1), 5));
    ck_assert(!inflight_account_reserve(inflight_account(&service, 2), 1));
    inflight_account_release(inflight_account(&service, 3), BUDGET);
    ck_assert_uint_eq(inflight_used(&service), 0);
    ck_assert_uint_lt(drawn(), BUDGET / 8); /* an account keeps little of what it is given */
    ck_assert(inflight_reserve(&service, BUDGET));
}
END_TEST

START_TEST(no_request_takes_what_the_cache_lends)
{
    struct inflight_account *account = inflight_account(&service, 0);
    struct cache_answer answer = {.bytes = strdup("kept by nobody but its reader"), .len = 30};
    struct cache_entry *entry;
    uint64_t lent;

    ck_assert(inflight_account_reserve(account, BUDGET - 1000));
    inflight_account_release(account, BUDGET - 1000);
    ck_assert_int_eq(cache_get(service.cache, &entry, cache_key(service.cache, "key", 3), NULL),
                     CACHE_MAKE);
    cache_finish(service.cache, entry, &answer); /* its budget is 0, so it is lent */
    lent = cache_lent(service.cache);
    ck_assert_uint_gt(lent, 30);
    ck_assert(!inflight_account_reserve(account, BUDGET));
    ck_assert(inflight_account_reserve(account, BUDGET - lent));
    ck_assert(!inflight_account_reserve(account, 1));
    cache_entry_drop(entry);
    ck_assert(inflight_account_reserve(account, lent));
    inflight_account_release(account, BUDGET);
}
END_TEST

/* ---- many threads -------------------------------------------------------------------- */

static _Atomic uint64_t truth; /* bytes that threads have */
static atomic_uint refused;

static void *take_and_give(void *cls)
{
    struct inflight_account *mine = cls;
    uint64_t random = (uint64_t)(uintptr_t)cls;

    for (int i = 0; i < ROUNDS; i++) {
        uint64_t bytes;

        random = random * UINT64_C(6364136223846793005) + 1442695040888963407U;
        bytes = random >> 33;
        bytes %= i % 16 == 0 ? BUDGET / 2 : 4096;
        if (!(i % 5 == 0 ? inflight_reserve(&service, bytes)
                         : inflight_account_reserve(mine, bytes))) {
            atomic_fetch_add(&refused, 1);
            continue;
        }
        if (atomic_fetch_add(&truth, bytes) + bytes > BUDGET || drawn() > BUDGET)
            ck_abort_msg("more than the budget");
        atomic_fetch_sub(&truth, bytes);
        if (i % 7 == 0)
            inflight_release(&service, bytes);
        else
            inflight_account_release(mine, bytes);
    }
    return NULL;
}

START_TEST(bytes_beyond_the_budget_are_not_taken_again)
{
    struct inflight_account *account = inflight_account(&service, 0);

    ck_assert(inflight_reserve(&service, BUDGET));
    for (int i = 0; i < 100; i++) { /* a problem that a client gets although nothing is free */
        ck_assert(inflight_take_beyond(&service, 8000, UINT64_MAX));
        inflight_account_release(account, 8000);
        ck_assert(!inflight_account_try(account, 8000));
    }
    ck_assert_uint_eq(inflight_used(&service), BUDGET);
    inflight_release(&service, BUDGET);
}
END_TEST

START_TEST(loops_and_other_threads_never_have_more_than_the_budget)
{
    pthread_t threads[THREADS];

    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, take_and_give, inflight_account(&service, i));
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(inflight_used(&service), 0);
    ck_assert_uint_le(drawn(), BUDGET);
    ck_assert(inflight_reserve(&service, BUDGET)); /* nothing is lost */
    ck_assert_uint_eq(drawn(), BUDGET);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(an_account_draws_once_for_many_requests),
    TEST(what_can_be_done_without_asks_nobody_for_memory),
    TEST(what_accounts_have_left_is_collected_before_a_request_is_refused),
    TEST(no_request_takes_what_the_cache_lends),
    TEST(bytes_beyond_the_budget_are_not_taken_again),
    TEST(loops_and_other_threads_never_have_more_than_the_budget),
};

const struct suite inflight_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                     .timeout = 30};
