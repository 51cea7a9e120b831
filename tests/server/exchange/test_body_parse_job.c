/* SPDX-License-Identifier: Apache-2.0
 * test_body_parse_job.c - the pool reads long bodies: answers and errors are as for a short
 * body, and the loop serves other clients meanwhile. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/buffer.h"
#include "server/service.h"
#include "server/sys/thread_pool.h"
#include "tests/support/pool_block.h"
#include "tests/support/suite.h"
#include "tests/support/visit.h"

enum { SOON_MS = 150, MANY = 20000 };

static const char json[] = "Content-Type: application/json\r\n";

static struct visit visit;
static struct pool_block *block;
static struct buffer body; /* text of more than 64 KiB */

static void soon(struct config *config)
{
    config->work_timeout_ms = SOON_MS;
    config->threads = 1;
}

static void patient(struct config *config)
{
    config->work_timeout_ms = 60000;
    config->threads = 1;
}

/* Writes `before`, `count` positions 0.5, 2.5, 4.5 ..., and `after`. */
static void write_long_body(const char *before, int count, const char *after)
{
    buffer_fini(&body);
    buffer_add_text(&body, before);
    for (int i = 0; i < count; i++)
        buffer_add_format(&body, "%s%d.5", i ? "," : "", 2 * i);
    buffer_add_text(&body, after);
    ck_assert(!body.failed && body.len > 64 << 10);
}

static void write_body(const char *before, const char *after)
{
    write_long_body(before, MANY, after);
}

static void start(void)
{
    visit_begin(&visit, patient);
    write_body("{\"dim\":2,\"pos\":[", "],\"format\":\"raw\"}");
}

static void start_anew(void (*adjust)(struct config *config))
{
    visit_end(&visit);
    visit_begin(&visit, adjust);
}

static void stop(void)
{
    pool_block_free(block);
    block = NULL;
    visit_end(&visit);
    buffer_fini(&body);
}

static void ask(const char *target)
{
    http_client_request(visit.client, "POST", target, json, body.bytes);
    http_client_read(visit.client, &visit.answer, false, NULL, NULL);
}

START_TEST(a_long_body_has_the_answer_of_its_parts)
{
    char part[128], *kept = malloc(MANY * 2 * sizeof(float));

    ask("/v1/sinusoidal");
    ck_assert_int_eq(visit.answer.status, 200);
    ck_assert_uint_eq(visit.answer.len, MANY * 2 * sizeof(float));
    memcpy(kept, visit.answer.body, visit.answer.len);
    for (int i = 0; i < MANY; i += MANY - 1) {
        snprintf(part, sizeof part, "/v1/sinusoidal?dim=2&format=raw&pos=%d.5", 2 * i);
        http_client_get(visit.client, &visit.answer, part);
        ck_assert_uint_eq(visit.answer.len, 2 * sizeof(float));
        ck_assert_mem_eq(visit.answer.body, kept + (size_t)i * 2 * sizeof(float),
                         2 * sizeof(float));
    }
    free(kept);
}
END_TEST

START_TEST(the_second_time_it_comes_from_the_cache)
{
    ask("/v1/sinusoidal");
    ck_assert_ptr_nonnull(strstr(http_answer_header(&visit.answer, "Server-Timing"), "miss"));
    ask("/v1/sinusoidal");
    visit_expect_header(&visit, "Server-Timing", "cache;desc=hit");
    visit_expect_header(&visit, "Content-Location", NULL); /* the URL would be too long */
    write_body("{\"dim\":2,\"pos\":[", ",7],\"format\":\"raw\"}");
    ask("/v1/sinusoidal");
    ck_assert_ptr_nonnull(strstr(http_answer_header(&visit.answer, "Server-Timing"), "miss"));
}
END_TEST

START_TEST(the_query_and_accept_count_as_for_a_short_body)
{
    write_body("{\"pos\":[", "]}");
    http_client_request(visit.client, "POST", "/v1/sinusoidal?dim=2",
                        "Content-Type: application/json\r\nAccept: application/x-npy\r\n",
                        body.bytes);
    http_client_read(visit.client, &visit.answer, false, NULL, NULL);
    ck_assert_int_eq(visit.answer.status, 200);
    visit_expect_header(&visit, "Content-Type", "application/x-npy");
    http_client_request(visit.client, "POST", "/v1/sinusoidal?dim=2",
                        "Content-Type: application/json\r\nAccept: text/plain\r\n", body.bytes);
    http_client_read(visit.client, &visit.answer, false, NULL, NULL);
    ck_assert_int_eq(visit.answer.status, 406);
}
END_TEST

START_TEST(all_that_is_wrong_with_it_is_said_at_once)
{
    write_body("{\"pos\":[", ",1e300],\"dmi\":2}");
    ask("/v1/sinusoidal?formatt=npy");
    ck_assert_int_eq(visit.answer.status, 400);
    visit_expect_in_body(&visit, "did you mean format?");
    visit_expect_in_body(&visit, "{\"pointer\":\"#/pos/20000\"");
    visit_expect_in_body(&visit, "{\"pointer\":\"#/dmi\"");
}
END_TEST

