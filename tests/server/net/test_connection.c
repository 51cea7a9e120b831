/* SPDX-License-Identifier: Apache-2.0
 * test_connection.c - every phase of a connection ends at its deadline, however busy the client
 * keeps it; a client that makes progress is never cut off. */
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "server/net/connection.h"
#include "server/net/loop.h"
#include "tests/support/http_client.h"
#include "tests/support/served.h"
#include "tests/support/suite.h"

/* A loaded machine is late, but by less than the other deadlines are away. */
enum { SHORT_MS = 300, MOVING_MS = 1000, LONG_MS = 600000, LATE_MS = LONG_MS / 2 };

static struct service *service;
static struct http_client *client;
static struct http_answer answer;
static uint64_t begun; /* before the client connected */

static uint64_t now_ms(void)
{
    return uv_hrtime() / 1000000;
}

/* Sets all deadlines far away; the test then shortens its own. */
static void far(struct config *config)
{
    config->header_timeout_ms = config->body_timeout_ms = LONG_MS;
    config->idle_timeout_ms = config->send_timeout_ms = LONG_MS;
}

static void start(void (*adjust)(struct config *))
{
    service = served_start(adjust);
    begun = now_ms();
    client = http_client_new(service_port(service, 0));
}

static void stop(void)
{
    atomic_store(&service->inflight_bytes, 0); /* as before overload() */
    http_client_free(client);
    http_answer_fini(&answer);
    served_stop(service);
}

static void overload(void)
{
    atomic_store(&service->inflight_bytes, service->config.max_inflight * 3 / 4);
    while (atomic_load(&service->overload_level) < 1)
        sched_yield();
}

/* Sends the byte again and again until the server has closed. */
static void drip(const char *begin, char byte)
{
    struct pollfd end = {.fd = http_client_fd(client), .events = POLLIN};

    http_client_send(client, begin, strlen(begin));
    while (poll(&end, 1, 20) == 0)
        send(end.fd, &byte, 1, MSG_NOSIGNAL);
}

/* The connection has just ended, `deadline` ms after a moment that is not before `begun`. */
static void expect_end_at(uint64_t deadline)
{
    uint64_t took = now_ms() - begun;

    ck_assert_uint_ge(took + 20, deadline); /* the loop's clock may be one iteration behind */
    ck_assert_uint_lt(took, deadline + LATE_MS);
}

static void short_header(struct config *config)
{
    far(config);
    config->header_timeout_ms = SHORT_MS;
}

START_TEST(a_dripped_head_ends_at_its_deadline)
{
    start(short_header);
    drip("GET /livez HTTP/1.1\r\nX: ", 'a');
    expect_end_at(SHORT_MS);
    ck_assert(http_client_closed(client));
}
END_TEST

START_TEST(a_silent_client_ends_at_the_same_deadline)
{
    start(short_header);
    ck_assert(http_client_closed(client));
    expect_end_at(SHORT_MS);
}
END_TEST

static void short_body(struct config *config)
{
    far(config);
    config->body_timeout_ms = SHORT_MS;
}

START_TEST(a_dripped_body_ends_at_its_deadline)
{
    start(short_body);
    drip("POST /v1/rope HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
         "Content-Length: 100000\r\n\r\n",
         ' ');
    expect_end_at(SHORT_MS);
}
END_TEST

/* The client has a second until its first bytes must be there. */
static void moving_body(struct config *config)
{
    far(config);
    config->body_timeout_ms = MOVING_MS;
}

START_TEST(a_body_that_moves_on_has_the_time_it_needs)
{
    enum { SIZE = 1000000, FIRST = 16, LAST = 2 };
    static const char head[] =
        "POST /v1/sinusoidal?format=raw HTTP/1.1\r\nHost: x\r\n"
        "Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n";
    static char body[SIZE + 1];
    struct pollfd end;

    start(moving_body);
    end = (struct pollfd){.fd = http_client_fd(client), .events = POLLIN};
    memcpy(body, "{\"dim\":2,\"pos\":[", FIRST);
    for (size_t at = FIRST; at < SIZE - LAST; at++)
        body[at] = at % 2 ? '1' : ',';
    body[FIRST] = '1'; /* [11,1,1, ... 1] */
    memcpy(body + SIZE - LAST, "]}", LAST);
    http_client_send(client, head, sizeof head - 1);
    http_client_send(client, body, SIZE - LAST); /* the bytes of 15 s at 64 KiB/s */
    ck_assert_int_eq(poll(&end, 1, MOVING_MS + SHORT_MS), 0);
    http_client_send(client, body + SIZE - LAST, LAST);
    http_client_read(client, &answer, false, NULL, NULL);
    ck_assert_int_eq(answer.status, 200);
}
END_TEST

static void short_idle(struct config *config)
{
    far(config);
    config->idle_timeout_ms = SHORT_MS;
}

