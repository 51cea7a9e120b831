/* SPDX-License-Identifier: Apache-2.0
 * test_job.c - the pool computes answers: while it is blocked the loops serve on, requests that
 * wait are answered in time, and an answer that was begun is not lost. job.scenarios has what
 * is computed and refused. */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "server/net/inflight.h"
#include "server/service.h"
#include "server/sys/thread_pool.h"
#include "tests/support/pool_block.h"
#include "tests/support/suite.h"
#include "tests/support/visit.h"

/* About 0.9 MB of text: more than a millisecond, not too long for the cache. */
#define SLOW "/v1/sinusoidal?dim=64&format=csv&pos=0:1150"

/* Biases of a table in the body, whose plan takes more than a millisecond. */
#define BIASES "/v1/t5?convention=tupe&len=500&out=bias&format=raw"
#define ROWS "[1],[2],[3],[4],[5],[6],[7],[8],[9],[10],[11]"
static const char table[] = "{\"table\":[" ROWS "," ROWS "," ROWS "]}";
static const char json[] = "Content-Type: application/json\r\n";

enum { SOON_MS = 150, BIASES_LEN = 500 * 500 * 4 };

static const char too_many[] = "too many computations of this client wait for a thread";

static struct visit visit;

static struct pool_block *block;

static void block_pool(void)
{
    block = pool_block_new(visit.service->lanes.quick);
}

static void release_pool(void)
{
    pool_block_free(block);
    block = NULL;
}

static void soon(struct config *config)
{
    config->work_timeout_ms = SOON_MS;
    config->threads = 1;
}

static void start(void)
{
    visit_begin(&visit, soon);
}

static void stop(void)
{
    release_pool();
    visit_end(&visit);
}

/* Starts a new service, with another configuration. */
static void start_anew(void (*adjust)(struct config *config))
{
    visit_end(&visit);
    visit_begin(&visit, adjust);
}

static void patient(struct config *config)
{
    config->work_timeout_ms = 60000;
    config->threads = 1;
}

START_TEST(the_loop_serves_on_while_the_pool_works)
{
    struct http_client *slow = http_client_new(served_port(visit.service));

    block_pool();
    http_client_request(slow, "GET", SLOW, NULL, NULL);
    for (int times = 0; times < 20; times++) {
        http_client_get(visit.client, &visit.answer, "/v1/rope?dim=8&pos=0:4");
        ck_assert_int_eq(visit.answer.status, 200);
    }
    release_pool();
    http_client_read(slow, &visit.answer, false, NULL, NULL);
    ck_assert(visit.answer.status == 200 ||
              visit.answer.status == 503); /* a slow machine may miss the deadline */
    http_client_free(slow);
}
END_TEST

/* The shared table of 256 pairs grows by 1 MiB at 64 positions; the answer takes little. */
START_TEST(a_table_that_takes_long_to_grow_grows_on_the_pool)
{
    block_pool();
    visit_get(&visit, "/v1/rope?dim=512&pos=0:64&out=cos&format=raw", 503,
              "no answer was ready in time");
    release_pool();
    while (visit.answer.status == 503)
        http_client_get(visit.client, &visit.answer,
                        "/v1/rope?dim=512&pos=0:64&out=cos&format=raw");
    ck_assert_int_eq(visit.answer.status, 200);
    block_pool(); /* the loop alone does with the grown table */
    visit_get(&visit, "/v1/rope?dim=512&pos=1:65&out=cos&format=raw", 200, "");
}
END_TEST

START_TEST(what_all_have_waited_for_too_long_is_not_done)
{
    struct http_client *others[4];

    block_pool();
    for (int i = 0; i < 4; i++) {
        others[i] = http_client_new(served_port(visit.service));
        http_client_request(others[i], "GET", SLOW, NULL, NULL);
    }
    for (int i = 0; i < 4; i++) {
        http_client_read(others[i], &visit.answer, false, NULL, NULL);
        ck_assert_int_eq(visit.answer.status, 503);
        ck_assert_ptr_nonnull(strstr(visit.answer.body, "no answer was ready in time"));
        ck_assert_str_eq(http_answer_header(&visit.answer, "Retry-After"), "1");
    }
    for (int i = 0; i < 4; i++) { /* the connections stay open */
        http_client_get(others[i], &visit.answer, "/livez");
        ck_assert_int_eq(visit.answer.status, 200);
        http_client_free(others[i]);
    }
    while (inflight_used(visit.service) > 0)
        sched_yield(); /* the job was cancelled, for the pool is still blocked */
    release_pool();
    ck_assert(served_metric(visit.service, "posencd_compute_seconds_count") == 0);
    do
        http_client_get(visit.client, &visit.answer, SLOW);
    while (visit.answer.status == 503);
    ck_assert_int_eq(visit.answer.status, 200);
    ck_assert(served_metric(visit.service, "posencd_compute_seconds_count") == 1);
    ck_assert(served_metric(visit.service, "posencd_rejected_total{reason=\"deadline\"}") >= 4);
}
END_TEST

