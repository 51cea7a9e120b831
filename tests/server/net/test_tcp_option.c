/* SPDX-License-Identifier: Apache-2.0
 * test_tcp_option.c - an option of TCP fails on a unix socket as POSIX has it; all else is as
 * the kernel says. */
#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/suite.h"

static const int on = 1;

/* Returns the error of setting an option of TCP to 1; 0: there was none. */
static int error_of(int fd)
{
    return setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0 ? 0 : errno;
}

START_TEST(a_unix_socket_has_no_options_of_tcp)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    ck_assert_int_eq(error_of(fd), ENOPROTOOPT);
    close(fd);
}
END_TEST

START_TEST(other_sockets_options_and_errors_are_as_they_were)
{
    int tcp = socket(AF_INET, SOCK_STREAM, 0), local = socket(AF_UNIX, SOCK_STREAM, 0);
    int value = 0;
    socklen_t len = sizeof value;

    ck_assert_int_eq(error_of(tcp), 0);
    ck_assert_int_eq(getsockopt(tcp, IPPROTO_TCP, TCP_NODELAY, &value, &len), 0);
    ck_assert_int_eq(value, 1);
    ck_assert_int_eq(setsockopt(local, SOL_SOCKET, SO_PASSCRED, &on, sizeof on), 0);
    ck_assert_int_eq(setsockopt(local, IPPROTO_UDP, 1, &on, sizeof on), -1);
    ck_assert_int_eq(errno, EOPNOTSUPP);
    close(tcp);
    close(local);
    ck_assert_int_eq(error_of(-1), EBADF);
}
END_TEST

START_TEST(shared_libraries_call_the_same_function)
{
    int (*shared)(int, int, int, const void *, socklen_t);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    *(void **)&shared = dlsym(RTLD_DEFAULT, "setsockopt");
    ck_assert_ptr_nonnull(*(void **)&shared);
    ck_assert_int_eq(shared(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), -1);
    ck_assert_int_eq(errno, ENOPROTOOPT);
    close(fd);
}
END_TEST

SUITE(tcp_option, TEST(a_unix_socket_has_no_options_of_tcp),
      TEST(other_sockets_options_and_errors_are_as_they_were),
      TEST(shared_libraries_call_the_same_function));
