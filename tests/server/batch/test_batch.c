/* SPDX-License-Identifier: Apache-2.0
 * test_batch.c - tests that a long batch does not keep its loop from others, and how one ends
 * that is not done in time, whose client leaves, or whose service ends. */
#include "server/batch/batch.h"

#include <jansson.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proto/text/json_memory.h"
#include "server/batch/batch_state.h"
#include "server/shared.h"
#include "tests/support/pool_block.h"
#include "tests/support/suite.h"
#include "tests/support/visit.h"

#define JSON "Content-Type: application/json\r\n"
/* The pool computes the second request: it takes more than a millisecond. */
#define POOLED                                                                                 \
    "{\"requests\":[{\"path\":\"/v1/rope?dim=4&pos=0:2\"},{\"path\":\"/v1/sinusoidal?dim=64&"  \
    "format=json&pos=0:1150\"},{\"path\":\"/v1/rope?dim=4&pos=0:3\"}]}"

#define COMPUTING "posencd_inflight_bytes{use=\"computing\"}"
#define BODIES "posencd_inflight_bytes{use=\"bodies\"}"

enum { LONG = 1000 };

static struct visit visit;
static struct pool_block *block;

static void one_loop(struct config *config)
{
    config->threads = 1;
}

static void soon(struct config *config)
{
    config->threads = 1;
    config->work_timeout_ms = 150;
}

static void end(void)
{
    pool_block_free(block);
    block = NULL;
    visit_end(&visit);
}

/* Returns a batch of a thousand requests that the loop computes itself, in about half a second;
 * `from` makes them others than those of another batch. free() it. */
static char *long_batch(unsigned from)
{
    struct buffer text = {0};
    size_t len;

    for (unsigned i = 0; i < LONG; i++)
        buffer_add_format(&text, "%s{\"path\":\"/v1/rope?dim=32&pos=%u:%u\"}",
                          i == 0 ? "{\"requests\":[" : ",", from + i, from + i + 100);
    buffer_add_text(&text, "]}");
    return buffer_take(&text, &len);
}

static double batches(void)
{
    return served_metric(visit.service, "posencd_http_requests_total{route=\"/v1/batch\","
                                        "method=\"POST\",code=\"200\"}");
}

/* Asks for health while a batch is at work. Returns whether health was answered first. */
static bool health_is_first(unsigned from)
{
    struct http_client *other = http_client_new(served_port(visit.service));
    char *batch = long_batch(from);
    struct http_answer answer = {.status = 0};
    const double before = batches();

    http_client_request(visit.client, "POST", "/v1/batch", JSON, batch);
    http_client_get(other, &answer, "/livez");
    ck_assert_int_eq(answer.status, 200);
    bool first = batches() == before;
    http_client_read(visit.client, &visit.answer, false, NULL, NULL);
    ck_assert_int_eq(visit.answer.status, 200);
    http_answer_fini(&answer);
    http_client_free(other);
    free(batch);
    return first;
}

/* A machine that is busy may give the test's client no time until the batch is over. */
START_TEST(health_is_answered_while_a_batch_is_at_work)
{
    unsigned i = 0;

    visit_begin(&visit, one_loop);
    while (!health_is_first(i * LONG))
        i++;
    ck_assert(served_metric_becomes(visit.service, "posencd_inflight_bytes", 0));
}
END_TEST

START_TEST(all_requests_of_a_batch_have_one_answer_each_in_order)
{
    char *batch = long_batch(0), *at;

    visit_begin(&visit, one_loop);
    http_client_ask(visit.client, &visit.answer, "POST", "/v1/batch", JSON, batch);
    ck_assert_int_eq(visit.answer.status, 200);
    at = visit.answer.body;
    for (unsigned i = 0; i < LONG; i++) {
        char pos[40];

        snprintf(pos, sizeof pos, "\"pos\":\"%u:%u\"", i, i + 100);
        at = strstr(at, pos);
        ck_assert_msg(at != NULL, "%s", pos);
    }
    free(batch);
}
END_TEST

START_TEST(more_than_a_thousand_requests_are_refused)
{
    char *batch = long_batch(0), *more;

    visit_begin(&visit, one_loop);
    batch[strlen(batch) - 2] = '\0';
    more = malloc(strlen(batch) + 100);
    snprintf(more, strlen(batch) + 100, "%s,{\"path\":\"/v1/rope?dim=4&pos=0:1\"}]}", batch);
    http_client_ask(visit.client, &visit.answer, "POST", "/v1/batch", JSON, more);
    visit_expect(&visit, 400, "a batch has at most 1000 requests; got 1001");
    visit_expect_in_body(&visit, "\"limit\":1000,\"requested\":1001");
    free(more);
    free(batch);
}
END_TEST

