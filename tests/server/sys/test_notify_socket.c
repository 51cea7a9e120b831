/* SPDX-License-Identifier: Apache-2.0
 * test_notify_socket.c - what a service manager hears, and which of its sockets are
 * understood. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "server/sys/notify_socket.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static struct notify_socket notify;
static char why[200];

/* A manager's socket with a name that starts with a path's slash or with @. */
static int manager(const char *name)
{
    struct sockaddr_un addr = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    memcpy(addr.sun_path, name, strlen(name));
    if (*name == '@')
        addr.sun_path[0] = '\0';
    ck_assert_int_eq(bind(fd, (struct sockaddr *)&addr,
                          (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name) +
                                      (*name == '/'))),
                     0);
    setenv("NOTIFY_SOCKET", name, 1);
    return fd;
}

static void expect_heard(int fd, const char *lines)
{
    char text[100] = "";

    ck_assert_int_ge(recv(fd, text, sizeof text - 1, 0), 0);
    ck_assert_str_eq(text, lines);
}

START_TEST(a_manager_hears_by_a_path_or_by_an_abstract_name)
{
    struct scratch *scratch = scratch_new();
    char names[2][108];

    snprintf(names[0], sizeof names[0], "%s", scratch_path(scratch, "notify"));
    snprintf(names[1], sizeof names[1], "@%s", scratch_path(scratch, "notify"));
    for (int i = 0; i < 2; i++) {
        int fd = manager(names[i]);

        ck_assert_msg(notify_socket_open(&notify, why, sizeof why), "%s", why);
        ck_assert_ptr_null(getenv("NOTIFY_SOCKET"));
        notify_socket_send(&notify, "READY=1");
        expect_heard(fd, "READY=1");
        close(fd);
        notify_socket_send(&notify, "STOPPING=1"); /* the manager has gone: nothing happens */
        notify_socket_close(&notify);
    }
    scratch_free(scratch);
}
END_TEST

START_TEST(without_a_manager_nothing_is_sent)
{
    unsetenv("NOTIFY_SOCKET");
    ck_assert(notify_socket_open(&notify, why, sizeof why));
    ck_assert_int_eq(notify.fd, -1);
    notify_socket_send(&notify, "READY=1");
    notify_socket_send(NULL, "READY=1");
    notify_socket_close(&notify);
}
END_TEST

START_TEST(a_socket_that_is_not_understood_is_refused)
{
    static const char *const wrong[] = {"", "/", "@", "notify", "vsock:2:1"};

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char sentence[200];

        setenv("NOTIFY_SOCKET", wrong[i], 1);
        snprintf(sentence, sizeof sentence,
                 "NOTIFY_SOCKET must be the path of a unix socket, or @ and an abstract name; "
                 "got \"%s\"",
                 wrong[i]);
        ck_assert(!notify_socket_open(&notify, why, sizeof why));
        ck_assert_str_eq(why, sentence);
        ck_assert_int_eq(notify.fd, -1);
    }
}
END_TEST

static uint64_t watchdog(const char *usec, const char *pid)
{
    uint64_t ms;

    setenv("NOTIFY_SOCKET", "/no/such/socket", 1);
    setenv("WATCHDOG_USEC", usec, 1);
    unsetenv("WATCHDOG_PID");
    if (pid)
        setenv("WATCHDOG_PID", pid, 1);
    ck_assert(notify_socket_open(&notify, why, sizeof why));
    ms = notify.watchdog_ms;
    notify_socket_close(&notify);
    ck_assert_ptr_null(getenv("WATCHDOG_USEC"));
    return ms;
}

START_TEST(the_watchdog_counts_if_it_watches_this_process)
{
    char self[24];

    snprintf(self, sizeof self, "%ld", (long)getpid());
    ck_assert_uint_eq(watchdog("30000000", self), 30000);
    ck_assert_uint_eq(watchdog("30000000", NULL), 30000);
    ck_assert_uint_eq(watchdog("30000000", "1"), 0);
    ck_assert_uint_eq(watchdog("soon", NULL), 0);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_manager_hears_by_a_path_or_by_an_abstract_name),
    TEST(without_a_manager_nothing_is_sent),
    TEST(a_socket_that_is_not_understood_is_refused),
    TEST(the_watchdog_counts_if_it_watches_this_process),
};

const struct suite notify_socket_suite = {SUITE_TESTS(tests)};