START_TEST(work_whose_client_left_before_it_began_is_not_done)
{
    struct http_client *leaver, *heir;

    start_anew(patient);
    leaver = http_client_new(served_port(visit.service));
    heir = http_client_new(served_port(visit.service));
    block_pool();
    http_client_request(leaver, "GET", SLOW, NULL, NULL);
    ck_assert(served_metric_becomes(visit.service,
                                    "posencd_cache_requests_total{result=\"miss\"}", 1));
    http_client_request(heir, "GET", SLOW, NULL, NULL);
    ck_assert(served_metric_becomes(visit.service,
                                    "posencd_cache_requests_total{result=\"wait\"}", 1));
    http_client_free(leaver);
    while (served_metric(visit.service, "posencd_rejected_total{reason=\"client_gone\"}") != 1)
        sched_yield();
    release_pool();
    http_client_read(heir, &visit.answer, false, NULL, NULL); /* it waited for leaver's entry */
    ck_assert_int_eq(visit.answer.status, 200);
    ck_assert(served_metric(visit.service, "posencd_compute_seconds_count") == 1);
    http_client_free(heir);
}
END_TEST

static void expect_biases(struct http_client *client)
{
    static const unsigned char class_token[4] = {0, 0, 0xc0, 0x40}; /* 6.0f, of row 16 */

    http_client_read(client, &visit.answer, false, NULL, NULL);
    ck_assert_msg(visit.answer.status == 200, "%s", visit.answer.body);
    ck_assert_uint_eq(visit.answer.len, BIASES_LEN);
    ck_assert_mem_eq(visit.answer.body, class_token, sizeof class_token);
}

static bool in_flight(void)
{
    return inflight_used(visit.service) > 0;
}

START_TEST(the_pool_plans_for_tables_too)
{
    block_pool();
    http_client_request(visit.client, "POST", BIASES, json, table);
    http_client_read(visit.client, &visit.answer, false, NULL, NULL);
    ck_assert_int_eq(visit.answer.status, 503); /* a plan made on the loop would be in time */
    while (in_flight()) /* the table is released though the pool is blocked */
        sched_yield();
    release_pool();
    start_anew(patient);
    for (int times = 0; times < 2; times++) {
        http_client_request(visit.client, "POST", BIASES, json, table);
        expect_biases(visit.client);
    }
    http_client_get(visit.client, &visit.answer, "/livez"); /* the exchange before has ended */
    ck_assert(!in_flight());
}
END_TEST

START_TEST(a_table_whose_client_left_before_its_turn_is_freed)
{
    struct http_client *leaver;

    start_anew(patient);
    leaver = http_client_new(served_port(visit.service));
    block_pool();
    http_client_request(leaver, "POST", BIASES, json, table);
    while (!in_flight())
        sched_yield();
    http_client_free(leaver);
    while (in_flight())
        sched_yield();
    ck_assert(served_metric(visit.service, "posencd_rejected_total{reason=\"client_gone\"}") ==
              1);
}
END_TEST

START_TEST(a_peer_that_filled_its_share_of_the_pool_is_refused)
{
    struct http_client *others[THREAD_POOL_PEER_MOST];
    char target[128];

    start_anew(patient); /* a request that times out would free its place */
    block_pool();
    for (int i = 0; i < THREAD_POOL_PEER_MOST; i++) {
        others[i] = http_client_new(served_port(visit.service));
        snprintf(target, sizeof target, "/v1/sinusoidal?dim=64&format=csv&pos=%d:%d", i,
                 i + 1150);
        http_client_request(others[i], "GET", target, NULL, NULL);
    }
    ck_assert(served_metric_becomes(
        visit.service, "posencd_cache_requests_total{result=\"miss\"}", THREAD_POOL_PEER_MOST));
    http_client_get(visit.client, &visit.answer,
                    "/v1/sinusoidal?dim=64&format=csv&pos=1000:2150");
    ck_assert_int_eq(visit.answer.status, 503);
    ck_assert_ptr_nonnull(strstr(visit.answer.body, too_many));
    /* An expensive plan is not made on the loop instead. */
    http_client_request(visit.client, "POST", BIASES, json, table);
    http_client_read(visit.client, &visit.answer, false, NULL, NULL);
    ck_assert_int_eq(visit.answer.status, 503);
    ck_assert_ptr_nonnull(strstr(visit.answer.body, too_many));
    for (int i = 0; i < THREAD_POOL_PEER_MOST; i++)
        http_client_free(others[i]);
}
END_TEST

START_TEST(a_service_stops_while_the_pool_works)
{
    struct http_client *other = http_client_new(served_port(visit.service));

    block_pool();
    http_client_request(other, "GET", SLOW, NULL, NULL);
    http_client_request(visit.client, "GET", SLOW, NULL, NULL);
    http_client_read(other, &visit.answer, false, NULL, NULL);
    ck_assert_int_eq(visit.answer.status, 503);
    http_client_free(other);
} /* stop() releases the pool, then ends the service: nothing may be leaked */
END_TEST

static const struct suite_test tests[] = {
    TEST(the_loop_serves_on_while_the_pool_works),
    TEST(a_table_that_takes_long_to_grow_grows_on_the_pool),
    TEST(what_all_have_waited_for_too_long_is_not_done),
    TEST(work_whose_client_left_before_it_began_is_not_done),
    TEST(the_pool_plans_for_tables_too),
    TEST(a_table_whose_client_left_before_its_turn_is_freed),
    TEST(a_peer_that_filled_its_share_of_the_pool_is_refused),
    TEST(a_service_stops_while_the_pool_works),
};

const struct suite job_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                .timeout = 60};
