/* SPDX-License-Identifier: Apache-2.0
 * test_config_sockets.c - which flag serves each socket that the service manager has passed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/config/config.h"
#include "server/sys/passed_sockets.h"
#include "tests/support/suite.h"

enum { FLAGS = 40 };

static struct config config;
static struct config_error error;

/* Copies the text to `out` and finds its words. */
static int split(char out[1000], const char *text, char *words[FLAGS])
{
    int count = 0;

    snprintf(out, 1000, "%s", text);
    for (char *at = out; *at; count++) {
        words[count] = at;
        at += strcspn(at, " ");
        if (*at)
            *at++ = '\0';
    }
    return count;
}

/* Reads the flags, and passes as many sockets as there are names, joined by blanks. */
static enum config_status claim(const char *names, const char *flags)
{
    static char flag_text[1000], *argv[FLAGS];
    struct passed_sockets sockets = {.count = 0};
    char name_text[1000], *name[FLAGS];
    int argc = split(flag_text, flags, argv);

    ck_assert_int_eq(config_load(&config, argc, argv, NULL, &error), CONFIG_OK);
    sockets.count = (size_t)split(name_text, names, name);
    for (size_t i = 0; i < sockets.count; i++)
        snprintf(sockets.name[i], PASSED_SOCKETS_NAME_SIZE, "%s", name[i]);
    return config_claim_sockets(&config, &sockets, &error);
}

static void expect_list(const struct config_list *list, const char *items)
{
    char text[1000] = "";

    for (size_t i = 0; i < list->count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? " " : "",
                 list->item[i]);
    ck_assert_str_eq(text, items);
}

static void expect(const char *names, const char *flags, const char *listen,
                   const char *admin_listen)
{
    ck_assert_msg(claim(names, flags) == CONFIG_OK, "%s", error.text);
    expect_list(&config.listen, listen);
    expect_list(&config.admin_listen, admin_listen);
}

static void expect_refused(const char *names, const char *flags, const char *sentence)
{
    ck_assert_int_eq(claim(names, flags), CONFIG_INVALID);
    ck_assert_str_eq(error.text, sentence);
}

START_TEST(without_sockets_nothing_changes)
{
    expect("", "", "127.0.0.1:8080", "");
    expect("", "--listen [::]:80 --admin-listen unix:/x", "[::]:80", "unix:/x");
}
END_TEST

START_TEST(sockets_replace_the_default_of_listen)
{
    expect("web", "", "fd:3", "");
    expect("web web other", "", "fd:3 fd:4 fd:5", "");
    expect("web admin", "--admin-listen fd:admin", "fd:3", "fd:4");
    expect("admin", "--admin-listen fd:admin", "127.0.0.1:8080", "fd:3");
}
END_TEST

START_TEST(an_address_takes_every_socket_of_its_name)
{
    expect("web admin web", "--listen fd:web --admin-listen fd:admin", "fd:3 fd:5", "fd:4");
    expect("web admin", "--listen fd:4 --listen 127.0.0.1:80 --listen fd:3",
           "fd:4 127.0.0.1:80 fd:3", "");
    expect("4 web", "--listen fd:4 --listen fd:3", "fd:4 fd:3", ""); /* a descriptor, no name */
}
END_TEST

START_TEST(an_address_without_a_socket_is_refused)
{
    expect_refused(
        "", "--listen fd:web",
        "--listen fd:web needs a service manager that passes sockets, such as systemd "
        "by posencd.socket; LISTEN_FDS and LISTEN_PID pass none to this process");
    expect_refused(
        "web admin", "--listen fd:site",
        "--listen fd:site: the service manager has passed no such socket, but fd:web, "
        "fd:admin");
    expect_refused("web", "--listen fd:web --admin-listen fd:4",
                   "--admin-listen fd:4: the service manager has passed no such socket, but "
                   "fd:web");
}
END_TEST

START_TEST(a_socket_with_two_addresses_is_refused)
{
    expect_refused("web", "--listen fd:web --admin-listen fd:3",
                   "--admin-listen fd:3: another address names this socket, too");
}
END_TEST

START_TEST(a_socket_without_an_address_is_refused_where_listen_is_given)
{
    expect_refused("web", "--listen 127.0.0.1:0",
                   "the service manager has passed the socket fd:web, which no address names: "
                   "give --listen fd:web or --admin-listen fd:web");
}
END_TEST

/* Names that an address cannot have, and a name that would claim a socket twice. */
static const struct {
    const char *names, *flags, *advice;
} numbered[] = {
    {"80", "--listen 127.0.0.1:0", "fd:3"},
    {"web 5", "--listen fd:web", "fd:4"},
    {"a'b", "--listen 127.0.0.1:0", "fd:3"},
    {"a-name-of-more-than-forty-bytes-which-is-not-shown", "--listen 127.0.0.1:0", "fd:3"},
    {"web web", "--listen fd:4", "fd:3"},
};

START_TEST(the_advice_is_an_address_of_the_socket)
{
    char sentence[300], flags[300];

    snprintf(sentence, sizeof sentence,
             "the service manager has passed the socket %s, which no address names: give "
             "--listen %s or --admin-listen %s",
             numbered[_i].advice, numbered[_i].advice, numbered[_i].advice);
    expect_refused(numbered[_i].names, numbered[_i].flags, sentence);
    snprintf(flags, sizeof flags, "%s --listen %s", numbered[_i].flags, numbered[_i].advice);
    ck_assert_int_eq(claim(numbered[_i].names, flags), CONFIG_OK);
}
END_TEST

START_TEST(sockets_that_are_there_are_listed_by_their_addresses)
{
    expect_refused("web 80 a'b", "--listen fd:site",
                   "--listen fd:site: the service manager has passed no such socket, but "
                   "fd:web, fd:4, fd:5");
}
END_TEST

START_TEST(more_sockets_than_a_flag_may_have_are_refused)
{
    expect_refused("a a a a a a a a a a a a a a a a a", "--listen fd:a",
                   "--listen may have 16 sockets");
    expect_refused("a b c d e f g h i j k l m n o p q", "", "--listen may have 16 sockets");
}
END_TEST

static const struct suite_test tests[] = {
    TEST(without_sockets_nothing_changes),
    TEST(sockets_replace_the_default_of_listen),
    TEST(an_address_takes_every_socket_of_its_name),
    TEST(an_address_without_a_socket_is_refused),
    TEST(a_socket_with_two_addresses_is_refused),
    TEST(a_socket_without_an_address_is_refused_where_listen_is_given),
    TEST_EACH(the_advice_is_an_address_of_the_socket, numbered),
    TEST(sockets_that_are_there_are_listed_by_their_addresses),
    TEST(more_sockets_than_a_flag_may_have_are_refused),
};

const struct suite config_sockets_suite = {SUITE_TESTS(tests)};
