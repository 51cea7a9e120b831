/* SPDX-License-Identifier: Apache-2.0
 * test_batch_wait.c - the batches of one client wait for those that came before, so that one
 * that has begun comes to its end; how a batch ends that waits for too long, whose client
 * leaves, or whose service ends. */
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "proto/text/buffer.h"
#include "server/net/answer_queue.h"
#include "server/net/loop.h"
#include "server/shared.h"
#include "tests/support/pool_block.h"
#include "tests/support/suite.h"
#include "tests/support/visit.h"

#define JSON "Content-Type: application/json\r\n"
#define SHORT "{\"requests\":[{\"path\":\"/v1/rope?dim=4&pos=0:2\"}]}"
#define IN_FLIGHT "posencd_http_inflight_requests"
#define LATE "posencd_rejected_total{reason=\"deadline\"}"

enum {
    AHEAD = ANSWER_QUEUE_AHEAD,
    MOST = ANSWER_QUEUE_MOST,
    PARTS = 40,
    MANY = 10,
    PEERS = 16,
    NUMBERS = 14000,
    TASKS = 64
};

static struct visit visit;
static struct pool_block *block;
static struct http_client *clients[MOST + 1];

static void one_loop(struct config *config)
{
    config->threads = 1;
    config->work_timeout_ms = 600000;
    config->max_connections = 2 * MOST;
}

/* Each connection is a peer, as clients behind a proxy are. */
static void each_connection(struct config *config)
{
    one_loop(config);
    config->peer = CONFIG_PEER_CONNECTION;
}

static void little_memory(struct config *config)
{
    one_loop(config);
    config->max_inflight = 16 << 20;
}

/* Two loops; each connection is a peer; a batch that never gets its bytes is refused in the
 * end. */
static void two_loops(struct config *config)
{
    config->threads = 2;
    config->peer = CONFIG_PEER_CONNECTION;
    config->work_timeout_ms = 60000;
    config->max_inflight = 16 << 20;
}

/* One loop with so many peers that their first bytes alone fill the memory. */
static void many_peers(struct config *config)
{
    two_loops(config);
    config->threads = 1;
}

static void end(void)
{
    for (size_t i = 0; i < sizeof clients / sizeof *clients; i++) {
        http_client_free(clients[i]);
        clients[i] = NULL;
    }
    pool_block_free(block);
    block = NULL;
    visit_end(&visit);
}

static void send_batch(int i, const char *body)
{
    clients[i] = http_client_new(served_port(visit.service));
    http_client_request(clients[i], "POST", "/v1/batch", JSON, body);
}

static void read_answer(int i, int status)
{
    http_client_read(clients[i], &visit.answer, false, NULL, NULL);
    ck_assert_int_eq(visit.answer.status, status);
}

/* Sends batches that take all places at the head of their line, and wait for the pool. */
static void fill_places(void)
{
    char body[160];

    block = pool_block_new(visit.service->lanes.quick);
    for (int i = 0; i < AHEAD; i++) {
        snprintf(body, sizeof body,
                 "{\"requests\":[{\"path\":\"/v1/sinusoidal?dim=64&format=json&pos=%d:%d\"}]}",
                 i, i + 1150);
        send_batch(i, body);
    }
    ck_assert(served_metric_becomes(visit.service,
                                    "posencd_cache_requests_total{result=\"miss\"}", AHEAD));
}

/* Sends a batch whose answer has three of the four megabytes that an answer may have here. */
static void send_long(int i)
{
    struct buffer body = {0};

    buffer_add_text(&body, "{\"requests\":[");
    for (int k = 0; k < PARTS; k++)
        buffer_add_format(&body, "%s{\"path\":\"/v1/sinusoidal?dim=64&pos=%d:%d\"}",
                          k > 0 ? "," : "", 100 * i + k, 100 * i + k + 64);
    buffer_add_text(&body, "]}");
    send_batch(i, body.bytes);
    buffer_fini(&body);
}

/* Reads the answers that have begun, in whatever order they come; returns their number. */
static int read_ready(void)
{
    struct pollfd fds[MANY];
    int count = 0;

    for (int i = 0; i < MANY; i++)
        fds[i] = (struct pollfd){.fd = clients[i] ? http_client_fd(clients[i]) : -1,
                                 .events = POLLIN};
    ck_assert_int_gt(poll(fds, MANY, -1), 0);
    for (int i = 0; i < MANY; i++) {
        if (fds[i].revents == 0)
            continue;
        read_answer(i, 200);
        ck_assert_ptr_null(strstr(visit.answer.body, "\"problem\""));
        http_client_free(clients[i]);
        clients[i] = NULL;
        count++;
    }
    return count;
}

START_TEST(all_long_batches_of_one_client_come_to_their_end)
{
    visit_begin(&visit, little_memory);
    for (int i = 0; i < MANY; i++)
        send_long(i);
    for (int left = MANY; left > 0; left -= read_ready())
        ;
    ck_assert(served_metric_becomes(visit.service, "posencd_inflight_bytes", 0));
}
END_TEST

