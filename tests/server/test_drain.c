/* SPDX-License-Identifier: Apache-2.0
 * test_drain.c - a drain loses no response: requests in flight are finished, idle connections
 * closed. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/http_client.h"
#include "tests/support/served.h"
#include "tests/support/suite.h"

enum { FAR_MS = 60000 };

#define GET "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"
#define STREAM "/v1/sinusoidal?dim=1024&pos=0:4096&format=raw" /* 16 MiB */

static struct service *service;
static struct http_answer answer;
static unsigned port;

static void start(void)
{
    service = served_start(NULL);
    port = service_port(service, 0);
}

static void stop(void)
{
    http_answer_fini(&answer);
    if (service)
        served_stop(service);
}

static void await_state(enum service_state state)
{
    while (service_state(service) != state)
        sched_yield();
}

/* Waits until the main loop has ended by itself, when no connection was left. */
static void expect_end(void)
{
    await_state(SERVICE_STOPPING);
    ck_assert_uint_eq(service->connections, 0);
}

static bool accepts(void)
{
    struct sockaddr_in addr = {.sin_family = AF_INET,
                               .sin_port = htons((in_port_t)port),
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool ok = connect(fd, (struct sockaddr *)&addr, sizeof addr) == 0;

    close(fd);
    return ok;
}

START_TEST(during_the_delay_requests_are_served_with_close_and_readyz_is_503)
{
    struct http_client *first = http_client_new(port), *later;

    http_client_get(first, &answer, "/livez");
    service_drain(service, FAR_MS, FAR_MS);
    await_state(SERVICE_DRAINING);
    http_client_get(first, &answer, "/livez");
    ck_assert_int_eq(answer.status, 200);
    ck_assert_str_eq(http_answer_header(&answer, "Connection"), "close");
    ck_assert(http_client_closed(first));
    later = http_client_new(port);
    http_client_get(later, &answer, "/readyz");
    ck_assert_int_eq(answer.status, 503);
    ck_assert_str_eq(answer.body, "draining\n");
    http_client_free(first);
    http_client_free(later);
}
END_TEST

START_TEST(after_the_delay_idle_connections_are_closed_and_no_new_ones_accepted)
{
    struct http_client *clients[8];

    for (int i = 0; i < 8; i++) {
        clients[i] = http_client_new(port);
        http_client_get(clients[i], &answer, "/livez");
    }
    service_drain(service, 0, FAR_MS);
    for (int i = 0; i < 8; i++) {
        ck_assert(http_client_closed(clients[i]));
        http_client_free(clients[i]);
    }
    expect_end();
    ck_assert(!accepts());
}
END_TEST

START_TEST(a_request_that_comes_when_the_delay_ends_is_answered)
{
    struct http_client *fresh = http_client_new(port), *used = http_client_new(port);

    http_client_get(used, &answer, "/livez");
    service_drain(service, 0, FAR_MS);
    await_state(SERVICE_DRAINING);
    http_client_get(used, &answer,
                    "/livez"); /* the connection has not been idle for a second */
    ck_assert_int_eq(answer.status, 200);
    ck_assert_str_eq(http_answer_header(&answer, "Connection"), "close");
    http_client_get(fresh, &answer, "/livez"); /* a first request has a second to come */
    ck_assert_int_eq(answer.status, 200);
    ck_assert_str_eq(http_answer_header(&answer, "Connection"), "close");
    http_client_free(fresh);
    http_client_free(used);
    expect_end();
}
END_TEST

static void count_bytes(void *cls, const char *bytes, size_t len)
{
    *(size_t *)cls += len;
}

START_TEST(a_response_in_flight_is_finished)
{
    struct http_client *client = http_client_new(port);
    size_t bytes = 0;

    http_client_request(client, "GET", STREAM, NULL, NULL);
    while (service->connections == 0)
        sched_yield();
    while (http_client_receive(client, &(char){0}, 1, MSG_PEEK) != 1)
        ;
    service_drain(service, 0, FAR_MS);
    await_state(SERVICE_DRAINING);
    http_client_read(client, &answer, false, count_bytes, &bytes);
    ck_assert_int_eq(answer.status, 200);
    ck_assert(answer.whole);
    ck_assert_uint_eq(bytes, 16 << 20);
    ck_assert(http_client_closed(client));
    http_client_free(client);
    expect_end();
}
END_TEST

/* The head of the response was sent before the drain began, so it has no Connection: close. */
START_TEST(a_request_behind_a_response_in_flight_is_answered)
{
    struct http_client *client = http_client_new(port);
    size_t bytes = 0;

    http_client_request(client, "GET", STREAM, NULL, NULL);
    while (http_client_receive(client, &(char){0}, 1, MSG_PEEK) != 1)
        ;
    service_drain(service, 0, FAR_MS);
    await_state(SERVICE_DRAINING);
    http_client_read(client, &answer, false, count_bytes, &bytes);
    ck_assert(answer.whole);
    ck_assert_ptr_null(http_answer_header(&answer, "Connection"));
    http_client_get(client, &answer, "/livez");
    ck_assert_int_eq(answer.status, 200);
    ck_assert_str_eq(http_answer_header(&answer, "Connection"), "close");
    ck_assert(http_client_closed(client));
    http_client_free(client);
    expect_end();
}
END_TEST

START_TEST(a_client_that_never_reads_is_cut_off_when_the_time_is_up)
{
    struct http_client *client = http_client_new(port);

    http_client_request(client, "GET", STREAM, NULL, NULL);
    while (http_client_receive(client, &(char){0}, 1, MSG_PEEK) != 1)
        ;
    service_drain(service, 0, 100);
    await_state(SERVICE_STOPPING);
    ck_assert_uint_eq(service->connections, 1);
    served_stop(service);
    service = NULL;
    http_client_read(client, &answer, false, NULL, NULL);
    ck_assert(!answer.whole);
    http_client_free(client);
}
END_TEST

START_TEST(stopping_now_waits_for_no_client)
{
    struct http_client *client = http_client_new(port);

    http_client_get(client, &answer, "/livez");
    service_drain(service, FAR_MS, FAR_MS);
    service_stop_now(service);
    await_state(SERVICE_STOPPING);
    served_stop(service);
    service = NULL;
    ck_assert(http_client_closed(client));
    http_client_free(client);
}
END_TEST

START_TEST(a_second_drain_changes_nothing)
{
    service_drain(service, FAR_MS, FAR_MS);
    await_state(SERVICE_DRAINING);
    service_drain(service, 0, 0);
    ck_assert(accepts());
    ck_assert_int_eq(service_state(service), SERVICE_DRAINING);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(during_the_delay_requests_are_served_with_close_and_readyz_is_503),
    TEST(after_the_delay_idle_connections_are_closed_and_no_new_ones_accepted),
    TEST(a_request_that_comes_when_the_delay_ends_is_answered),
    TEST(a_response_in_flight_is_finished),
    TEST(a_request_behind_a_response_in_flight_is_answered),
    TEST(a_client_that_never_reads_is_cut_off_when_the_time_is_up),
    TEST(stopping_now_waits_for_no_client),
    TEST(a_second_drain_changes_nothing),
};

const struct suite drain_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                  .timeout = 30};
