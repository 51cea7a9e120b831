/* SPDX-License-Identifier: Apache-2.0
 * test_load_shedding.c - memory is counted by peer, and the right connections are ended when
 * others want it. lint: long, because all tests share the service and the announced bodies. */
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "server/cache/cache.h"
#include "server/net/body_budget.h"
#include "server/net/inflight.h"
#include "server/net/loop.h"
#include "server/net/peers.h"
#include "server/service.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"
#include "tests/support/visit.h"

enum { SHARE = 1 << 20, OWN = SHARE / 8, MANY = 10 };
enum { ROW = 256, SHORT = OWN / ROW, LONG = SHARE / ROW };

static struct visit visit;
static struct http_client *clients[MANY];
static char zeros[SHARE];
static int ends[2]; /* client ends of connections given to loops 0 and 1 */
static pthread_barrier_t held, released;

static void adjust(struct config *config)
{
    config->max_inflight = 2 * SHARE;
    config->peer = CONFIG_PEER_CONNECTION;
    config->max_body = SHARE;
    config->threads = 1;
    config->body_timeout_ms = 600000;
}

static void end(void)
{
    for (int i = 0; i < MANY; i++) {
        http_client_free(clients[i]);
        clients[i] = NULL;
    }
    while (body_budget_held(visit.service->bodies) > 0)
        sched_yield();
    visit_end(&visit);
}

/* Client i announces a body of `rows` vectors and sends `sent` bytes of it. header: a line, or
 * "". */
static void announce(int i, int rows, size_t sent, const char *header)
{
    char head[400];
    int len = snprintf(head, sizeof head,
                       "POST /v1/rope/apply?pos=0:%d&in_dtype=f32&shape=%d,64&format=raw "
                       "HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\n"
                       "%sContent-Length: %d\r\n\r\n",
                       rows, rows, header, rows * ROW);

    clients[i] = http_client_new(served_port(visit.service));
    http_client_send(clients[i], head, (size_t)len);
    http_client_send(clients[i], zeros, sent);
}

static void await_held(uint64_t bytes)
{
    while (body_budget_held(visit.service->bodies) != bytes)
        sched_yield();
}

/* Sends the last byte of client i and reads the response, whose status it returns. */
static int finish(int i)
{
    http_client_send(clients[i], zeros, 1);
    http_client_read(clients[i], &visit.answer, false, NULL, NULL);
    return visit.answer.status;
}

static void expect_told(int i, const char *detail)
{
    http_client_read(clients[i], &visit.answer, false, NULL, NULL);
    ck_assert_int_eq(visit.answer.status, 503);
    ck_assert_msg(strstr(visit.answer.body, detail) != NULL, "%s", visit.answer.body);
    ck_assert_str_eq(http_answer_header(&visit.answer, "Retry-After"), "1");
}

/* The page of metrics holds its bytes until its exchange ends, a moment after it was read. */
static void await_used(uint64_t bytes)
{
    while (inflight_used(visit.service) != bytes)
        sched_yield();
}

START_TEST(what_a_body_announces_takes_nothing_before_it_comes)
{
    visit_begin(&visit, adjust);
    for (int i = 0; i < MANY; i++)
        announce(i, LONG, 0, "");
    ck_assert(served_metric_becomes(visit.service, "posencd_http_inflight_requests", MANY + 1));
    await_used(0);
    http_client_get(visit.client, &visit.answer, "/v1/sinusoidal?dim=64&pos=0:64&format=raw");
    ck_assert_int_eq(visit.answer.status, 200);
    http_client_send(clients[3], zeros, SHARE - 1);
    ck_assert_int_eq(finish(3), 200);
    ck_assert_uint_eq(visit.answer.len, SHARE);
    end();
}
END_TEST