START_TEST(between_requests_the_idle_clock_runs)
{
    start(short_idle);
    http_client_get(client, &answer, "/livez");
    ck_assert_int_eq(answer.status, 200);
    drip("", 'G');
    expect_end_at(SHORT_MS);
}
END_TEST

START_TEST(a_client_that_asks_and_leaves_is_closed_before_any_deadline)
{
    uint64_t from;

    start(far);
    from = now_ms();
    http_client_send(client, "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n", 32);
    shutdown(http_client_fd(client), SHUT_WR);
    http_client_read(client, &answer, false, NULL, NULL);
    ck_assert_int_eq(answer.status, 200);
    ck_assert(http_client_closed(client));
    ck_assert_uint_lt(now_ms() - from, LONG_MS / 2);
}
END_TEST

START_TEST(a_client_that_leaves_within_a_body_is_closed_before_any_deadline)
{
    static const char part[] = "POST /v1/sinusoidal HTTP/1.1\r\nHost: x\r\n"
                               "Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{";
    uint64_t from;

    start(far);
    from = now_ms();
    http_client_send(client, part, sizeof part - 1);
    shutdown(http_client_fd(client), SHUT_WR);
    ck_assert(http_client_closed(client));
    ck_assert_uint_lt(now_ms() - from, LONG_MS / 2);
}
END_TEST

static void short_send(struct config *config)
{
    far(config);
    config->send_timeout_ms = SHORT_MS;
}

/* The send buffer of the socket is small, so that 64 KiB do not fit. */
START_TEST(a_reader_that_does_not_read_ends_at_the_send_deadline)
{
    static const char request[] =
        "GET /v1/sinusoidal?dim=128&pos=0:128&format=raw HTTP/1.1\r\nHost: x\r\n\r\n";
    const struct sockaddr local = {.sa_family = AF_UNIX};
    const int little = 4096;
    struct pollfd end;
    int pair[2];

    start(short_send);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &little, sizeof little);
    end = (struct pollfd){.fd = pair[0], .events = 0};
    loop_give(service->loops[0], pair[1], &local, sizeof local.sa_family, LISTENER_KIND_PUBLIC);
    begun = now_ms();
    ck_assert_int_gt(send(pair[0], request, sizeof request - 1, MSG_NOSIGNAL), 0);
    while (poll(&end, 1, LONG_MS) != 1 || !(end.revents & POLLHUP))
        ck_assert_uint_lt(now_ms() - begun, LONG_MS);
    expect_end_at(SHORT_MS + 1000); /* 64 KiB at 64 KiB/s */
    close(pair[0]);
}
END_TEST

START_TEST(pressure_closes_connections_after_their_answer)
{
    start(far);
    http_client_get(client, &answer, "/livez");
    ck_assert_ptr_null(http_answer_header(&answer, "Connection"));
    overload();
    http_client_get(client, &answer, "/livez");
    ck_assert_int_eq(answer.status, 200);
    ck_assert_str_eq(http_answer_header(&answer, "Connection"), "close");
    ck_assert(http_client_closed(client));
}
END_TEST

/* ---- computed deadlines ------------------------------------------------------------------ */

enum { SINCE_MS = 1000000 };

/* A connection that no daemon knows; it has been in this phase since SINCE_MS. */
static struct connection imagine(enum connection_phase phase, uint64_t requests)
{
    return (struct connection){.loop = service->loops[0],
                               .fd = -1,
                               .phase = phase,
                               .requests = requests,
                               .since_ms = SINCE_MS,
                               .deadline_ms = SINCE_MS + LONG_MS};
}

/* A post that tells the loop's thread how many seconds' bytes the reader has taken. */
struct reading {
    struct loop_post post; /* first: a post is cast to its reading */
    struct connection reader;
    uint64_t seconds;
    uv_sem_t done;
};

static void progress(struct loop_post *post)
{
    struct reading *reading = (struct reading *)(void *)post;

    connection_progress(&reading->reader, reading->seconds << 16);
    uv_sem_post(&reading->done);
}

START_TEST(a_steady_reader_of_64_kib_a_second_has_always_ten_seconds_left)
{
    struct reading reading = {.post = {.fn = progress}};

    start(NULL);
    reading.reader = imagine(PHASE_SEND, 0);
    ck_assert_int_eq(uv_sem_init(&reading.done, 0), 0);
    for (reading.seconds = 0; reading.seconds < 1000; reading.seconds += 100) {
        loop_post(service->loops[0], &reading.post);
        uv_sem_wait(&reading.done);
        ck_assert_uint_eq(reading.reader.deadline_ms, SINCE_MS + (reading.seconds + 10) * 1000);
    }
    uv_sem_destroy(&reading.done);
}
END_TEST

