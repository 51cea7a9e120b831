/* SPDX-License-Identifier: Apache-2.0
 * test_reader_pace.c - a client is slow by its own time alone; see reader_pace.h. */
#include "server/net/reader_pace.h"

#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/suite.h"

enum { TICK_MS = 100, START_MS = 5000, KIB = 1024 };

/* Looks every TICK_MS at a client that takes `bytes` in each tick, until it is slow or `ticks`
 * are over; returns the number of ticks in which it was not slow. */
static int go_on(struct reader_pace *pace, int ticks, uint64_t bytes, bool waits)
{
    for (int i = 0; i < ticks; i++) {
        const struct reader_pace_socket socket = {.taken = pace->taken + bytes, .waits = waits};

        reader_pace_note(pace, &socket,
                         pace->looked_ms ? pace->looked_ms + TICK_MS : (uint64_t)START_MS);
        if (reader_pace_is_slow(pace))
            return i;
    }
    return ticks;
}

START_TEST(a_client_that_takes_nothing_is_slow_after_a_second)
{
    struct reader_pace pace = {.looked_ms = 0};

    ck_assert(!reader_pace_is_slow(&pace));
    ck_assert_int_eq(go_on(&pace, 100, 0, true), 10);
}
END_TEST

START_TEST(a_client_that_takes_less_than_64_kib_a_second_uses_its_credit_up)
{
    struct reader_pace slow = {.looked_ms = 0}, enough = {.looked_ms = 0};

    ck_assert_int_eq(go_on(&slow, 100, 32 * KIB / 10, true),
                     20); /* at half of it in 2 seconds */
    ck_assert_int_eq(go_on(&enough, 1000, 64 * KIB / 10 + 1, true), 1000);
}
END_TEST

START_TEST(pauses_of_less_than_a_second_are_free_for_a_fast_client)
{
    struct reader_pace pace = {.looked_ms = 0};

    for (int i = 0; i < 50; i++) {
        ck_assert_int_eq(go_on(&pace, 1, 64 * KIB, true), 1);
        ck_assert_int_eq(go_on(&pace, 9, 0, true), 9);
    }
    ck_assert_int_eq(go_on(&pace, 1, 64 * KIB, true), 1);
    ck_assert_int_eq(go_on(&pace, 100, 0, true),
                     9); /* the tick of the bytes began the second */
}
END_TEST

START_TEST(time_in_which_the_server_makes_the_next_bytes_is_not_the_clients)
{
    struct reader_pace pace = {.looked_ms = 0};

    ck_assert_int_eq(go_on(&pace, 10, 0, true), 10);
    ck_assert_int_eq(go_on(&pace, 100, 0, false), 100);
    ck_assert_int_eq(go_on(&pace, 100, 0, true), 9);
}
END_TEST

START_TEST(after_a_gap_between_two_looks_the_second_begins_anew)
{
    struct reader_pace pace = {.looked_ms = 0};

    ck_assert_int_eq(go_on(&pace, 10, 0, true), 10);
    reader_pace_note(&pace, &(struct reader_pace_socket){.waits = true},
                     pace.looked_ms + READER_PACE_GAP_MS + 1);
    ck_assert(!reader_pace_is_slow(&pace));
    ck_assert_int_eq(go_on(&pace, 100, 0, true), 9);
}
END_TEST

/* ---- sockets --------------------------------------------------------------------------- */

static void fill(int fd)
{
    static const char zeros[4096];

    while (send(fd, zeros, sizeof zeros, MSG_DONTWAIT | MSG_NOSIGNAL) > 0)
        ;
}

/* The look itself has no clock: it is told the time. */
static bool is_slow_after(struct reader_pace *pace, int fd, uint64_t calls, int ticks)
{
    for (int i = 0; i < ticks; i++)
        reader_pace_look(pace, fd, calls,
                         pace->looked_ms ? pace->looked_ms + TICK_MS : START_MS);
    return reader_pace_is_slow(pace);
}

/* Two connected sockets of TCP. */
static void connect_tcp(int pair[2])
{
    struct sockaddr_storage addr;
    socklen_t len = sizeof addr;
    int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    ck_assert_int_eq(listen(listening, 1), 0); /* at a free port of any address */
    ck_assert_int_eq(getsockname(listening, (struct sockaddr *)&addr, &len), 0);
    pair[1] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(connect(pair[1], (struct sockaddr *)&addr, len), 0);
    pair[0] = accept(listening, NULL, NULL);
    ck_assert_int_ge(pair[0], 0);
    close(listening);
}

static void expect_pace(int pair[2])
{
    struct reader_pace full = {.looked_ms = 0}, reading = full, idle = full;
    char some[4096];

    ck_assert(!is_slow_after(&idle, pair[0], 2, 100)); /* there is nothing to read */
    fill(pair[0]);
    ck_assert(is_slow_after(&full, pair[0], 2, 100));
    for (uint64_t calls = 2; calls < 32; calls++) {
        ck_assert(!is_slow_after(&reading, pair[0], calls, 9));
        for (int reads = 0; reads < 100; reads++)
            (void)!recv(pair[1], some, sizeof some, MSG_DONTWAIT);
        fill(pair[0]);
    }
}

static void close_both(const int pair[2])
{
    close(pair[0]);
    close(pair[1]);
}

START_TEST(a_socket_of_tcp_tells_what_its_client_took)
{
    struct reader_pace pace = {.looked_ms = 0};
    int pair[2];

    connect_tcp(pair);
    expect_pace(pair);
    ck_assert(is_slow_after(&pace, pair[0], 1, 100)); /* of any answer */
    close_both(pair);
}
END_TEST

START_TEST(of_a_unix_socket_the_calls_tell_whether_its_client_reads)
{
    struct reader_pace pace = {.looked_ms = 0};
    int pair[2];

    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    expect_pace(pair);
    ck_assert(!is_slow_after(&pace, pair[0], 1, 100));
    close_both(pair);
}
END_TEST

SUITE(reader_pace, TEST(a_client_that_takes_nothing_is_slow_after_a_second),
      TEST(a_client_that_takes_less_than_64_kib_a_second_uses_its_credit_up),
      TEST(pauses_of_less_than_a_second_are_free_for_a_fast_client),
      TEST(time_in_which_the_server_makes_the_next_bytes_is_not_the_clients),
      TEST(after_a_gap_between_two_looks_the_second_begins_anew),
      TEST(a_socket_of_tcp_tells_what_its_client_took),
      TEST(of_a_unix_socket_the_calls_tell_whether_its_client_reads));