START_TEST(a_client_above_an_eighth_gives_way_to_smaller_ones)
{
    visit_begin(&visit, adjust);
    announce(0, LONG, SHARE - 1, "");
    await_held(SHARE);
    for (int i = 1; i <= 4; i++)
        announce(i, SHORT, OWN - 1, "");
    expect_told(0, "other clients want the memory that this body holds; try again");
    await_held(4 * OWN);
    for (int i = 1; i <= 4; i++)
        ck_assert_int_eq(finish(i), 200);
    end();
}
END_TEST

START_TEST(where_all_have_an_eighth_the_slowest_gives_way)
{
    visit_begin(&visit, adjust);
    for (int i = 0; i < 8; i++) {
        announce(i, SHORT, OWN - 1 - (i == 5 ? 1000 : 0), ""); /* client 5 is the slowest */
        await_held((uint64_t)(i + 1) * OWN);
    }
    announce(8, SHORT, OWN - 1, "");
    expect_told(8, "too many bodies in memory; try again");
    expect_told(5, "other clients want the memory that this body holds; try again");
    announce(9, SHORT, OWN - 1, "");
    ck_assert_int_eq(finish(9), 200);
    ck_assert_int_eq(finish(0), 200);
    end();
}
END_TEST

START_TEST(a_body_that_needs_more_than_all_bodies_have_is_413)
{
    static char text[SHARE / 2];

    memset(text, '0', sizeof text - 1);
    for (size_t i = 1; i < sizeof text; i += 2)
        text[i] = ',';
    memcpy(text, "{\"pos\":[", 8);
    text[sizeof text - 1] = '\0';
    visit_begin(&visit, adjust);
    http_client_request(visit.client, "POST", "/v1/rope", "Content-Type: application/json\r\n",
                        text);
    http_client_read(visit.client, &visit.answer, false, NULL, NULL);
    ck_assert_int_eq(visit.answer.status, 413);
    visit_expect_in_body(&visit, "the numbers of this body take more memory than bodies have");
    end();
}
END_TEST

START_TEST(bodies_above_an_eighth_give_way_to_answers_without_budget)
{
    static const char miss[] = "/v1/sinusoidal?dim=64&pos=0:64&format=raw";

    visit_begin(&visit, adjust);
    announce(0, LONG, SHARE - 1, "");
    await_held(SHARE);
    ck_assert(inflight_reserve(visit.service, SHARE));
    expect_told(0, "other clients want the memory that this body holds; try again");
    while (atomic_load(&visit.service->overload_level) > 0)
        sched_yield();
    http_client_get(visit.client, &visit.answer, miss);
    ck_assert_int_eq(visit.answer.status, 200);
    inflight_release(visit.service, SHARE);
    end();
}
END_TEST

/* ---- several loops -------------------------------------------------------------------- */

static void two_loops(struct config *config)
{
    adjust(config);
    config->threads = 2;
}

/* Client i, on loop i, announces a body of half the share and sends all but its last byte. */
static void announce_on_loop(int i, const char *more)
{
    const struct sockaddr local = {.sa_family = AF_UNIX};
    char head[300];
    int pair[2],
        len = snprintf(head, sizeof head,
                       "POST /v1/rope/apply?pos=0:%d&in_dtype=f32&shape=%d,64&format=raw "
                       "HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\n"
                       "%sContent-Length: %d\r\n\r\n",
                       LONG / 2, LONG / 2, more, SHARE / 2);

    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    loop_give(visit.service->loops[i], pair[1], &local, sizeof local.sa_family,
              LISTENER_KIND_PUBLIC);
    ck_assert_int_eq((int)send(pair[0], head, (size_t)len, MSG_NOSIGNAL), len);
    for (int sent = 0; sent < SHARE / 2 - 1;) {
        ssize_t got = send(pair[0], zeros, (size_t)(SHARE / 2 - 1 - sent), MSG_NOSIGNAL);

        ck_assert_int_gt(got, 0);
        sent += (int)got;
    }
    ends[i] = pair[0];
}

static void hold_loop(struct loop_post *post)
{
    pthread_barrier_wait(&held);
    pthread_barrier_wait(&released);
}

