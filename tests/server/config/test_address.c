/* SPDX-License-Identifier: Apache-2.0
 * test_address.c - listening on an address, and files left behind by unix sockets; address.txt
 * has the spellings. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

#include "server/config/address.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static struct address address;
static struct scratch *scratch;
static char why[300], path[108], text[120];

static void begin(void)
{
    scratch = scratch_new();
    snprintf(path, sizeof path, "%s", scratch_path(scratch, "s"));
    snprintf(text, sizeof text, "unix:%s", path);
}

static void end(void)
{
    scratch_free(scratch);
}

static void parse(const char *spelling)
{
    ck_assert_msg(address_parse(&address, spelling, why, sizeof why), "%s", why);
}

START_TEST(port_0_becomes_a_free_one_that_can_be_connected_to)
{
    char printed[80], expected[80];
    int socket, peer;

    parse("127.0.0.1:0");
    socket = address_listen(&address, why, sizeof why);
    ck_assert_msg(socket >= 0, "%s", why);
    ck_assert_uint_gt(address_port(socket), 0);
    address_print(socket, printed, sizeof printed);
    snprintf(expected, sizeof expected, "127.0.0.1:%u", address_port(socket));
    ck_assert_str_eq(printed, expected);
    parse(expected);
    peer = address_connect(&address);
    ck_assert_int_ge(peer, 0);
    close(peer);
    snprintf(expected, sizeof expected, "0.0.0.0:%u", address_port(socket));
    parse(expected); /* connecting to "any" reaches this machine */
    peer = address_connect(&address);
    ck_assert_int_ge(peer, 0);
    close(peer);
    close(socket);
}
END_TEST

START_TEST(a_port_in_use_is_refused)
{
    char taken[80];
    int socket;

    parse("127.0.0.1:0");
    socket = address_listen(&address, why, sizeof why);
    address_print(socket, taken, sizeof taken);
    parse(taken);
    ck_assert_int_eq(address_listen(&address, why, sizeof why), -1);
    ck_assert_str_eq(why, "cannot bind: Address already in use");
    close(socket);
}
END_TEST

START_TEST(a_unix_socket_gets_its_mode_whatever_the_umask)
{
    mode_t before = umask(077);
    char with_mode[140], printed[140];
    struct stat status;
    int socket;

    snprintf(with_mode, sizeof with_mode, "%s,mode=0666", text);
    parse(with_mode);
    socket = address_listen(&address, why, sizeof why);
    ck_assert_msg(socket >= 0, "%s", why);
    umask(before);
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_uint_eq(status.st_mode & 0777, 0666);
    ck_assert_uint_eq(address_port(socket), 0);
    address_print(socket, printed, sizeof printed);
    ck_assert_str_eq(printed, text);
    close(socket);
}
END_TEST

START_TEST(a_socket_file_without_a_listener_is_replaced)
{
    int first, second;

    parse(text);
    first = address_listen(&address, why, sizeof why);
    ck_assert_int_ge(first, 0);
    ck_assert_int_eq(address_listen(&address, why, sizeof why), -1);
    ck_assert_str_eq(why, "cannot bind: Address already in use");
    close(first); /* the file stays */
    ck_assert_int_eq(access(path, F_OK), 0);
    second = address_listen(&address, why, sizeof why);
    ck_assert_msg(second >= 0, "%s", why);
    close(second);
}
END_TEST

START_TEST(a_file_that_is_no_socket_is_not_replaced)
{
    FILE *file = fopen(path, "w");

    fputs("precious", file);
    fclose(file);
    parse(text);
    ck_assert_int_eq(address_listen(&address, why, sizeof why), -1);
    ck_assert_str_eq(why, "cannot bind: Address already in use");
    ck_assert_int_eq(access(path, F_OK), 0);
}
END_TEST

START_TEST(a_passed_socket_is_taken_as_it_is)
{
    char spelling[20], printed[140];
    int socket, taken;

    parse(text);
    socket = address_listen(&address, why, sizeof why);
    ck_assert_int_ge(socket, 0);
    snprintf(spelling, sizeof spelling, "fd:%d", socket);
    parse(spelling);
    ck_assert(address.passed);
    taken = address_listen(&address, why, sizeof why);
    ck_assert_msg(taken == socket, "%s", why);
    ck_assert(address_socket_is_unix(taken));
    address_print(taken, printed, sizeof printed);
    ck_assert_str_eq(printed, text);
    close(taken);
}
END_TEST

static void expect_not_taken(int fd)
{
    char spelling[20];

    snprintf(spelling, sizeof spelling, "fd:%d", fd);
    parse(spelling);
    ck_assert_int_eq(address_listen(&address, why, sizeof why), -1);
    ck_assert_str_eq(why, "must be a stream socket of TCP or unix that listens (ListenStream=, "
                          "with Accept=no)");
}

START_TEST(only_a_listening_stream_socket_is_taken)
{
    struct sockaddr_in loopback = {.sin_family = AF_INET,
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int bound = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int datagrams = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    ck_assert_int_eq(bind(bound, (struct sockaddr *)&loopback, sizeof loopback), 0);
    expect_not_taken(bound);
    expect_not_taken(datagrams);
    close(bound);
    close(datagrams);
    expect_not_taken(datagrams);
    ck_assert(!address_socket_is_unix(datagrams));
}
END_TEST

START_TEST(connecting_fails_where_no_socket_listens)
{
    parse(text);
    ck_assert_int_eq(address_connect(&address), -1);
    ck_assert_int_eq(errno, ENOENT);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(port_0_becomes_a_free_one_that_can_be_connected_to),
    TEST(a_port_in_use_is_refused),
    TEST(a_unix_socket_gets_its_mode_whatever_the_umask),
    TEST(a_socket_file_without_a_listener_is_replaced),
    TEST(a_file_that_is_no_socket_is_not_replaced),
    TEST(a_passed_socket_is_taken_as_it_is),
    TEST(only_a_listening_stream_socket_is_taken),
    TEST(connecting_fails_where_no_socket_listens),
};

const struct suite address_suite = {SUITE_TESTS(tests), .setup = begin, .teardown = end};