START_TEST(a_steady_writer_of_32_kib_a_second_has_always_ten_seconds_left)
{
    struct connection writer;

    start(NULL);
    writer = imagine(PHASE_BODY, 0);
    for (uint64_t seconds = 1; seconds < 100; seconds++) {
        connection_received(&writer, 1 << 15);
        ck_assert_uint_eq(writer.deadline_ms, SINCE_MS + (seconds + 10) * 1000);
    }
}
END_TEST

START_TEST(under_overload_an_idle_connection_has_five_seconds_left)
{
    struct connection idle, fresh, busy;

    start(far);
    idle = imagine(PHASE_HEAD, 1);
    connection_shorten_idle(&idle, SINCE_MS);
    ck_assert_uint_eq(idle.deadline_ms, SINCE_MS + LONG_MS);
    overload();
    fresh = imagine(PHASE_HEAD, 0);
    busy = imagine(PHASE_SEND, 1);
    connection_shorten_idle(&idle, SINCE_MS);
    connection_shorten_idle(&fresh, SINCE_MS);
    connection_shorten_idle(&busy, SINCE_MS);
    ck_assert_uint_eq(idle.deadline_ms, SINCE_MS + 5000);
    ck_assert_uint_eq(fresh.deadline_ms, SINCE_MS + LONG_MS); /* its first head is to come */
    ck_assert_uint_eq(busy.deadline_ms, SINCE_MS + LONG_MS);
    connection_shorten_idle(&idle, SINCE_MS + 400); /* the deadline moves only once */
    ck_assert_uint_eq(idle.deadline_ms, SINCE_MS + 5000);
}
END_TEST

START_TEST(the_ten_thousandth_answer_is_the_last)
{
    start(NULL);
    for (int i = 1; i < 10000; i++) {
        http_client_get(client, &answer, "/livez");
        ck_assert_int_eq(answer.status, 200);
        ck_assert_ptr_null(http_answer_header(&answer, "Connection"));
    }
    http_client_get(client, &answer, "/livez");
    ck_assert_str_eq(http_answer_header(&answer, "Connection"), "close");
    ck_assert(http_client_closed(client));
}
END_TEST

static void short_age(struct config *config)
{
    far(config);
    config->max_connection_age_ms = SHORT_MS;
}

START_TEST(an_answer_of_an_old_connection_closes_it_and_is_whole)
{
    const char *closes;

    start(short_age);
    do { /* without a wait it could have ten thousand answers first, which close it too */
        poll(NULL, 0, 1);
        http_client_get(client, &answer, "/livez");
        ck_assert_int_eq(answer.status, 200);
        closes = http_answer_header(&answer, "Connection");
    } while (!closes);
    ck_assert_str_eq(closes, "close");
    expect_end_at(SHORT_MS * 9 / 10);
    ck_assert(http_client_closed(client));
}
END_TEST

START_TEST(an_old_connection_is_not_closed_while_it_is_idle)
{
    struct pollfd end = {.events = POLLIN};

    start(short_age);
    http_client_get(client, &answer, "/livez");
    while (http_answer_header(&answer, "Connection")) { /* it was old before its first answer */
        http_client_free(client);
        client = http_client_new(service_port(service, 0));
        http_client_get(client, &answer, "/livez");
    }
    end.fd = http_client_fd(client);
    ck_assert_int_eq(poll(&end, 1, 2 * SHORT_MS), 0); /* the time is what is tried */
    http_client_get(client, &answer, "/livez");
    ck_assert_int_eq(answer.status, 200);
    ck_assert_str_eq(http_answer_header(&answer, "Connection"), "close");
}
END_TEST

static const struct suite_test tests[] = {
    TEST(an_answer_of_an_old_connection_closes_it_and_is_whole),
    TEST(an_old_connection_is_not_closed_while_it_is_idle),
    TEST(a_dripped_head_ends_at_its_deadline),
    TEST(a_silent_client_ends_at_the_same_deadline),
    TEST(a_dripped_body_ends_at_its_deadline),
    TEST(a_body_that_moves_on_has_the_time_it_needs),
    TEST(between_requests_the_idle_clock_runs),
    TEST(a_client_that_asks_and_leaves_is_closed_before_any_deadline),
    TEST(a_client_that_leaves_within_a_body_is_closed_before_any_deadline),
    TEST(a_reader_that_does_not_read_ends_at_the_send_deadline),
    TEST(pressure_closes_connections_after_their_answer),
    TEST(a_steady_reader_of_64_kib_a_second_has_always_ten_seconds_left),
    TEST(a_steady_writer_of_32_kib_a_second_has_always_ten_seconds_left),
    TEST(under_overload_an_idle_connection_has_five_seconds_left),
    TEST(the_ten_thousandth_answer_is_the_last),
};

const struct suite connection_suite = {SUITE_TESTS(tests), .teardown = stop, .timeout = 60};