/* Holds both loops until their next tick is due, so that they shed at the same moment. */
static void look_at_one_moment(void)
{
    static struct loop_post posts[2];
    uint64_t begun = uv_hrtime();

    for (int i = 0; i < 2; i++) {
        posts[i].fn = hold_loop;
        loop_post(visit.service->loops[i], &posts[i]);
    }
    pthread_barrier_wait(&held);
    body_budget_want(visit.service->bodies, OWN);
    while (uv_hrtime() - begun < 110000000)
        sched_yield();
    pthread_barrier_wait(&released);
}

START_TEST(loops_that_look_at_one_moment_cut_off_no_more_than_is_wanted)
{
    visit_begin(&visit, two_loops);
    pthread_barrier_init(&held, NULL, 3);
    pthread_barrier_init(&released, NULL, 3);
    for (int round = 0; round < 10; round++) {
        announce_on_loop(0, "");
        announce_on_loop(1, "");
        await_held(SHARE);
        look_at_one_moment();
        while (body_budget_wanted(visit.service->bodies) > 0)
            sched_yield();
        ck_assert_uint_ge(body_budget_held(visit.service->bodies), SHARE / 2);
        close(ends[0]);
        close(ends[1]);
        await_held(0);
    }
    end(); /* the loops are out of the barriers */
    pthread_barrier_destroy(&held);
    pthread_barrier_destroy(&released);
}
END_TEST

/* ---- answers ------------------------------------------------------------------------- */

/* A client is slow after a second; the timeout of the suite ends the wait for it. */
static void await_metric(const char *sample, double value)
{
    while (served_metric(visit.service, sample) < value)
        sched_yield();
}

START_TEST(readers_that_do_not_read_are_reset_so_that_others_are_served)
{
    enum { READERS = 7 }; /* 3 of 320 KiB and 4 of 128 KiB hold more than 11/16 of 2 MiB */
    static const char stream[] = "/v1/rope?pos=0:8000000&dim=128&out=sin&format=raw";
    char some[12];

    visit_begin(&visit, adjust);
    for (int i = 0; i < READERS; i++) {
        clients[i] = http_client_new(served_port(visit.service));
        http_client_request(clients[i], "GET", stream, NULL, NULL);
        ck_assert_int_eq((int)http_client_receive(clients[i], some, 12, MSG_WAITALL), 12);
        ck_assert_mem_eq(some, "HTTP/1.1 200", 12);
    }
    await_metric("posencd_rejected_total{reason=\"slow_reader\"}", 1);
    while (inflight_used(visit.service) > 2 * SHARE / 16 * 11)
        sched_yield();
    ck_assert_uint_eq(inflight_excess(visit.service), 0);
    ck_assert_uint_ge(inflight_used(visit.service), 2 * SHARE / 2);
    int reset = 0;
    /* A socket is closed when its answer has given its bytes back: the first may be late. */
    for (int i = 0; i < READERS; i = reset == 0 ? (i + 1) % READERS : i + 1) {
        struct pollfd ends_of = {.fd = http_client_fd(clients[i])};

        reset += poll(&ends_of, 1, 0) > 0 && (ends_of.revents & POLLERR) != 0;
    }
    ck_assert_int_lt(reset, READERS);
    end();
}
END_TEST

/* Bytes beyond their share are held all the time, but the only client that has any reads. */
START_TEST(a_client_that_reads_at_full_speed_is_never_cut_off)
{
    enum { ROWS = 8000, BYTES = ROWS * 64 * 4, LONG_NS = 1500000000 };
    static const char stream[] = "/v1/rope?pos=0:8000&dim=128&out=sin&format=raw";
    uint64_t begun = uv_hrtime();

    visit_begin(&visit, adjust);
    inflight_begin_send(visit.service, 4 * SHARE);
    while (uv_hrtime() - begun < LONG_NS) {
        http_client_get(visit.client, &visit.answer, stream);
        ck_assert_int_eq(visit.answer.status, 200);
        ck_assert_uint_eq(visit.answer.len, BYTES);
    }
    inflight_end_send(visit.service, 4 * SHARE);
    ck_assert_int_eq(
        (int)served_metric(visit.service, "posencd_rejected_total{reason=\"slow_reader\"}"), 0);
    end();
}
END_TEST

