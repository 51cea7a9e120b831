/* SPDX-License-Identifier: Apache-2.0
 * test_health_admission.c - the first bytes of a client decide whether it is admitted, refused
 * or waits. */
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/net/health_admission.h"
#include "tests/support/suite.h"

enum { MOST = LISTENER_KIND_WAITING_PLACES + 8 };

static uv_loop_t uv;
static struct health_admission *lobby;
static int ends[MOST]; /* the clients' sockets */
static int admitted, refused, first_refused, places;

static bool admit(void *context, const struct health_admission_client *client)
{
    ck_assert_ptr_eq(context, &uv);
    if (places == 0)
        return false;
    places--;
    admitted++;
    close(client->fd);
    return true;
}

static void refuse(void *context, const struct health_admission_client *client)
{
    ck_assert_ptr_eq(context, &uv);
    if (refused++ == 0)
        first_refused = (int)client->len;
    close(client->fd);
}

static void start(void)
{
    const struct health_admission_callbacks ways = {admit, refuse, &uv};

    admitted = refused = 0;
    first_refused = -1;
    places = MOST;
    memset(ends, -1, sizeof ends);
    ck_assert_int_eq(uv_loop_init(&uv), 0);
    lobby = health_admission_new(&uv, &ways);
    ck_assert_ptr_nonnull(lobby);
}

static void stop(void)
{
    health_admission_free(lobby);
    uv_run(&uv, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&uv), 0);
    for (int i = 0; i < MOST; i++)
        if (ends[i] >= 0)
            close(ends[i]);
}

/* Client i, which refuse() tells by the length of its address, has sent the text. */
static void enter(int i, enum listener_kind listener_kind, const char *text)
{
    struct health_admission_client client = {.listener_kind = listener_kind,
                                             .len = (socklen_t)i};
    int pair[2];

    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
    ends[i] = pair[0];
    client.fd = pair[1];
    ck_assert_int_eq(send(ends[i], text, strlen(text), 0), (ssize_t)strlen(text));
    health_admission_enter(lobby, &client);
}

static void expect(int in, int out)
{
    ck_assert_int_eq(admitted, in);
    ck_assert_int_eq(refused, out);
}

static const struct {
    const char *sent;
    int admitted, refused;
} requests[] = {
    {"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n", 1, 0},
    {"GET /readyz?verbose HTTP/1.1\r\nHost: a\r\n\r\n", 1, 0},
    {"HEAD /below/a/prefix/metrics HTTP/1.1\r\nHost: a\r\n\r\n", 1, 0},
    {"GET http://a/healthz HTTP/1.1\r\nHost: a\r\n\r\n", 1, 0},
    {"GET /livez HTTP/1.1\r\nHost: a\r\n", 0, 0},
    {"GET /v1/rope?x=/livez", 0, 0},
    {"GET /v1/rope?x=/livez HTTP/1.1\r\n", 0, 1},
    {"GET /livezz HTTP/1.1\r\nHost: a\r\n\r\n", 0, 1},
    {"\r\n", 0, 1},
    {"", 0, 0},
};

START_TEST(the_first_line_decides_and_health_needs_its_whole_head)
{
    enter(0, LISTENER_KIND_PUBLIC, requests[_i].sent);
    expect(requests[_i].admitted, requests[_i].refused);
}
END_TEST

START_TEST(the_rest_of_a_head_is_waited_for)
{
    enter(0, LISTENER_KIND_PUBLIC, "GET /livez HT");
    expect(0, 0);
    ck_assert_int_eq(send(ends[0], "TP/1.1\r\n\r\n", 10, 0), 10);
    while (admitted == 0)
        uv_run(&uv, UV_RUN_ONCE);
    expect(1, 0);
}
END_TEST

START_TEST(a_silent_client_is_refused_in_time_and_a_closed_one_forgotten)
{
    uint64_t began = uv_hrtime();

    uv_update_time(&uv); /* libuv counts from the time that the loop knows */
    enter(0, LISTENER_KIND_PUBLIC, "");
    enter(1, LISTENER_KIND_PUBLIC, "");
    close(ends[1]);
    ends[1] = -1;
    uv_run(&uv, UV_RUN_DEFAULT); /* until no client waits */
    expect(0, 1);
    ck_assert_int_eq(first_refused, 0);
    ck_assert_uint_ge(uv_hrtime() - began, 150000000);
}
END_TEST

START_TEST(at_the_limit_a_new_client_replaces_the_oldest)
{
    for (int i = 0; i <= LISTENER_KIND_WAITING_PLACES; i++)
        enter(i, LISTENER_KIND_PUBLIC, "");
    expect(0, 1);
    ck_assert_int_eq(first_refused, 0);
    enter(LISTENER_KIND_WAITING_PLACES + 1, LISTENER_KIND_PUBLIC,
          "GET /livez HTTP/1.1\r\n\r\n"); /* admitted without waiting */
    expect(1, 1);
}
END_TEST

START_TEST(without_a_place_behind_it_health_waits)
{
    places = 0;
    enter(0, LISTENER_KIND_PUBLIC, "GET /livez HTTP/1.1\r\n\r\n");
    expect(0, 0);
    places = 1;
    while (admitted == 0)
        uv_run(&uv, UV_RUN_ONCE);
    expect(1, 0);
}
END_TEST

START_TEST(of_tls_any_byte_is_enough)
{
    enter(0, LISTENER_KIND_TLS, "");
    expect(0, 0);
    enter(1, LISTENER_KIND_TLS, "\x16\x03\x01");
    expect(1, 0);
}
END_TEST

START_TEST(the_end_refuses_the_clients_that_wait)
{
    enter(0, LISTENER_KIND_PUBLIC, "");
    places = 0;
    enter(1, LISTENER_KIND_PUBLIC, "GET /livez HTTP/1.1\r\n\r\n");
    places = 1;
    health_admission_free(lobby);
    lobby = NULL;
    expect(1, 1);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(the_first_line_decides_and_health_needs_its_whole_head, requests),
    TEST(the_rest_of_a_head_is_waited_for),
    TEST(a_silent_client_is_refused_in_time_and_a_closed_one_forgotten),
    TEST(at_the_limit_a_new_client_replaces_the_oldest),
    TEST(without_a_place_behind_it_health_waits),
    TEST(of_tls_any_byte_is_enough),
    TEST(the_end_refuses_the_clients_that_wait),
};

const struct suite health_admission_suite = {SUITE_TESTS(tests), .setup = start,
                                             .teardown = stop};
