/* SPDX-License-Identifier: Apache-2.0
 * test_cache_wait.c - of many clients that ask for one uncached answer at once, on any loops,
 * one causes a computation, and the others wait for it. */
#include <arpa/inet.h>
#include <pthread.h>
#include <stddef.h>

#include "server/net/peers.h"
#include "server/service.h"
#include "tests/support/http_client.h"
#include "tests/support/pool_block.h"
#include "tests/support/served.h"
#include "tests/support/suite.h"

static struct service *service;

static void start(void)
{
    service = served_start(NULL);
}

static void stop(void)
{
    served_stop(service);
    service = NULL;
}

enum { CLIENTS = 200 };

struct crowd {
    pthread_barrier_t start;
    unsigned port;
    const char *target;
    int right;
    size_t len;
    pthread_mutex_t lock;
};

static void *crowd_member(void *cls)
{
    struct crowd *crowd = cls;
    struct http_client *own = http_client_new(crowd->port);
    struct http_answer mine = {0};

    pthread_barrier_wait(&crowd->start);
    http_client_get(own, &mine, crowd->target);
    pthread_mutex_lock(&crowd->lock);
    if (mine.status == 200 && (crowd->len == 0 || mine.len == crowd->len))
        crowd->right++;
    crowd->len = mine.len;
    pthread_mutex_unlock(&crowd->lock);
    http_answer_fini(&mine);
    http_client_free(own);
    return NULL;
}

static void ask_as_a_crowd(const char *target)
{
    struct crowd crowd = {.port = served_port(service), .target = target};
    pthread_t threads[CLIENTS];
    pthread_attr_t small;

    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 256 << 10);
    pthread_mutex_init(&crowd.lock, NULL);
    pthread_barrier_init(&crowd.start, NULL, CLIENTS);
    for (int i = 0; i < CLIENTS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], &small, crowd_member, &crowd), 0);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(threads[i], NULL);
    ck_assert_int_eq(crowd.right, CLIENTS);
    pthread_barrier_destroy(&crowd.start);
    pthread_mutex_destroy(&crowd.lock);
    pthread_attr_destroy(&small);
}

static const char *const cold[] = {
    "/v1/sinusoidal?dim=4&pos=0:4",                 /* inline, cheaper than a suspension */
    "/v1/sinusoidal?dim=256&pos=7:1031&format=raw", /* 1 MiB exactly */
    "/v1/sinusoidal?dim=64&pos=7:707&dtype=f64",    /* 0.9 MB of text, made on the pool */
};

START_TEST(clients_with_one_cold_question_cause_one_computation)
{
    ask_as_a_crowd(cold[_i]);
    ck_assert_msg(served_metric(service, "posencd_compute_seconds_count") == 1, "%s: %g",
                  cold[_i], served_metric(service, "posencd_compute_seconds_count"));
}
END_TEST

/* ---- makers ---------------------------------------------------------------------------- */

#define POOLED "/v1/sinusoidal?dim=64&pos=7:707&dtype=f64"
#define MISS "posencd_cache_requests_total{result=\"miss\"}"
#define WAITS "posencd_cache_requests_total{result=\"wait\"}"

/* The threads of the quick lane are one. */
static void one_thread(struct config *config)
{
    config->threads = config->workers = 1;
}

/* Returns the number of the peer whose clients come from the address. */
static uint64_t number_of(struct peers *peers, const char *address)
{
    struct sockaddr_in from = {.sin_family = AF_INET};
    struct peer *peer;

    inet_pton(AF_INET, address, &from.sin_addr);
    ck_assert_int_eq(peers_enter(peers, (const struct sockaddr *)&from, true, &peer),
                     PEERS_ENTERED);
    const uint64_t number = peer->number;
    peers_leave(peers, peer);
    return number;
}

START_TEST(a_client_does_not_wait_for_other_work_of_the_client_that_makes_its_answer)
{
    struct http_answer answer = {0};

    stop();
    service = served_start(one_thread);
    struct http_client *maker = http_client_new_from(served_port(service), "127.0.0.2"),
                       *waiter = http_client_new_from(served_port(service), "127.0.0.3");
    http_client_get(maker, &answer, "/livez"); /* its peer is known now */
    const uint64_t number = number_of(service->peers, "127.0.0.2");
    struct pool_block *first = pool_block_new(service->lanes.quick),
                      *second = pool_block_queue(service->lanes.quick, number),
                      *third = pool_block_queue(service->lanes.quick, number);
    http_client_request(maker, "GET", POOLED, NULL, NULL);
    ck_assert(served_metric_becomes(service, MISS, 1));
    http_client_request(waiter, "GET", POOLED, NULL, NULL);
    ck_assert(served_metric_becomes(service, WAITS, 1));
    pool_block_free(first);
    pool_block_free(second); /* the maker has had its turn */
    http_client_read(waiter, &answer, false, NULL, NULL);
    ck_assert_int_eq(answer.status, 200);
    pool_block_free(third);
    http_client_read(maker, &answer, false, NULL, NULL);
    ck_assert_int_eq(answer.status, 200);
    http_answer_fini(&answer);
    http_client_free(maker);
    http_client_free(waiter);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_client_does_not_wait_for_other_work_of_the_client_that_makes_its_answer),
    TEST_EACH(clients_with_one_cold_question_cause_one_computation, cold),
};

const struct suite cache_wait_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                       .timeout = 60};
