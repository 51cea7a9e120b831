/* SPDX-License-Identifier: Apache-2.0
 * test_lingering.c - a connection that is over stays open while its client still sends: until
 * the client closes, its time or its bytes are used up, or a newer one takes its place. */
#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "server/net/lingering.h"
#include "server/net/peers.h"
#include "server/net/socket_poll.h"
#include "server/service.h"
#include "tests/support/epoll_fail.h"
#include "tests/support/suite.h"

enum { FAR_MS = 600000, NEAR_MS = 50, ALARM_MS = 1000, PLACES = 2 };

static struct service service;
static struct peer whose;
static struct socket_poll *sockets;
static struct lingering *lingering;
static uv_loop_t uv;
static uv_timer_t alarm_timer; /* UV_RUN_ONCE returns, though its timers closed the last one */
static int pair[2];            /* the server's socket, the client's socket */
static int gone;               /* calls of on_gone */
static struct peer *gone_peer;

static void on_gone(void *context, struct peer *peer)
{
    ck_assert_ptr_eq(context, &service);
    gone++;
    gone_peer = peer;
}

static void on_alarm(uv_timer_t *timer)
{
    (void)timer;
}

static void start_with(uint64_t ms, size_t places)
{
    gone = 0;
    service = (struct service){.config.max_connections = PLACES * LINGERING_SHARE,
                               .config.max_body = 1 << 20};
    ck_assert_int_eq(uv_loop_init(&uv), 0);
    ck_assert_int_eq(uv_timer_init(&uv, &alarm_timer), 0);
    ck_assert_int_eq(uv_timer_start(&alarm_timer, on_alarm, ALARM_MS, ALARM_MS), 0);
    sockets = socket_poll_new(&uv, LINGERING_READS);
    ck_assert_ptr_nonnull(sockets);
    lingering = lingering_new(&service, sockets, ms, places, on_gone, &service);
    ck_assert_ptr_nonnull(lingering);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
}

static void start(void)
{
    start_with(FAR_MS, SIZE_MAX);
}

static void stop(void)
{
    if (lingering)
        lingering_free(lingering);
    socket_poll_free(sockets);
    uv_close((uv_handle_t *)&alarm_timer, NULL);
    uv_run(&uv, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&uv), 0);
    ck_assert_uint_eq(atomic_load(&service.lingering), 0);
    close(pair[1]);
}

/* Hands the socket to lingering and closes it in any case, as its owner does. */
static bool keep(bool unfinished)
{
    bool kept = lingering_keep(lingering, pair[0], &whose, unfinished);

    close(pair[0]);
    return kept;
}

static void wait_until_gone(int count)
{
    while (gone < count)
        uv_run(&uv, UV_RUN_ONCE);
    ck_assert_int_eq(gone, count);
}

START_TEST(a_client_that_has_closed_is_not_waited_for)
{
    shutdown(pair[1], SHUT_WR);
    ck_assert(!keep(true));
}
END_TEST

START_TEST(a_client_that_has_sent_all_is_not_waited_for)
{
    ck_assert(!keep(false));
}
END_TEST

START_TEST(unread_bytes_keep_the_connection)
{
    ck_assert_int_eq(send(pair[1], "x", 1, 0), 1);
    ck_assert(keep(false));
    shutdown(pair[1], SHUT_WR);
    wait_until_gone(1);
    ck_assert_ptr_eq(gone_peer, &whose);
}
END_TEST

/* Sends so many bytes, or fewer if the connection is cut off before. */
static size_t send_bytes(size_t most)
{
    static char block[65536];
    size_t sent = 0;

    while (sent < most && gone == 0) {
        ssize_t len = send(pair[1], block, sizeof block, MSG_NOSIGNAL);

        if (len > 0)
            sent += (size_t)len;
        else
            uv_run(&uv, UV_RUN_ONCE);
    }
    return sent;
}

START_TEST(bytes_of_a_client_are_dropped_until_it_closes)
{
    char byte;

    ck_assert(keep(true));
    ck_assert_int_eq(recv(pair[1], &byte, 1, 0), 0); /* the client sees the end at once */
    ck_assert_uint_ge(send_bytes(32 << 20), 32 << 20);
    ck_assert_int_eq(gone, 0);
    shutdown(pair[1], SHUT_WR);
    wait_until_gone(1);
}
END_TEST

START_TEST(a_client_that_never_ends_is_cut_off_at_64_mib)
{
    size_t sent;

    ck_assert(keep(true));
    sent = send_bytes(SIZE_MAX);
    ck_assert_uint_ge(sent, 64 << 20);
    ck_assert_uint_lt(sent, 66 << 20); /* the kernel buffers some bytes more */
}
END_TEST

START_TEST(a_silent_client_is_cut_off_at_its_deadline)
{
    uint64_t begun;

    start_with(NEAR_MS, SIZE_MAX);
    begun = uv_now(&uv);
    ck_assert(keep(true));
    wait_until_gone(1);
    ck_assert_uint_ge(uv_now(&uv) - begun, NEAR_MS);
}
END_TEST

/* Of one connection more than `most`, the first is ended and all others linger. */
static void crowd(int most)
{
    int clients[PLACES + 1];
    char byte = 0;

    for (int i = 0; i <= most; i++) {
        ck_assert_int_eq(gone, 0);
        ck_assert_int_eq((int)atomic_load(&service.lingering), i);
        ck_assert(keep(true));
        clients[i] = pair[1];
        ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
    }
    ck_assert_int_eq(gone, 1);
    ck_assert_int_eq((int)atomic_load(&service.lingering), most);
    ck_assert_int_lt(send(clients[0], &byte, 1, MSG_NOSIGNAL), 0);
    for (int i = 1; i <= most; i++)
        ck_assert_int_eq(send(clients[i], &byte, 1, MSG_NOSIGNAL), 1);
    for (int i = 0; i <= most; i++)
        close(clients[i]);
    close(pair[0]);
}

