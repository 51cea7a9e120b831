/* SPDX-License-Identifier: Apache-2.0
 * test_address_limit.c - connections are counted by address, exactly, in any order. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/un.h>

#include "server/net/address_limit.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

static struct address_limit *clients;

static void stop(void)
{
    address_limit_free(clients);
    clients = NULL;
}

static struct sockaddr_storage address(const char *text)
{
    struct sockaddr_storage addr = {0};
    struct sockaddr_in *v4 = (struct sockaddr_in *)&addr;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&addr;

    addr.ss_family = strchr(text, ':') ? AF_INET6 : AF_INET;
    ck_assert_int_eq(
        inet_pton(addr.ss_family, text,
                  addr.ss_family == AF_INET ? (void *)&v4->sin_addr : (void *)&v6->sin6_addr),
        1);
    v4->sin_port = htons(4711); /* the port must not matter */
    return addr;
}

static bool enter(const char *text)
{
    struct sockaddr_storage addr = address(text);

    return address_limit_enter(clients, (struct sockaddr *)&addr, false);
}

static void leave(const char *text)
{
    struct sockaddr_storage addr = address(text);

    address_limit_leave(clients, (struct sockaddr *)&addr);
}

START_TEST(an_address_has_so_many_and_no_more)
{
    clients = address_limit_new(100, 2);
    ck_assert(enter("192.0.2.1"));
    ck_assert(enter("192.0.2.1"));
    ck_assert(!enter("192.0.2.1"));
    ck_assert(enter("192.0.2.2"));
    leave("192.0.2.1");
    ck_assert(enter("192.0.2.1"));
    ck_assert(!enter("192.0.2.1"));
}
END_TEST

START_TEST(an_ipv6_client_is_its_64_bits_of_network)
{
    clients = address_limit_new(100, 1);
    ck_assert(enter("2001:db8:0:1::1"));
    ck_assert(!enter("2001:db8:0:1:ffff::2"));
    ck_assert(enter("2001:db8:0:2::1"));
    ck_assert(enter("::1"));
    ck_assert(!enter("::2"));
    ck_assert(enter("0.0.0.0")); /* the bits of ::/64, but of another family */
}
END_TEST

START_TEST(an_exempt_connection_is_counted_but_never_refused)
{
    struct sockaddr_storage addr = address("192.0.2.1");

    clients = address_limit_new(100, 1);
    ck_assert(address_limit_enter(clients, (struct sockaddr *)&addr, true));
    ck_assert(address_limit_enter(clients, (struct sockaddr *)&addr, true));
    ck_assert(!enter("192.0.2.1"));
    leave("192.0.2.1");
    ck_assert(!enter("192.0.2.1"));
    leave("192.0.2.1");
    ck_assert(enter("192.0.2.1"));
}
END_TEST

START_TEST(a_connection_without_ip_address_is_not_limited)
{
    struct sockaddr_un addr = {.sun_family = AF_UNIX};

    clients = address_limit_new(100, 1);
    for (int i = 0; i < 3; i++)
        ck_assert(address_limit_enter(clients, (struct sockaddr *)&addr, false));
    address_limit_leave(clients, (struct sockaddr *)&addr);
    address_limit_leave(clients, NULL);
    ck_assert(address_limit_enter(NULL, (struct sockaddr *)&addr, false));
    address_limit_leave(NULL, (struct sockaddr *)&addr);
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

    clients = address_limit_new(100, 2);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, come_and_go, &first[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    ck_assert(enter("192.0.2.0"));
    ck_assert(enter("192.0.2.0")); /* the threads' connections are all gone */
    ck_assert(!enter("192.0.2.0"));
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
    TEST(an_address_has_so_many_and_no_more),
    TEST(an_ipv6_client_is_its_64_bits_of_network),
    TEST(an_exempt_connection_is_counted_but_never_refused),
    TEST(a_connection_without_ip_address_is_not_limited),
    TEST(counts_are_right_after_any_coming_and_going),
    TEST(threads_count_together),
    TEST(without_memory_no_counters_are_made),
};

const struct suite address_limit_suite = {SUITE_TESTS(tests), .teardown = stop};