START_TEST(tensors_of_a_long_body_are_answered)
{
    write_body("{\"x\":[[", "]],\"format\":\"raw\"}");
    ask("/v1/rope/apply?pos=0");
    ck_assert_msg(visit.answer.status == 200, "%s", visit.answer.body);
    ck_assert_uint_eq(visit.answer.len, MANY * sizeof(float));
    visit_expect_header(&visit, "ETag", NULL);
    http_client_get(visit.client, &visit.answer, "/livez");
    ck_assert(served_metric_becomes(visit.service, "posencd_inflight_bytes", 0));
}
END_TEST

START_TEST(the_loop_serves_others_while_it_is_read)
{
    struct http_client *other = http_client_new(served_port(visit.service));
    struct http_answer answer = {.status = 0};

    block = pool_block_new(
        visit.service->lanes.quick); /* stands for a body that takes very long to read */
    http_client_request(visit.client, "POST", "/v1/sinusoidal", json, body.bytes);
    for (int times = 0; times < 20; times++) {
        http_client_get(other, &answer, "/livez");
        ck_assert_int_eq(answer.status, 200);
    }
    pool_block_free(block);
    block = NULL;
    http_client_read(visit.client, &visit.answer, false, NULL, NULL);
    ck_assert_int_eq(visit.answer.status, 200);
    http_answer_fini(&answer);
    http_client_free(other);
}
END_TEST

START_TEST(reading_is_work_with_a_time)
{
    start_anew(soon);
    block = pool_block_new(visit.service->lanes.quick);
    ask("/v1/sinusoidal");
    ck_assert_int_eq(visit.answer.status, 503);
    visit_expect_in_body(&visit, "no answer was ready in time; try again");
    pool_block_free(block); /* the cancelled task comes back without harm */
    block = NULL;
    ck_assert(served_metric_becomes(visit.service, "posencd_inflight_bytes", 0));
}
END_TEST

START_TEST(what_has_not_begun_in_time_is_not_read)
{
    start_anew(soon);
    block = pool_block_new(visit.service->lanes.quick);
    ask("/v1/sinusoidal");
    ck_assert_int_eq(visit.answer.status, 503);
    ck_assert(
        served_metric_becomes(visit.service, "posencd_inflight_bytes", 0)); /* still blocked */
}
END_TEST

START_TEST(what_a_client_left_before_it_began_is_not_read)
{
    struct http_client *leaver = http_client_new(served_port(visit.service));

    block = pool_block_new(visit.service->lanes.quick);
    http_client_request(leaver, "POST", "/v1/sinusoidal", json, body.bytes);
    while (served_metric(visit.service, "posencd_inflight_bytes") < MANY * sizeof(double))
        sched_yield();
    http_client_free(leaver);
    while (served_metric(visit.service, "posencd_rejected_total{reason=\"client_gone\"}") != 1)
        sched_yield();
    pool_block_free(block);
    block = NULL;
    ck_assert(served_metric_becomes(visit.service, "posencd_inflight_bytes", 0));
}
END_TEST

START_TEST(a_full_pool_refuses_it)
{
    struct http_client *others[THREAD_POOL_PEER_MOST];

    write_long_body("{\"dim\":2,\"pos\":[", 4 * MANY, "],\"format\":\"raw\"}");
    block = pool_block_new(visit.service->lanes.quick);
    for (int i = 0; i < THREAD_POOL_PEER_MOST; i++) {
        others[i] = http_client_new(served_port(visit.service));
        http_client_request(others[i], "POST", "/v1/sinusoidal", json, body.bytes);
    }
    /* All requests are on one loop; when the first is refused, the pool is full. */
    http_client_request(visit.client, "POST", "/v1/sinusoidal", json, body.bytes);
    while (served_metric(visit.service, "posencd_rejected_total{reason=\"overload\"}") == 0)
        sched_yield();
    for (int i = 0; i < THREAD_POOL_PEER_MOST; i++)
        http_client_free(others[i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_long_body_has_the_answer_of_its_parts),
    TEST(the_second_time_it_comes_from_the_cache),
    TEST(the_query_and_accept_count_as_for_a_short_body),
    TEST(all_that_is_wrong_with_it_is_said_at_once),
    TEST(tensors_of_a_long_body_are_answered),
    TEST(the_loop_serves_others_while_it_is_read),
    TEST(reading_is_work_with_a_time),
    TEST(what_has_not_begun_in_time_is_not_read),
    TEST(what_a_client_left_before_it_began_is_not_read),
    TEST(a_full_pool_refuses_it),
};

const struct suite body_parse_job_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                           .timeout = 60};