START_TEST(a_batch_has_one_deadline)
{
    visit_begin(&visit, soon);
    block = pool_block_new(visit.service->lanes.quick);
    http_client_ask(visit.client, &visit.answer, "POST", "/v1/batch", JSON, POOLED);
    visit_expect(&visit, 503, "no answer was ready in time; try again");
    ck_assert(served_metric_becomes(visit.service, "posencd_inflight_bytes", 0));
    ck_assert(served_metric(visit.service, "posencd_rejected_total{reason=\"deadline\"}") == 1);
}
END_TEST

START_TEST(a_batch_that_the_loop_computes_has_the_deadline_too)
{
    char *batch = long_batch(0);

    visit_begin(&visit, soon);
    visit.service->config.work_timeout_ms = 20;
    http_client_ask(visit.client, &visit.answer, "POST", "/v1/batch", JSON, batch);
    visit_expect(&visit, 503, "no answer was ready in time; try again");
    ck_assert(served_metric_becomes(visit.service, "posencd_inflight_bytes", 0));
    ck_assert(served_metric(visit.service, "posencd_compute_seconds_count") < LONG);
    free(batch);
}
END_TEST

/* Waits until the first request of the batch is computed and the second one is queued. */
static void wait_for_queue(void)
{
    while (served_metric(visit.service, "posencd_compute_seconds_count") < 1)
        sched_yield();
}

START_TEST(requests_that_have_not_begun_are_cancelled_when_the_client_leaves)
{
    struct http_client *leaver;

    visit_begin(&visit, one_loop);
    leaver = http_client_new(served_port(visit.service));
    block = pool_block_new(visit.service->lanes.quick);
    http_client_request(leaver, "POST", "/v1/batch", JSON, POOLED);
    wait_for_queue();
    http_client_free(leaver);
    while (served_metric(visit.service, "posencd_rejected_total{reason=\"client_gone\"}") != 1)
        sched_yield();
    ck_assert(served_metric_becomes(visit.service, "posencd_inflight_bytes", 0));
    ck_assert(served_metric(visit.service, "posencd_compute_seconds_count") == 1);
}
END_TEST

/* Another request computes the second one, and the batch waits for its entry. */
START_TEST(a_batch_waits_for_what_another_request_computes)
{
    struct http_client *other;
    struct http_answer answer = {.status = 0};

    visit_begin(&visit, one_loop);
    other = http_client_new(served_port(visit.service));
    block = pool_block_new(visit.service->lanes.quick);
    http_client_request(other, "GET", "/v1/sinusoidal?dim=64&format=json&pos=0:1150", NULL,
                        NULL);
    while (served_metric(visit.service, "posencd_cache_requests_total{result=\"miss\"}") < 1)
        sched_yield();
    http_client_request(visit.client, "POST", "/v1/batch", JSON, POOLED);
    while (served_metric(visit.service, "posencd_cache_requests_total{result=\"wait\"}") < 1)
        sched_yield();
    pool_block_free(block);
    block = NULL;
    http_client_read(visit.client, &visit.answer, false, NULL, NULL);
    http_client_read(other, &answer, false, NULL, NULL);
    visit_expect(&visit, 200, "\"pos\":\"0:1150\"");
    ck_assert_int_eq(answer.status, 200);
    ck_assert(served_metric(visit.service,
                            "posencd_compute_seconds_count{encoding=\"sinusoidal\"}") == 1);
    http_answer_fini(&answer);
    http_client_free(other);
}
END_TEST

START_TEST(a_service_ends_while_a_batch_waits)
{
    visit_begin(&visit, one_loop);
    block = pool_block_new(visit.service->lanes.quick);
    http_client_request(visit.client, "POST", "/v1/batch", JSON, POOLED);
    wait_for_queue();
    pool_block_free(block);
    block = NULL; /* the service is ended by the fixture */
}
END_TEST

START_TEST(a_service_ends_while_a_batch_is_at_work)
{
    char *batch = long_batch(0);

    visit_begin(&visit, one_loop);
    http_client_request(visit.client, "POST", "/v1/batch", JSON, batch);
    wait_for_queue(); /* the service is ended by the fixture */
    free(batch);
}
END_TEST

