/* SPDX-License-Identifier: Apache-2.0
 * test_cache_wait.c - of many clients that ask for one uncached answer at once, on any loops,
 * one causes a computation, and the others wait for it. */
#include <pthread.h>
#include <stddef.h>

#include "server/service.h"
#include "tests/support/http_client.h"
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

static const struct suite_test tests[] = {
    TEST_EACH(clients_with_one_cold_question_cause_one_computation, cold),
};

const struct suite cache_wait_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                       .timeout = 60};
