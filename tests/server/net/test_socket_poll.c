/* SPDX-License-Identifier: Apache-2.0
 * test_socket_poll.c - a socket is reported while it is readable, but not after its removal; a
 * socket that the kernel does not take is refused while the others go on. */
#include "server/net/socket_poll.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/epoll_fail.h"
#include "tests/support/suite.h"

enum { MANY = 200 }; /* more sockets than one iteration of the loop reports */

static uv_loop_t uv;
static struct socket_poll *poll;
static struct one {
    struct socket_watch watch;
    int ours, theirs;
    int told;
    struct one *removes; /* socket that on_readable removes; NULL: none */
} all[MANY];

static void on_readable(void *owner)
{
    struct one *one = owner;

    ck_assert(one->watch.added);
    one->told++;
    if (one->removes)
        socket_poll_remove(poll, &one->removes->watch);
}

static void on_readable_read(void *owner)
{
    struct one *one = owner;
    char byte;

    one->told++;
    ck_assert_int_eq(recv(one->ours, &byte, 1, 0), 1);
}

static void start(void)
{
    ck_assert_int_eq(uv_loop_init(&uv), 0);
    poll = socket_poll_new(&uv, SOCKET_POLL_MOST);
    ck_assert_ptr_nonnull(poll);
    for (int i = 0; i < MANY; i++) {
        int pair[2];

        ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
        all[i] = (struct one){.watch = {.on_readable = on_readable, .owner = &all[i]},
                              .ours = pair[0],
                              .theirs = pair[1]};
    }
}

static void stop(void)
{
    for (int i = 0; i < MANY; i++) {
        socket_poll_remove(poll, &all[i].watch);
        close(all[i].ours);
        close(all[i].theirs);
    }
    socket_poll_free(poll);
    uv_run(&uv, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&uv), 0);
}

static void add(struct one *one)
{
    ck_assert(socket_poll_add(poll, &one->watch, one->ours));
}

static void send_to(const struct one *one)
{
    ck_assert_int_eq(send(one->theirs, "x", 1, 0), 1);
}

START_TEST(many_readable_sockets_are_reported_in_few_iterations)
{
    for (int i = 0; i < MANY; i++) {
        all[i].watch.on_readable = on_readable_read;
        add(&all[i]);
        send_to(&all[i]);
    }
    for (int turns = 0; turns < MANY / 64 + 1; turns++)
        uv_run(&uv, UV_RUN_ONCE);
    for (int i = 0; i < MANY; i++)
        ck_assert_int_eq(all[i].told, 1);
}
END_TEST

START_TEST(sockets_that_stay_readable_take_turns_to_be_reported)
{
    const int most = 3, many = 8;
    struct socket_poll *every = poll;
    int told = 0;

    poll = socket_poll_new(&uv, most);
    ck_assert_ptr_nonnull(poll);
    for (int i = 0; i < many; i++) {
        add(&all[i]);
        send_to(&all[i]);
    }
    for (int turn = 1; turn <= many; turn++, told = 0) {
        uv_run(&uv, UV_RUN_ONCE);
        for (int i = 0; i < many; i++) {
            ck_assert_int_ge(all[i].told, turn * most / many);
            ck_assert_int_le(all[i].told, (turn * most + many - 1) / many);
            told += all[i].told;
        }
        ck_assert_int_eq(told, turn * most);
    }
    for (int i = 0; i < many; i++)
        socket_poll_remove(poll, &all[i].watch);
    socket_poll_free(poll);
    poll = every;
}
END_TEST

START_TEST(a_socket_is_reported_again_while_bytes_are_unread)
{
    add(&all[0]);
    add(&all[1]);
    send_to(&all[0]);
    for (int turns = 1; turns <= 3; turns++) {
        uv_run(&uv, UV_RUN_ONCE);
        ck_assert_int_eq(all[0].told, turns);
    }
    ck_assert_int_eq(all[1].told, 0);
}
END_TEST

START_TEST(the_end_of_a_stream_is_reported)
{
    add(&all[0]);
    shutdown(all[0].theirs, SHUT_WR);
    uv_run(&uv, UV_RUN_ONCE);
    ck_assert_int_eq(all[0].told, 1);
}
END_TEST

START_TEST(a_socket_that_is_ignored_reports_that_it_is_broken_alone)
{
    add(&all[0]);
    add(&all[1]);
    socket_poll_ignore(poll, &all[0].watch);
    send_to(&all[0]);
    send_to(&all[1]);
    shutdown(all[0].theirs, SHUT_WR);
    uv_run(&uv, UV_RUN_ONCE);
    ck_assert_int_eq(all[0].told, 0);
    ck_assert_int_eq(all[1].told, 1);
    if (_i == 0)
        shutdown(all[0].ours, SHUT_RDWR);
    else
        socket_poll_want(poll, &all[0].watch);
    uv_run(&uv, UV_RUN_ONCE);
    ck_assert_int_eq(all[0].told, 1);
}
END_TEST

/* Both events have been fetched when one socket removes the other. */
START_TEST(a_socket_removed_in_the_same_iteration_is_not_reported)
{
    all[0].removes = &all[1];
    all[1].removes = &all[0];
    add(&all[0]);
    add(&all[1]);
    send_to(&all[0]);
    send_to(&all[1]);
    uv_run(&uv, UV_RUN_ONCE);
    ck_assert_int_eq(all[0].told + all[1].told, 1);
    uv_run(&uv, UV_RUN_ONCE);
    ck_assert_int_eq(all[0].told + all[1].told, 2);
}
END_TEST

START_TEST(a_socket_may_remove_itself_and_be_added_again)
{
    all[0].removes = &all[0];
    add(&all[0]);
    send_to(&all[0]);
    for (int turns = 0; turns < 3; turns++)
        uv_run(&uv, UV_RUN_NOWAIT);
    ck_assert_int_eq(all[0].told, 1);
    add(&all[0]);
    uv_run(&uv, UV_RUN_ONCE);
    ck_assert_int_eq(all[0].told, 2);
}
END_TEST

START_TEST(a_socket_that_the_kernel_does_not_take_is_refused_alone)
{
    const int errors[] = {ENOMEM, ENOSPC};

    add(&all[0]);
    epoll_fail_set(errors[_i]);
    ck_assert(!socket_poll_add(poll, &all[1].watch, all[1].ours));
    epoll_fail_set(0);
    ck_assert(!all[1].watch.added);
    socket_poll_remove(poll, &all[1].watch);
    send_to(&all[0]);
    send_to(&all[1]);
    uv_run(&uv, UV_RUN_ONCE);
    ck_assert_int_eq(all[0].told, 1);
    ck_assert_int_eq(all[1].told, 0);
    add(&all[1]);
    uv_run(&uv, UV_RUN_ONCE);
    ck_assert_int_eq(all[1].told, 1);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(many_readable_sockets_are_reported_in_few_iterations),
    TEST(sockets_that_stay_readable_take_turns_to_be_reported),
    TEST(a_socket_is_reported_again_while_bytes_are_unread),
    TEST(the_end_of_a_stream_is_reported),
    TEST_RANGE(a_socket_that_is_ignored_reports_that_it_is_broken_alone, 0, 2),
    TEST(a_socket_removed_in_the_same_iteration_is_not_reported),
    TEST(a_socket_may_remove_itself_and_be_added_again),
    TEST_RANGE(a_socket_that_the_kernel_does_not_take_is_refused_alone, 0, 2),
};

const struct suite socket_poll_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