static void await_look(void)
{
    for (int i = 0; i < 2; i++) {
        uint64_t before = loop_heartbeat_ms(visit.service->loops[0]);

        while (loop_heartbeat_ms(visit.service->loops[0]) == before)
            sched_yield();
    }
}

/* A 416 needs the length of the answer, but holds none of its bytes. */
START_TEST(a_client_that_reads_no_416_holds_nothing_of_the_answer)
{
    enum { PIPELINED = 100 };
    static const char target[] = "/v1/sinusoidal?dim=64&pos=0:64&format=raw";
    char ask[160];
    int fd, len;

    visit_begin(&visit, adjust);
    for (int i = 0; i < 3; i++) /* puts the answer into the loop's response cache */
        http_client_get(visit.client, &visit.answer, target);
    len = snprintf(ask, sizeof ask,
                   "GET %s HTTP/1.1\r\nHost: a\r\nRange: bytes=999999-\r\n\r\n", target);
    fd = visit_connect_narrow(&visit);
    for (int i = 0; i < PIPELINED; i++)
        ck_assert_int_eq((int)send(fd, ask, (size_t)len, MSG_NOSIGNAL), len);
    ck_assert(served_metric_becomes(visit.service, "posencd_http_inflight_requests", 2));
    ck_assert_uint_gt(cache_shrink(visit.service->cache, 1), 0);
    while (cache_lent(visit.service->cache) > 0) /* until the response cache drops the answer */
        sched_yield();
    inflight_begin_send(visit.service, 2 * SHARE);
    await_look();
    inflight_end_send(visit.service, 2 * SHARE);
    ck_assert_int_eq((int)recv(fd, ask, 12, MSG_WAITALL), 12);
    ck_assert_mem_eq(ask, "HTTP/1.1 416", 12);
    ck_assert_int_eq(
        (int)served_metric(visit.service, "posencd_rejected_total{reason=\"slow_reader\"}"), 0);
    close(fd);
    end();
}
END_TEST

/* ---- peers --------------------------------------------------------------------------- */

#define KEY(TEXT) "Authorization: Bearer " TEXT "\r\n"

static struct scratch *scratch;

static void with_keys(struct config *config)
{
    adjust(config);
    config->api_keys_file = scratch_path(scratch, "keys");
}

START_TEST(all_connections_with_one_key_are_one_peer)
{
    scratch = scratch_new();
    scratch_write(scratch, "keys", "one-0123456789abcdef\ntwo-0123456789abcdef\n");
    visit_begin(&visit, with_keys);
    for (int i = 0; i < 8; i++)
        announce(i, SHORT, OWN - 1, KEY("one-0123456789abcdef"));
    await_held(SHARE);
    announce(8, SHORT, OWN - 1, KEY("one-0123456789abcdef"));
    expect_told(8, "too many bodies in memory; try again");
    announce(9, SHORT, OWN - 1, KEY("two-0123456789abcdef"));
    ck_assert_int_eq(finish(9), 200);
    end();
    scratch_free(scratch);
}
END_TEST

static void by_address(struct config *config)
{
    adjust(config);
    config->peer = CONFIG_PEER_ADDRESS;
}

START_TEST(all_connections_from_one_address_are_one_peer)
{
    visit_begin(&visit, by_address);
    for (int i = 0; i < 8; i++)
        announce(i, SHORT, OWN - 1, "");
    await_held(SHARE);
    announce(8, SHORT, OWN - 1, "");
    expect_told(8, "too many bodies in memory; try again");
    ck_assert_uint_eq(body_budget_wanted(visit.service->bodies),
                      0); /* no peer has to give bytes back for it */
    ck_assert_int_eq(finish(0), 200);
    end();
}
END_TEST

