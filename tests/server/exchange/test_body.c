/* SPDX-License-Identifier: Apache-2.0
 * test_body.c - bodies in memory, and 100 Continue; body.scenarios has what bodies are answered
 * with. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "server/exchange/body.h"
#include "server/net/inflight.h"
#include "server/service.h"
#include "tests/support/suite.h"
#include "tests/support/visit.h"

#define JSON "Content-Type: application/json\r\n"
enum { MAX_BODY = 100000 };

static struct visit visit;

static void adjust(struct config *config)
{
    config->max_body = MAX_BODY;
}

static void start(void)
{
    visit_begin(&visit, adjust);
}

static void stop(void)
{
    visit_end(&visit);
}

START_TEST(bodies_count_against_the_budget)
{
    uint64_t all = visit.service->config.max_inflight;
    struct http_client *other = http_client_new(served_port(visit.service));

    static const char head[] =
        "POST /v1/rope HTTP/1.1\r\nHost: a\r\n" JSON "Content-Length: 50000\r\n\r\n{\"pos\":[";

    ck_assert(inflight_reserve(visit.service, all - 1000));
    http_client_send(visit.client, head, sizeof head - 1);
    for (int i = 0; i < 12000; i++)
        http_client_send(visit.client, "123,", 4);
    http_client_read(visit.client, &visit.answer, false, NULL, NULL);
    visit_expect(&visit, 503, "overloaded");
    ck_assert_str_eq(http_answer_header(&visit.answer, "Retry-After"), "1");
    inflight_release(visit.service, all - 1000);
    http_client_free(visit.client);
    visit.client = other;
    for (int times = 0; times < 2000 && inflight_used(visit.service) > 0; times++)
        http_client_get(visit.client, &visit.answer, "/livez");
    ck_assert_uint_eq(inflight_used(visit.service), 0);
}
END_TEST

START_TEST(a_body_that_never_ends_leaves_nothing_behind)
{
    struct http_client *other = http_client_new(served_port(visit.service));
    static const char head[] = "POST /v1/rope HTTP/1.1\r\nHost: a\r\n" JSON
                               "Content-Length: 50000\r\n\r\n{\"pos\":[1,2,3";

    http_client_send(other, head, sizeof head - 1);
    /* The bytes are read first: a FIN that comes with them is only noticed at the deadline. */
    for (int times = 0; times < 2000 && inflight_used(visit.service) == 0; times++)
        http_client_get(visit.client, &visit.answer, "/livez");
    ck_assert_uint_gt(inflight_used(visit.service), 0);
    http_client_free(other);
    for (int times = 0; times < 2000 && atomic_load(&visit.service->connections) > 1; times++)
        http_client_get(visit.client, &visit.answer, "/livez");
    ck_assert_uint_eq(atomic_load(&visit.service->connections), 1);
    ck_assert_uint_eq(inflight_used(visit.service), 0);
}
END_TEST

START_TEST(a_request_that_expects_100_continue_gets_it)
{
    static const char head[] = "POST /v1/rope HTTP/1.1\r\nHost: a\r\n" JSON
                               "Expect: 100-continue\r\nContent-Length: 23\r\n\r\n";
    char line[25];

    http_client_send(visit.client, head, sizeof head - 1);
    ck_assert_int_eq((int)http_client_receive(visit.client, line, sizeof line, MSG_WAITALL),
                     25);
    ck_assert_mem_eq(line, "HTTP/1.1 100 Continue\r\n\r\n", 25);
    http_client_send(visit.client, "{\"dim\":8, \"pos\":\"0:4\"}", 22);
    http_client_send(visit.client, " ", 1);
    http_client_read(visit.client, &visit.answer, false, NULL, NULL);
    visit_expect(&visit, 200, "cos");
}
END_TEST

static const struct suite_test tests[] = {
    TEST(bodies_count_against_the_budget),
    TEST(a_body_that_never_ends_leaves_nothing_behind),
    TEST(a_request_that_expects_100_continue_gets_it),
};

const struct suite body_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                 .timeout = 30};
