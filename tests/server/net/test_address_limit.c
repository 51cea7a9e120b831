/* SPDX-License-Identifier: Apache-2.0
 * test_address_limit.c - connections are counted exactly, in any order and by many threads;
 * address_limit.txt has the addresses. */
#include <netinet/in.h>
#include <pthread.h>

#include "server/net/address_limit.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

static struct address_limit *clients;

static void stop(void)
{
    address_limit_free(clients);
    clients = NULL;
}

START_TEST(no_connection_is_limited_without_an_address_or_without_counters)
{
    const struct sockaddr addr = {.sa_family = AF_INET};

    clients = address_limit_new(100, 1);
    ck_assert(address_limit_enter(clients, &addr, false));
    address_limit_leave(clients, NULL);
    ck_assert(!address_limit_enter(clients, &addr, false));
    for (int i = 0; i < 2; i++)
        ck_assert(address_limit_enter(NULL, &addr, false));
    address_limit_leave(NULL, &addr);
}
END_TEST

enum { HOSTS = 250, MOST = 5, VISITS = 200000, THREADS = 4 };

static void number(struct sockaddr_in *addr, uint32_t host)
{
    *addr = (struct sockaddr_in){.sin_family = AF_INET,
                                 .sin_addr.s_addr = htonl(0xc0000200 + host)};
}

static uint64_t draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 8;
}

/* Compares the counts with an array; the hash table is as full as it may be, so that runs of
 * slots form and gaps close. */
START_TEST(counts_are_right_after_any_coming_and_going)
{
    unsigned counts[HOSTS] = {0}, all = 0, refused = 0;
    uint64_t state = 20261122;

    clients = address_limit_new(HOSTS, MOST);
    for (int i = 0; i < VISITS; i++) {
        uint32_t host = (uint32_t)(draw(&state) % HOSTS);
        struct sockaddr_in addr;

        number(&addr, host);
        if (all == HOSTS || (draw(&state) % 2 && counts[host] > 0)) {
            while (counts[host] == 0)
                host = (host + 1) % HOSTS;
            number(&addr, host);
            address_limit_leave(clients, (struct sockaddr *)&addr);
            counts[host]--, all--;
            continue;
        }
        bool enters = address_limit_enter(clients, (struct sockaddr *)&addr, false);
        ck_assert_int_eq(enters, counts[host] < MOST);
        counts[host] += enters, all += enters;
        refused += !enters;
    }
    ck_assert_uint_gt(refused, 100);
}
END_TEST

static void *come_and_go(void *first)
{
    struct sockaddr_in addr;

    for (int i = 0; i < VISITS / 10; i++) {
        number(&addr, *(const uint32_t *)first + (uint32_t)i % 7);
        if (address_limit_enter(clients, (struct sockaddr *)&addr, false))
            address_limit_leave(clients, (struct sockaddr *)&addr);
    }
    return NULL;
}

START_TEST(threads_count_together)
{
    uint32_t first[THREADS] = {0, 3, 5, 0};
    pthread_t threads[THREADS];
    struct sockaddr_in addr;

    clients = address_limit_new(100, 2);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, come_and_go, &first[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    number(&addr, first[0]); /* the threads' connections are all gone */
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(address_limit_enter(clients, (struct sockaddr *)&addr, false), i < 2);
}
END_TEST

START_TEST(without_memory_no_counters_are_made)
{
    alloc_fail_start(0);
    clients = address_limit_new(100, 2);
    ck_assert(alloc_fail_stop());
    ck_assert_ptr_null(clients);
    address_limit_free(NULL);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(no_connection_is_limited_without_an_address_or_without_counters),
    TEST(counts_are_right_after_any_coming_and_going),
    TEST(threads_count_together),
    TEST(without_memory_no_counters_are_made),
};

const struct suite address_limit_suite = {SUITE_TESTS(tests), .teardown = stop};