/* A reservation of a body that --max-inflight refuses does not count as bytes given back. */
START_TEST(a_body_without_budget_leaves_what_other_requests_need)
{
    struct peer peers[11] = {{.number = 0}};
    struct inflight_body body = {.peer = &peers[10]};
    struct body_budget *bodies;

    visit_begin(&visit, adjust);
    bodies = visit.service->bodies;
    for (uint64_t peer = 1; peer <= 7; peer++)
        ck_assert(body_budget_take(bodies, &peers[peer], OWN));
    ck_assert(!body_budget_take(bodies, &peers[8], OWN + 1));
    ck_assert(body_budget_take(bodies, &peers[8], OWN / 2));
    ck_assert(!body_budget_take(bodies, &peers[9], OWN));
    ck_assert(body_budget_are_crowded(bodies));
    ck_assert(inflight_reserve(visit.service, 2 * SHARE - body_budget_held(bodies)));
    ck_assert(!inflight_reserve_body(visit.service, &body, 16));
    ck_assert(body_budget_are_crowded(bodies));
    ck_assert_uint_ge(body_budget_wanted(bodies), OWN);
    inflight_release(visit.service, 2 * SHARE - body_budget_held(bodies));
    for (uint64_t peer = 1; peer <= 8; peer++)
        body_budget_give_back(bodies, &peers[peer], peer < 8 ? OWN : OWN / 2);
    ck_assert(!body_budget_are_crowded(bodies));
    end();
}
END_TEST

/* Some streams wait for the pool when they are cut off, and the loop sheds again meanwhile. */
START_TEST(what_readers_held_that_were_cut_off_is_counted_once)
{
    static const char stream[] =
        "/v1/sandwich?dim=64&heads=8&score_form=paper&format=raw&k=0:7999,9000&q=0:8000";
    char some[12];

    visit_begin(&visit, adjust);
    for (int i = 0; i < 3; i++) {
        clients[i] = http_client_new(served_port(visit.service));
        http_client_request(clients[i], "GET", stream, NULL, NULL);
        ck_assert_int_eq((int)http_client_receive(clients[i], some, 12, MSG_WAITALL), 12);
        ck_assert_mem_eq(some, "HTTP/1.1 200", 12);
    }
    inflight_begin_send(visit.service, 4 * SHARE);
    await_metric("posencd_rejected_total{reason=\"slow_reader\"}", 3);
    while (atomic_load(&visit.service->leaving_bytes) > 0)
        sched_yield();
    inflight_end_send(visit.service, 4 * SHARE);
    ck_assert_uint_eq(atomic_load(&visit.service->leaving_bytes), 0);
    await_used(0);
    ck_assert_uint_eq(atomic_load(&visit.service->sending_bytes), 0);
    end();
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_body_without_budget_leaves_what_other_requests_need),
    TEST(what_readers_held_that_were_cut_off_is_counted_once),
    TEST(what_a_body_announces_takes_nothing_before_it_comes),
    TEST(a_client_above_an_eighth_gives_way_to_smaller_ones),
    TEST(where_all_have_an_eighth_the_slowest_gives_way),
    TEST(a_body_that_needs_more_than_all_bodies_have_is_413),
    TEST(bodies_above_an_eighth_give_way_to_answers_without_budget),
    TEST(loops_that_look_at_one_moment_cut_off_no_more_than_is_wanted),
    TEST(readers_that_do_not_read_are_reset_so_that_others_are_served),
    TEST(a_client_that_reads_at_full_speed_is_never_cut_off),
    TEST(a_client_that_reads_no_416_holds_nothing_of_the_answer),
    TEST(all_connections_with_one_key_are_one_peer),
    TEST(all_connections_from_one_address_are_one_peer),
};

const struct suite load_shedding_suite = {SUITE_TESTS(tests), .timeout = 30};
