/* SPDX-License-Identifier: Apache-2.0
 * test_chunked_body.c - chunks that do not end, or not in time, and 100 Continue;
 * chunked_body.scenarios has chunks that are read or malformed. */
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "server/net/inflight.h"
#include "server/service.h"
#include "tests/support/epoll_fail.h"
#include "tests/support/library.h"
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

static void expect_closed(void)
{
    ck_assert_str_eq(http_answer_header(&visit.answer, "Connection"), "close");
    ck_assert(http_client_closed(visit.client));
}

#define CHUNKED                                                                                \
    "POST /v1/rope HTTP/1.1\r\nHost: a\r\n" JSON "Transfer-Encoding: chunked\r\n\r\n"

/* Sends `count` chunks of 4,096 blanks: JSON may begin with any number of blanks. */
static void send_blanks(size_t count)
{
    char chunk[4096 + 8];

    memcpy(chunk, "1000\r\n", 6);
    memset(chunk + 6, ' ', 4096);
    memcpy(chunk + 6 + 4096, "\r\n", 2);
    for (size_t i = 0; i < count; i++)
        http_client_send(visit.client, chunk, sizeof chunk);
}

#define COUNT_413                                                                              \
    "posencd_http_requests_total{route=\"/v1/{encoding}\",method=\"POST\",code=\"413\"}"

START_TEST(a_chunked_body_is_413_when_the_count_is_reached)
{
    http_client_send(visit.client, CHUNKED, sizeof CHUNKED - 1);
    send_blanks(MAX_BODY / 4096 + 1);
    http_client_read(visit.client, &visit.answer, false, NULL,
                     NULL); /* the body has not ended */
    visit_expect(&visit, 413, "body-too-large");
    ck_assert_ptr_nonnull(http_answer_header(&visit.answer, "X-Request-Id"));
    expect_closed();
    send_blanks(100); /* a client that goes on sending is cut off */
    ck_assert(served_metric_becomes(visit.service, COUNT_413, 1));
    while (inflight_used(visit.service) > 0) /* the page of metrics holds its bytes a while */
        sched_yield();
}
END_TEST

START_TEST(a_client_that_leaves_amid_chunks_leaves_nothing_behind)
{
    struct http_client *other = http_client_new(served_port(visit.service));

    static const char begun[] = CHUNKED "f\r\n{\"pos\":[1,2,3,4";

    http_client_send(other, begun, sizeof begun - 1);
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

START_TEST(the_end_gives_up_chunks_that_are_coming)
{
    static const char begun[] = CHUNKED "f\r\n{\"pos\":[1,2,3,4";

    http_client_send(visit.client, begun, sizeof begun - 1);
    while (inflight_used(visit.service) == 0)
        sched_yield();
    /* visit_end stops the service while the body is being read. */
}
END_TEST

START_TEST(chunks_wait_for_100_continue_if_they_say_so)
{
    static const char head[] = "POST /v1/rope HTTP/1.1\r\nHost: a\r\n" JSON
                               "Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n";
    static const char chunks[] = "15\r\n{\"dim\":8,\"pos\":\"0:4\"}\r\n0\r\n\r\n";
    char line[25];

    http_client_send(visit.client, head, sizeof head - 1);
    ck_assert_int_eq(http_client_receive(visit.client, line, sizeof line, MSG_WAITALL), 25);
    ck_assert_mem_eq(line, "HTTP/1.1 100 Continue\r\n\r\n", 25);
    http_client_send(visit.client, chunks, sizeof chunks - 1);
    http_client_read(visit.client, &visit.answer, false, NULL, NULL);
    visit_expect(&visit, 200, "cos");
    expect_closed();
}
END_TEST

START_TEST(a_body_is_503_when_the_kernel_does_not_watch_its_socket)
{
    static const char whole[] = CHUNKED "15\r\n{\"dim\":8,\"pos\":\"0:4\"}\r\n0\r\n\r\n";

    if (library_reads_strictly()) /* it reads the chunks, and its socket is watched already */
        return;
    epoll_fail_set(ENOMEM);
    http_client_send(visit.client, CHUNKED, sizeof CHUNKED - 1);
    http_client_read(visit.client, &visit.answer, false, NULL, NULL);
    epoll_fail_set(0);
    visit_expect(&visit, 503, "the system has no memory to wait for this body; try again");
    expect_closed();
    visit_reconnect(&visit);
    http_client_send(visit.client, whole, sizeof whole - 1);
    http_client_read(visit.client, &visit.answer, false, NULL, NULL);
    visit_expect(&visit, 200, "cos");
    /* The exchange ends after its response. */
    while (inflight_used(visit.service) > 0)
        sched_yield();
}
END_TEST

static const struct suite_test all_tests[] = {
    TEST(a_chunked_body_is_413_when_the_count_is_reached),
    TEST(a_client_that_leaves_amid_chunks_leaves_nothing_behind),
    TEST(the_end_gives_up_chunks_that_are_coming),
    TEST(a_body_is_503_when_the_kernel_does_not_watch_its_socket),
    TEST(chunks_wait_for_100_continue_if_they_say_so),
};

const struct suite chunked_body_suite = {SUITE_TESTS(all_tests), .setup = start,
                                         .teardown = stop};