/* A body of more than 64 KiB is read on the pool, and its long lists too. */
START_TEST(long_bodies_and_lists_are_read_on_the_pool)
{
    struct buffer text = {0};

    visit_begin(&visit, one_loop);
    buffer_add_text(&text, "{\"requests\":[{\"path\":\"/v1/rope?dim=4&pos=0:2\"},{\"encoding\":"
                           "\"rope\",\"params\":{\"dim\":4,\"out\":\"cos\",\"pos\":[0");
    for (unsigned i = 1; i < 20000; i++)
        buffer_add_format(&text, ",%u", i * 7 % 1000);
    buffer_add_text(&text, "]}}]}");
    http_client_ask(visit.client, &visit.answer, "POST", "/v1/batch", JSON, text.bytes);
    visit_expect(&visit, 200, "\"shape\":[20000,2]");
    block = pool_block_new(visit.service->lanes.quick);
    visit.service->config.work_timeout_ms = 100;
    http_client_ask(visit.client, &visit.answer, "POST", "/v1/batch", JSON, text.bytes);
    visit_expect(&visit, 503, "no answer was ready in time; try again");
    pool_block_free(block);
    block = NULL;
    ck_assert(served_metric_becomes(visit.service, "posencd_inflight_bytes", 0));
    buffer_fini(&text);
}
END_TEST

/* The answer may not grow into memory that the body takes while its end is parsed. */
START_TEST(the_memory_of_the_parsed_body_is_not_that_of_the_answer)
{
    char *text = long_batch(0);
    struct batch *batch = calloc(1, sizeof *batch);

    visit_begin(&visit, one_loop);
    json_memory_init(); /* counts the bytes, as in the program */
    batch->service = visit.service;
    batch->base = "";
    batch->errors = calloc(1, sizeof *batch->errors);
    batch->json = json_body_new(1 << 20);
    ck_assert_int_eq(json_body_add(batch->json, text, strlen(text)), JSON_BODY_OK);
    const uint64_t before = json_body_held(batch->json);
    batch_work_read_body(batch);
    ck_assert_int_eq(batch->status, PE_OK);
    ck_assert_uint_eq(batch->body.count, LONG);
    ck_assert_uint_gt(batch->reserved_parsed, 0);
    ck_assert_uint_eq(batch->reserved_parsed, json_body_held(batch->json) - before);
    ck_assert_uint_eq(batch->reserved, 0);
    batch_free(batch);
    json_set_alloc_funcs(malloc, free);
    free(text);
    ck_assert(served_metric_becomes(visit.service, "posencd_inflight_bytes", 0));
}
END_TEST

/* A batch of which one part has two megabytes and all others have problems, as a file. */
static char *failing_batch(size_t *len)
{
    struct buffer body = {0}, text = {0};

    buffer_add_text(&body, "{\"requests\":[{\"path\":\"/v1/sinusoidal?dim=64&pos=0:8000\"}");
    for (unsigned i = 1; i < LONG; i++)
        buffer_add_format(&body, ",{\"path\":\"/v1/rope?what=%u\"}", i);
    buffer_add_text(&body, "]}");
    buffer_add_format(&text,
                      "POST /v1/batch?format=safetensors HTTP/1.1\r\nHost: a\r\n" JSON
                      "Content-Length: %zu\r\n\r\n%s",
                      body.len, body.bytes);
    buffer_fini(&body);
    return buffer_take(&text, len);
}

START_TEST(a_problem_that_is_not_read_holds_nothing_of_its_batch)
{
    struct pollfd readable = {.events = POLLIN};
    char status[12];
    size_t len;

    visit_begin(&visit, one_loop);
    char *text = failing_batch(&len);
    readable.fd = visit_connect_narrow(&visit);
    ck_assert_int_eq((int)send(readable.fd, text, len, MSG_NOSIGNAL), (int)len);
    ck_assert_int_eq(poll(&readable, 1, 30000), 1);
    ck_assert_double_eq(served_metric(visit.service, "posencd_http_inflight_requests"), 2);
    ck_assert(served_metric_becomes(visit.service, COMPUTING, 0));
    ck_assert_double_eq(served_metric(visit.service, BODIES), 0);
    ck_assert_int_eq((int)recv(readable.fd, status, sizeof status, MSG_WAITALL), 12);
    ck_assert_mem_eq(status, "HTTP/1.1 400", sizeof status);
    close(readable.fd);
    ck_assert(served_metric_becomes(visit.service, "posencd_http_inflight_requests", 1));
    free(text);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_problem_that_is_not_read_holds_nothing_of_its_batch),
    TEST(the_memory_of_the_parsed_body_is_not_that_of_the_answer),
    TEST(health_is_answered_while_a_batch_is_at_work),
    TEST(all_requests_of_a_batch_have_one_answer_each_in_order),
    TEST(more_than_a_thousand_requests_are_refused),
    TEST(a_batch_has_one_deadline),
    TEST(a_batch_that_the_loop_computes_has_the_deadline_too),
    TEST(requests_that_have_not_begun_are_cancelled_when_the_client_leaves),
    TEST(a_batch_waits_for_what_another_request_computes),
    TEST(a_service_ends_while_a_batch_waits),
    TEST(a_service_ends_while_a_batch_is_at_work),
    TEST(long_bodies_and_lists_are_read_on_the_pool),
};

const struct suite batch_suite = {SUITE_TESTS(tests), .teardown = end, .timeout = 60};
