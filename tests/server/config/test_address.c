/* SPDX-License-Identifier: Apache-2.0
 * test_address.c - spellings of an address, listening on it, files left behind by unix
 * sockets. */
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

START_TEST(tcp_addresses_are_read)
{
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)&address.addr;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)&address.addr;

    parse("127.0.0.1:8080");
    ck_assert_int_eq(v4->sin_family, AF_INET);
    ck_assert_uint_eq(ntohl(v4->sin_addr.s_addr), INADDR_LOOPBACK);
    ck_assert_uint_eq(ntohs(v4->sin_port), 8080);
    parse("localhost:0");
    ck_assert_uint_eq(ntohl(v4->sin_addr.s_addr), INADDR_LOOPBACK);
    parse("[::1]:65535");
    ck_assert_int_eq(v6->sin6_family, AF_INET6);
    ck_assert(IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr));
    ck_assert_uint_eq(ntohs(v6->sin6_port), 65535);
    ck_assert(!address_is_unix(&address));
}
END_TEST

START_TEST(unix_addresses_are_read)
{
    const struct sockaddr_un *un = (const struct sockaddr_un *)&address.addr;

    parse("unix:/run/x.sock");
    ck_assert(address_is_unix(&address));
    ck_assert_str_eq(un->sun_path, "/run/x.sock");
    ck_assert_uint_eq(address.mode, 0);
    parse("unix:/run/x.sock,mode=0660");
    ck_assert_str_eq(un->sun_path, "/run/x.sock");
    ck_assert_uint_eq(address.mode, 0660);
}
END_TEST

START_TEST(other_spellings_are_refused_with_a_sentence)
{
    static const char *const wrong[] = {"",
                                        "x",
                                        ":80",
                                        "127.0.0.1",
                                        "127.0.0.1:",
                                        "127.0.0.1:x",
                                        "127.0.0.1:65536",
                                        "127.0.0.1:-1",
                                        "127.0.0.1:8080x",
                                        "::1:80",
                                        "[::1]",
                                        "[::1:80",
                                        "[127.0.0.1]:80",
                                        "example.org:80",
                                        "[x]:80",
                                        "[]:80",
                                        "127.0.0.1 :80"};
    char long_path[200];

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_msg(!address_parse(&address, wrong[i], why, sizeof why), "%s", wrong[i]);
        ck_assert_msg(strncmp(why, "must be ADDRESS:PORT, [ADDRESS]:PORT or unix:PATH", 49) ==
                          0,
                      "%s", why);
    }
    ck_assert(!address_parse(&address, "unix:", why, sizeof why));
    ck_assert_str_eq(why, "a socket's path must have 1..107 bytes");
    memset(long_path, 'a', sizeof long_path);
    memcpy(long_path, "unix:", 5);
    long_path[5 + 108] = '\0';
    ck_assert(!address_parse(&address, long_path, why, sizeof why));
    ck_assert_str_eq(why, "a socket's path must have 1..107 bytes");
    for (int i = 0; i < 5; i++) {
        static const char *const modes[] = {
            "unix:/x,",          "unix:/x,mode=",      "unix:/x,mode=8",
            "unix:/x,mode=+660", "unix:/x,mode= 660",  "unix:/x,mode=-1",
            "unix:/x,mode=0000", "unix:/x,mode=01777", "unix:/x,mood=0600"};

        ck_assert(!address_parse(&address, modes[i], why, sizeof why));
        ck_assert_str_eq(why, "after the path there may be ,mode=0660");
    }
}
END_TEST

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

START_TEST(connecting_fails_where_no_socket_listens)
{
    parse(text);
    ck_assert_int_eq(address_connect(&address), -1);
    ck_assert_int_eq(errno, ENOENT);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(tcp_addresses_are_read),
    TEST(unix_addresses_are_read),
    TEST(other_spellings_are_refused_with_a_sentence),
    TEST(port_0_becomes_a_free_one_that_can_be_connected_to),
    TEST(a_port_in_use_is_refused),
    TEST(a_unix_socket_gets_its_mode_whatever_the_umask),
    TEST(a_socket_file_without_a_listener_is_replaced),
    TEST(a_file_that_is_no_socket_is_not_replaced),
    TEST(connecting_fails_where_no_socket_listens),
};

const struct suite address_suite = {SUITE_TESTS(tests), .setup = begin, .teardown = end};
