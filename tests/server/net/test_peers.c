/* SPDX-License-Identifier: Apache-2.0
 * test_peers.c - connections are counted exactly, in any order and by many threads, and a peer
 * lives as long as its references; peers.txt has the addresses. */
#include <netinet/in.h>
#include <pthread.h>

#include "server/net/peers.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

enum { HOSTS = 250, MOST = 5, VISITS = 200000, THREADS = 4 };

static struct peers *peers;

static void stop(void)
{
    peers_free(peers); /* asserts that no reference is left */
    peers = NULL;
}

static void number(struct sockaddr_in *addr, uint32_t host)
{
    *addr = (struct sockaddr_in){.sin_family = AF_INET,
                                 .sin_addr.s_addr = htonl(0xc0000200 + host)};
}

static enum peers_result enter(uint32_t host, struct peer **peer)
{
    struct sockaddr_in addr;

    number(&addr, host);
    return peers_enter(peers, (struct sockaddr *)&addr, false, peer);
}

static uint64_t draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 8;
}

/* Compares the counts with an array. There are fewer buckets than addresses, so that chains
 * form and lose peers anywhere. */
START_TEST(counts_are_right_after_any_coming_and_going)
{
    static struct peer *of[HOSTS];
    unsigned counts[HOSTS] = {0}, refused = 0;
    uint64_t state = 20261122;

    peers = peers_new(HOSTS / 8, MOST, false);
    for (int i = 0; i < VISITS; i++) {
        uint32_t host = (uint32_t)(draw(&state) % HOSTS);
        struct peer *peer;

        if (draw(&state) % 2 && counts[host] > 0) {
            peers_leave(peers, of[host]);
            counts[host]--;
            continue;
        }
        bool enters = enter(host, &peer) == PEERS_ENTERED;
        ck_assert_int_eq(enters, counts[host] < MOST);
        refused += !enters;
        if (!enters)
            continue;
        if (counts[host]++ > 0)
            ck_assert_ptr_eq(peer, of[host]);
        of[host] = peer;
        ck_assert_uint_eq(peer->connections, counts[host]);
    }
    ck_assert_uint_gt(refused, 100);
    for (uint32_t host = 0; host < HOSTS; host++)
        while (counts[host]-- > 0)
            peers_leave(peers, of[host]);
}
END_TEST

static void *come_and_go(void *first)
{
    for (int i = 0; i < VISITS / 10; i++) {
        struct peer *peer;

        if (enter(*(const uint32_t *)first + (uint32_t)i % 7, &peer) != PEERS_ENTERED)
            continue;
        peers_drop(peers, peers_share(peers, peer));
        peers_leave(peers, peer);
    }
    return NULL;
}

START_TEST(threads_count_together)
{
    uint32_t first[THREADS] = {0, 3, 5, 0};
    struct peer *of[3] = {NULL};
    pthread_t threads[THREADS];

    peers = peers_new(100, 2, false);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, come_and_go, &first[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 3; i++) /* the threads' connections are all gone */
        ck_assert_int_eq(enter(first[0], &of[i]) == PEERS_ENTERED, i < 2);
    peers_leave(peers, of[0]);
    peers_leave(peers, of[1]);
}
END_TEST

START_TEST(work_that_outlasts_the_connection_keeps_its_peer)
{
    struct peer *peer, *again;
    uint64_t before;

    peers = peers_new(100, 1, false);
    ck_assert_int_eq(enter(1, &peer), PEERS_ENTERED);
    before = peer->number;
    ck_assert_ptr_eq(peers_share(peers, peer), peer);
    peers_leave(peers, peer);
    ck_assert_int_eq(enter(1, &again), PEERS_ENTERED);
    ck_assert_ptr_eq(again, peer);
    ck_assert_uint_eq(again->number, before);
    peers_leave(peers, again);
    peers_drop(peers, peer);
    ck_assert_int_eq(enter(1, &again), PEERS_ENTERED);
    ck_assert_uint_ne(again->number, before);
    peers_leave(peers, again);
    peers_drop(peers, NULL);
}
END_TEST

START_TEST(a_key_is_one_peer_wherever_it_is_shown)
{
    struct peer *one, *two, *again;

    peers = peers_new(100, 0, false);
    one = peers_take_key(peers, "one", 3);
    two = peers_take_key(peers, "two", 3);
    again = peers_take_key(peers, "one", 3);
    ck_assert_ptr_eq(one, again);
    ck_assert_ptr_ne(one, two);
    peers_drop(peers, again);
    peers_drop(peers, two);
    peers_drop(peers, one);
}
END_TEST

START_TEST(without_memory_there_is_no_table_and_no_peer)
{
    struct peer *peer;

    alloc_fail_start(0);
    peers = peers_new(100, 2, false);
    ck_assert(alloc_fail_stop());
    ck_assert_ptr_null(peers);
    peers_free(NULL);
    peers = peers_new(100, 2, false);
    alloc_fail_start(0);
    ck_assert_int_eq(enter(1, &peer), PEERS_NO_MEMORY);
    ck_assert(alloc_fail_stop());
    alloc_fail_start(0);
    ck_assert_ptr_null(peers_take_key(peers, "one", 3));
    ck_assert(alloc_fail_stop());
}
END_TEST

static const struct suite_test tests[] = {
    TEST(counts_are_right_after_any_coming_and_going),
    TEST(threads_count_together),
    TEST(work_that_outlasts_the_connection_keeps_its_peer),
    TEST(a_key_is_one_peer_wherever_it_is_shown),
    TEST(without_memory_there_is_no_table_and_no_peer),
};

const struct suite peers_suite = {SUITE_TESTS(tests), .teardown = stop};
