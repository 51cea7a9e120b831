/* SPDX-License-Identifier: Apache-2.0
 * test_passed_sockets.c - the variables by which a service manager passes sockets. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/sys/passed_sockets.h"
#include "tests/support/suite.h"

static struct passed_sockets sockets;
static char why[200];

static bool parse(const char *pid, const char *count, const char *names)
{
    const struct passed_sockets_words words = {.pid = pid, .count = count, .names = names};

    *why = '\0';
    return passed_sockets_parse(&sockets, &words, 77, why, sizeof why);
}

static void expect_refused(const char *pid, const char *count, const char *names,
                           const char *sentence)
{
    ck_assert(!parse(pid, count, names));
    ck_assert_str_eq(why, sentence);
}

START_TEST(sockets_have_the_names_in_their_order)
{
    ck_assert(parse("77", "3", "web:admin:"));
    ck_assert_uint_eq(sockets.count, 3);
    ck_assert_str_eq(sockets.name[0], "web");
    ck_assert_str_eq(sockets.name[1], "admin");
    ck_assert_str_eq(sockets.name[2], "");
    ck_assert(parse("77", "32", NULL));
    ck_assert_uint_eq(sockets.count, 32);
    ck_assert_str_eq(sockets.name[31], "unknown");
}
END_TEST

START_TEST(sockets_of_another_process_are_none)
{
    ck_assert(parse("78", "1", "web"));
    ck_assert_uint_eq(sockets.count, 0);
    ck_assert(parse("78", "many", "web"));
    ck_assert(parse(NULL, "1", "web"));
    ck_assert(parse("77", NULL, "web"));
    ck_assert(parse("77", "0", ""));
    ck_assert_uint_eq(sockets.count, 0);
}
END_TEST

START_TEST(variables_that_cannot_be_read_are_refused)
{
    char names[200] = "";

    memset(names, 'a', 128);
    expect_refused("me", "1", "web", "LISTEN_PID must be the id of a process; got \"me\"");
    expect_refused("", "1", "web", "LISTEN_PID must be the id of a process; got \"\"");
    expect_refused("77", "x", "web",
                   "LISTEN_FDS must be the number of sockets, 0..32; got \"x\"");
    expect_refused("77", "33", NULL,
                   "LISTEN_FDS must be the number of sockets, 0..32; got \"33\"");
    expect_refused("77", "-1", NULL,
                   "LISTEN_FDS must be the number of sockets, 0..32; got \"-1\"");
    expect_refused("77", "2", "web", "LISTEN_FDNAMES has 1 names, but LISTEN_FDS is 2");
    expect_refused("77", "1", "web:", "LISTEN_FDNAMES has 2 names, but LISTEN_FDS is 1");
    expect_refused("77", "1", names, "a name in LISTEN_FDNAMES may have 127 bytes; got 128");
}
END_TEST

static void set_variables(const char *count)
{
    char pid[24];

    snprintf(pid, sizeof pid, "%ld", (long)getpid());
    setenv("LISTEN_PID", pid, 1);
    setenv("LISTEN_FDS", count, 1);
    setenv("LISTEN_FDNAMES", "web", 1);
}

START_TEST(taking_them_closes_them_to_children_and_removes_the_variables)
{
    bool opened = fcntl(PASSED_SOCKETS_FIRST, F_GETFD) < 0;

    if (opened)
        ck_assert_int_eq(dup2(STDERR_FILENO, PASSED_SOCKETS_FIRST), PASSED_SOCKETS_FIRST);
    set_variables("1");
    ck_assert_msg(passed_sockets_take(&sockets, why, sizeof why), "%s", why);
    ck_assert_uint_eq(sockets.count, 1);
    ck_assert_int_eq(fcntl(PASSED_SOCKETS_FIRST, F_GETFD), FD_CLOEXEC);
    ck_assert_ptr_null(getenv("LISTEN_PID"));
    ck_assert_ptr_null(getenv("LISTEN_FDS"));
    ck_assert_ptr_null(getenv("LISTEN_FDNAMES"));
    ck_assert(passed_sockets_take(&sockets, why, sizeof why));
    ck_assert_uint_eq(sockets.count, 0);
    if (opened)
        close(PASSED_SOCKETS_FIRST);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(sockets_have_the_names_in_their_order),
    TEST(sockets_of_another_process_are_none),
    TEST(variables_that_cannot_be_read_are_refused),
    TEST(taking_them_closes_them_to_children_and_removes_the_variables),
};

const struct suite passed_sockets_suite = {SUITE_TESTS(tests)};
