/* SPDX-License-Identifier: Apache-2.0
 * test_cork.c - a socket is corked from the head of a response to its end, if it is TCP. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/net/connection.h"
#include "server/net/cork.h"
#include "tests/support/suite.h"

static int corked(int fd)
{
    int value = -1;
    socklen_t len = sizeof value;

    ck_assert_int_eq(getsockopt(fd, IPPROTO_TCP, TCP_CORK, &value, &len), 0);
    return value;
}

START_TEST(a_tcp_socket_is_corked_until_the_response_is_over)
{
    struct connection connection = {.fd = socket(AF_INET, SOCK_STREAM, 0)};

    for (int response = 0; response < 2; response++) {
        cork_begin(&connection);
        ck_assert_int_eq(corked(connection.fd), 1);
        cork_end(&connection);
        ck_assert_int_eq(corked(connection.fd), 0);
    }
    close(connection.fd);
}
END_TEST

START_TEST(the_end_of_a_response_without_a_cork_changes_nothing)
{
    struct connection connection = {.fd = socket(AF_INET, SOCK_STREAM, 0)};
    int on = 1;

    ck_assert_int_eq(setsockopt(connection.fd, IPPROTO_TCP, TCP_CORK, &on, sizeof on), 0);
    cork_end(&connection);
    ck_assert_int_eq(corked(connection.fd), 1);
    close(connection.fd);
}
END_TEST

START_TEST(a_unix_socket_is_tried_once)
{
    struct connection connection = {.fd = socket(AF_UNIX, SOCK_STREAM, 0)};

    cork_begin(&connection);
    ck_assert_int_eq(connection.cork, CORK_NEVER);
    cork_end(&connection);
    cork_begin(&connection);
    ck_assert_int_eq(connection.cork, CORK_NEVER);
    close(connection.fd);
}
END_TEST

SUITE(cork, TEST(a_tcp_socket_is_corked_until_the_response_is_over),
      TEST(the_end_of_a_response_without_a_cork_changes_nothing),
      TEST(a_unix_socket_is_tried_once));