START_TEST(at_the_limit_the_oldest_lingering_connection_is_closed)
{
    crowd(PLACES);
}
END_TEST

START_TEST(a_thread_may_have_fewer_places_than_all)
{
    start_with(FAR_MS, PLACES - 1);
    crowd(PLACES - 1);
}
END_TEST

START_TEST(when_the_share_is_used_elsewhere_no_connection_lingers)
{
    atomic_store(&service.lingering, PLACES);
    ck_assert(!keep(true));
    atomic_store(&service.lingering, 0);
}
END_TEST

START_TEST(a_connection_that_the_kernel_does_not_watch_is_closed)
{
    char byte = 0;

    epoll_fail_set(ENOSPC);
    ck_assert(!keep(true));
    epoll_fail_set(0);
    ck_assert_uint_eq(atomic_load(&service.lingering), 0);
    ck_assert_int_lt(send(pair[1], &byte, 1, MSG_NOSIGNAL), 0);
}
END_TEST

/* ---- many at once ------------------------------------------------------------------------ */

enum { MANY = 2 * LINGERING_READS + 5 }; /* fewer than a multiple of those in an iteration */

static struct sending {
    int client, server; /* `server` is another descriptor of the socket that lingers */
    int unread;         /* bytes that have arrived */
} sending[MANY];

static int unread_of(const struct sending *one)
{
    int bytes = 0;

    ck_assert_int_eq(ioctl(one->server, FIONREAD, &bytes), 0);
    return bytes;
}

/* Has many connections linger, whose clients have sent as much as their sockets take. */
static void linger_many(void)
{
    static const char block[4096];

    service.config.max_connections = MANY * LINGERING_SHARE;
    for (int i = 0; i < MANY; i++) {
        struct sending *one = &sending[i];

        one->client = pair[1];
        one->server = dup(pair[0]);
        while (send(one->client, block, sizeof block, MSG_NOSIGNAL) > 0)
            ;
        one->unread = unread_of(one);
        ck_assert_int_gt(one->unread, LINGERING_READ_BYTES);
        ck_assert(keep(true));
        ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
    }
}

static void end_many(void)
{
    close(pair[0]);
    for (int i = 0; i < MANY; i++) {
        close(sending[i].client);
        close(sending[i].server);
    }
}

/* Every connection is read once before any is read twice. */
START_TEST(in_an_iteration_few_connections_are_read_once_each_and_all_take_turns)
{
    int sum = 0, most = 0;

    linger_many();
    for (; sum < MANY; sum = most) {
        uv_run(&uv, UV_RUN_NOWAIT);
        most = most + LINGERING_READS < MANY ? most + LINGERING_READS : MANY;
        sum = 0;
        for (int i = 0; i < MANY; i++) {
            const int dropped = sending[i].unread - unread_of(&sending[i]);

            ck_assert_int_le(dropped,
                             most < MANY ? LINGERING_READ_BYTES : 2 * LINGERING_READ_BYTES);
            sum += dropped > 0;
        }
        ck_assert_int_eq(sum, most);
    }
    ck_assert_int_eq(gone, 0);
    end_many();
}
END_TEST

START_TEST(connections_whose_time_is_over_are_closed_in_turns)
{
    start_with(NEAR_MS, SIZE_MAX);
    linger_many();
    for (int before = 0; gone < MANY; before = gone) {
        uv_run(&uv, UV_RUN_NOWAIT); /* UV_RUN_ONCE may run timers twice */
        ck_assert_int_le(gone - before, LINGERING_CLOSES);
    }
    end_many();
}
END_TEST

/* No timer wakes the loop before the deadline. */
START_TEST(a_silent_client_costs_no_iteration_of_the_loop)
{
    int turns = 0;

    start_with(NEAR_MS, SIZE_MAX);
    ck_assert(keep(true));
    for (; gone == 0; turns++)
        uv_run(&uv, UV_RUN_ONCE);
    ck_assert_int_le(turns, 2); /* one at the deadline, one more if libuv rounds it down */
}
END_TEST

START_TEST(the_end_closes_lingering_connections)
{
    char byte = 0;

    ck_assert(keep(true));
    lingering_free(lingering);
    lingering = NULL;
    ck_assert_int_eq(gone, 1);
    ck_assert_int_lt(send(pair[1], &byte, 1, MSG_NOSIGNAL), 0);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_client_that_has_closed_is_not_waited_for),
    TEST(a_client_that_has_sent_all_is_not_waited_for),
    TEST(unread_bytes_keep_the_connection),
    TEST(bytes_of_a_client_are_dropped_until_it_closes),
    TEST(a_client_that_never_ends_is_cut_off_at_64_mib),
    TEST(at_the_limit_the_oldest_lingering_connection_is_closed),
    TEST(when_the_share_is_used_elsewhere_no_connection_lingers),
    TEST(a_connection_that_the_kernel_does_not_watch_is_closed),
    TEST(the_end_closes_lingering_connections),
    TEST(in_an_iteration_few_connections_are_read_once_each_and_all_take_turns),
};

static const struct suite_test started_tests[] = {
    TEST(a_silent_client_is_cut_off_at_its_deadline),
    TEST(a_thread_may_have_fewer_places_than_all),
    TEST(a_silent_client_costs_no_iteration_of_the_loop),
    TEST(connections_whose_time_is_over_are_closed_in_turns),
};

static const struct suite started_case = {SUITE_TESTS(started_tests), .teardown = stop};
const struct suite lingering_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                      .next = &started_case};