/* ---- bytes ------------------------------------------------------------------------------- */

#define FILE_OF "/v1/batch?format=safetensors"

static void add_rows(struct buffer *body, int first, int rows)
{
    buffer_add_format(body, ",{\"path\":\"/v1/sinusoidal?dim=256&pos=%d:%d\"}", first,
                      first + rows);
}

/* Sends a batch whose third part is made on the pool. When it waits there it has taken 5.3 of
 * the 13 MiB that long answers may have; its last two parts are longer than those before let
 * expect, and each needs 1.3 MiB more. */
static void send_growing(int i)
{
    struct buffer body = {0};
    const int first = 100000 * (i + 1);

    buffer_add_format(&body, "{\"requests\":[{\"path\":\"/v1/sinusoidal?dim=256&pos=%d:%d\"}",
                      first, first + 128);
    add_rows(&body, first + 128, 128);
    buffer_add_format(&body,
                      ",{\"path\":\"/v1/random-positions?len=16384&max_position=20000&"
                      "seed=%d\"}",
                      i);
    for (int k = 3; k < 19; k++)
        add_rows(&body, first + 128 * k, 128);
    add_rows(&body, first + 3000, 800);
    add_rows(&body, first + 4000, 800);
    buffer_add_text(&body, "]}");
    http_client_request(clients[i], "POST", FILE_OF, JSON, body.bytes);
    buffer_fini(&body);
}

/* Sends a batch whose body is read on the pool, whose first part takes half a megabyte, whose
 * second one is read on the pool, and which then needs 2.5 megabytes more. */
static void send_with_list(int i)
{
    struct buffer body = {0};
    const int first = 100000 * (i + 1);

    buffer_add_format(&body,
                      "{\"requests\":[{\"path\":\"/v1/sinusoidal?dim=256&pos=%d:%d\"},"
                      "{\"encoding\":\"sinusoidal\",\"params\":{\"dim\":2,\"pos\":[%d",
                      first, first + 220, first);
    for (int k = 1; k < NUMBERS; k++)
        buffer_add_format(&body, ",%d", first + k);
    buffer_add_text(&body, "]}}");
    for (int k = 0; k < 7; k++)
        add_rows(&body, first + 300 + 200 * k, 200);
    buffer_add_text(&body, "]}");
    http_client_request(clients[i], "POST", FILE_OF, JSON, body.bytes);
    buffer_fini(&body);
}

START_TEST(two_batches_of_two_loops_do_not_wait_for_each_others_bytes)
{
    visit_begin(&visit, two_loops);
    block = pool_block_new(visit.service->lanes.quick);
    for (int i = 0; i < 2; i++) {
        clients[i] = http_client_new(served_port(visit.service));
        http_client_get(clients[i], &visit.answer, "/livez");
    }
    ck_assert_uint_eq(loop_connections(visit.service->loops[0]), 2); /* one is the visit's */
    ck_assert_uint_eq(loop_connections(visit.service->loops[1]), 1);
    for (int i = 0; i < 2; i++)
        send_growing(i);
    ck_assert(served_metric_becomes(visit.service,
                                    "posencd_cache_requests_total{result=\"miss\"}", 6));
    pool_block_free(block);
    block = NULL;
    for (int i = 0; i < 2; i++)
        read_answer(i, 200);
    ck_assert(served_metric_becomes(visit.service, "posencd_inflight_bytes", 0));
}
END_TEST

START_TEST(batches_of_many_peers_come_to_their_end)
{
    visit_begin(&visit, many_peers);
    block = pool_block_new(visit.service->lanes.quick);
    for (int i = 0; i < PEERS; i++) {
        clients[i] = http_client_new(served_port(visit.service));
        send_with_list(i);
    }
    ck_assert(served_metric_becomes(visit.service, IN_FLIGHT, PEERS + 1));
    pool_block_free(block);
    block = NULL;
    for (int i = 0; i < PEERS; i++)
        read_answer(i, 200);
    ck_assert(served_metric_becomes(visit.service, "posencd_inflight_bytes", 0));
}
END_TEST

/* ---- turns ------------------------------------------------------------------------------- */

START_TEST(a_batch_begins_when_those_before_it_are_over)
{
    visit_begin(&visit, one_loop);
    fill_places();
    send_batch(AHEAD, SHORT);
    ck_assert(served_metric_becomes(visit.service, IN_FLIGHT, AHEAD + 2));
    ck_assert(served_metric(visit.service, "posencd_compute_seconds_count") == 0);
    pool_block_free(block);
    block = NULL;
    for (int i = 0; i <= AHEAD; i++)
        read_answer(i, 200);
}
END_TEST

