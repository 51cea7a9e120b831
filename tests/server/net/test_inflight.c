/* SPDX-License-Identifier: Apache-2.0
 * test_inflight.c - the in-flight budget: what is taken of it by any number of threads, with
 * what the cache lends, is never more than the budget. */
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
    service.bodies =
        body_budget_new(BUDGET / 2, BUDGET / 2,
                        (struct body_budget_source){inflight_try, inflight_release, &service});
    ck_assert_ptr_nonnull(service.bodies);
}

static void stop(void)
{
    body_budget_free(service.bodies);
    cache_free(service.cache);
}

static uint64_t drawn(void)
{
    return atomic_load(&service.inflight_bytes);
}

START_TEST(what_can_be_done_without_asks_nobody_for_memory)
{
    ck_assert(inflight_try(&service, BUDGET));
    ck_assert(!inflight_try(&service, 1));
    ck_assert(!inflight_is_short(&service));
    ck_assert(!inflight_reserve(&service, 1));
    ck_assert(inflight_is_short(&service));
    inflight_release(&service, BUDGET);
    ck_assert(inflight_try(&service, 1));
    inflight_release(&service, 1);
}
END_TEST

START_TEST(no_request_takes_what_the_cache_lends)
{
    struct cache_answer answer = {.bytes = strdup("kept by nobody but its reader"), .len = 30};
    struct cache_entry *entry;
    uint64_t lent;

    ck_assert(inflight_reserve(&service, BUDGET - 1000));
    inflight_release(&service, BUDGET - 1000);
    ck_assert_int_eq(cache_get(service.cache, &entry, cache_key(service.cache, "key", 3), NULL),
                     CACHE_MAKE);
    cache_finish(service.cache, entry, &answer); /* its budget is 0, so it is lent */
    lent = cache_lent(service.cache);
    ck_assert_uint_gt(lent, 30);
    ck_assert(!inflight_reserve(&service, BUDGET));
    ck_assert(inflight_reserve(&service, BUDGET - lent));
    ck_assert(!inflight_reserve(&service, 1));
    cache_entry_drop(entry);
    ck_assert(inflight_reserve(&service, lent));
    inflight_release(&service, BUDGET);
}
END_TEST

/* ---- many threads -------------------------------------------------------------------- */

static _Atomic uint64_t truth; /* bytes that threads have */
static atomic_uint refused;

static void *take_and_give(void *cls)
{
    uint64_t random = *(const uint64_t *)cls;

    for (int i = 0; i < ROUNDS; i++) {
        uint64_t bytes;

        random = random * UINT64_C(6364136223846793005) + 1442695040888963407U;
        bytes = random >> 33;
        bytes %= i % 16 == 0 ? BUDGET / 2 : 4096;
        if (!inflight_reserve(&service, bytes)) {
            atomic_fetch_add(&refused, 1);
            continue;
        }
        if (atomic_fetch_add(&truth, bytes) + bytes > BUDGET || drawn() > BUDGET)
            ck_abort_msg("more than the budget");
        atomic_fetch_sub(&truth, bytes);
        inflight_release(&service, bytes);
    }
    return NULL;
}

START_TEST(bytes_beyond_the_budget_are_not_taken_again)
{
    ck_assert(inflight_reserve(&service, BUDGET));
    for (int i = 0; i < 100; i++) { /* a problem that a client gets although nothing is free */
        ck_assert(inflight_take_beyond(&service, 8000, UINT64_MAX));
        inflight_release(&service, 8000);
        ck_assert(!inflight_try(&service, 8000));
    }
    ck_assert_uint_eq(inflight_used(&service), BUDGET);
    inflight_release(&service, BUDGET);
}
END_TEST

START_TEST(threads_together_never_have_more_than_the_budget)
{
    pthread_t threads[THREADS];
    uint64_t seeds[THREADS];

    for (size_t i = 0; i < THREADS; i++) {
        seeds[i] = i;
        pthread_create(&threads[i], NULL, take_and_give, &seeds[i]);
    }
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(inflight_used(&service), 0);
    ck_assert_uint_le(drawn(), BUDGET);
    ck_assert(inflight_reserve(&service, BUDGET)); /* nothing is lost */
    ck_assert_uint_eq(drawn(), BUDGET);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(what_can_be_done_without_asks_nobody_for_memory),
    TEST(no_request_takes_what_the_cache_lends),
    TEST(bytes_beyond_the_budget_are_not_taken_again),
    TEST(threads_together_never_have_more_than_the_budget),
};

const struct suite inflight_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                     .timeout = 30};