START_TEST(a_batch_of_another_peer_does_not_wait)
{
    visit_begin(&visit, each_connection);
    fill_places();
    send_batch(AHEAD, SHORT);
    read_answer(AHEAD, 200);
}
END_TEST

/* The batches before it have the long time that they began with. */
START_TEST(a_batch_without_a_turn_is_refused_after_half_of_its_time)
{
    visit_begin(&visit, one_loop);
    fill_places();
    visit.service->config.work_timeout_ms = 600;
    send_batch(AHEAD, SHORT);
    http_client_read(clients[AHEAD], &visit.answer, false, NULL, NULL);
    visit_expect(&visit, 503, "no answer was ready in time; try again");
    ck_assert(served_metric(visit.service, LATE) == 1);
}
END_TEST

static void patient(struct config *config)
{
    one_loop(config);
    config->work_timeout_ms = 4000;
}

/* Its first part finds no place on the pool; its second one waits until the deadline. */
START_TEST(a_batch_is_refused_once_by_its_first_reason)
{
    visit_begin(&visit, patient);
    block = pool_block_new(visit.service->lanes.quick);
    for (int i = 0; i < TASKS; i++) {
        char target[80];

        snprintf(target, sizeof target, "/v1/sinusoidal?dim=64&format=json&pos=%d:%d", i,
                 i + 1150);
        clients[i] = http_client_new(served_port(visit.service));
        http_client_request(clients[i], "GET", target, NULL, NULL);
    }
    ck_assert(served_metric_becomes(visit.service,
                                    "posencd_cache_requests_total{result=\"miss\"}", TASKS));
    send_batch(TASKS, "{\"requests\":["
                      "{\"path\":\"/v1/sinusoidal?dim=64&format=json&pos=9000:10150\"},"
                      "{\"path\":\"/v1/sinusoidal?dim=64&format=json&pos=0:1150\"}]}");
    for (int i = 0; i <= TASKS; i++)
        read_answer(i, 503);
    ck_assert(served_metric_becomes(visit.service, IN_FLIGHT, 1));
    ck_assert(served_metric(visit.service, LATE) == TASKS);
    ck_assert(served_metric(visit.service, "posencd_rejected_total") == TASKS + 1);
}
END_TEST

START_TEST(a_batch_whose_client_leaves_loses_its_turn)
{
    visit_begin(&visit, one_loop);
    fill_places();
    send_batch(AHEAD, SHORT);
    ck_assert(served_metric_becomes(visit.service, IN_FLIGHT, AHEAD + 2));
    http_client_free(clients[AHEAD]);
    clients[AHEAD] = NULL;
    while (served_metric(visit.service, "posencd_rejected_total{reason=\"client_gone\"}") != 1)
        sched_yield();
    ck_assert(served_metric_becomes(visit.service, IN_FLIGHT, AHEAD + 1));
}
END_TEST

START_TEST(more_batches_of_one_client_than_may_wait_are_refused)
{
    visit_begin(&visit, one_loop);
    fill_places();
    for (int i = AHEAD; i < MOST; i++)
        send_batch(i, SHORT);
    ck_assert(served_metric_becomes(visit.service, IN_FLIGHT, MOST + 1));
    send_batch(MOST, SHORT);
    http_client_read(clients[MOST], &visit.answer, false, NULL, NULL);
    visit_expect(&visit, 503,
                 "too many batches of this client wait for their turn; send fewer at a time, "
                 "and try again");
    ck_assert(served_metric(visit.service, "posencd_rejected_total{reason=\"peer\"}") == 1);
    pool_block_free(block);
    block = NULL;
    for (int i = 0; i < MOST; i++)
        read_answer(i, 200);
}
END_TEST

START_TEST(a_service_may_end_while_batches_wait)
{
    visit_begin(&visit, one_loop);
    fill_places();
    for (int i = AHEAD; i < 3 * AHEAD; i++)
        send_batch(i, SHORT);
    ck_assert(served_metric_becomes(visit.service, IN_FLIGHT, 3 * AHEAD + 1));
    pool_block_free(block);
    block = NULL; /* the service is ended by the fixture */
}
END_TEST

static const struct suite_test tests[] = {
    TEST(all_long_batches_of_one_client_come_to_their_end),
    TEST(two_batches_of_two_loops_do_not_wait_for_each_others_bytes),
    TEST(batches_of_many_peers_come_to_their_end),
    TEST(a_batch_begins_when_those_before_it_are_over),
    TEST(a_batch_of_another_peer_does_not_wait),
    TEST(a_batch_without_a_turn_is_refused_after_half_of_its_time),
    TEST(a_batch_is_refused_once_by_its_first_reason),
    TEST(a_batch_whose_client_leaves_loses_its_turn),
    TEST(more_batches_of_one_client_than_may_wait_are_refused),
    TEST(a_service_may_end_while_batches_wait),
};

const struct suite batch_wait_suite = {SUITE_TESTS(tests), .teardown = end, .timeout = 60};
