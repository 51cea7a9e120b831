/* SPDX-License-Identifier: Apache-2.0
 * test_head_host.c - values of Host that are and are not. */
#include <string.h>

#include "server/http/head.h"
#include "tests/support/suite.h"

START_TEST(names_and_addresses_with_or_without_port_are_valid)
{
    static const char *const valid[] = {"x",
                                        "localhost:8080",
                                        "127.0.0.1",
                                        "[::1]",
                                        "[::1]:80",
                                        "[::ffff:1.2.3.4]",
                                        "a-b.example.",
                                        "x:",
                                        "xn--p1ai",
                                        "a_b",
                                        "x:65535"};

    for (size_t i = 0; i < sizeof valid / sizeof *valid; i++)
        ck_assert_msg(head_host_valid(valid[i], strlen(valid[i])), "%s", valid[i]);
}
END_TEST

START_TEST(anything_else_is_not)
{
    static const char *const invalid[] = {"",        "a/b",      "a/b?c",    "u@x",    "x:8o",
                                          "x:80:80", "[::1",     "[]",       "[::1]x", "[x]:80",
                                          "x y",     "x,y/",     "x#",       "a\\b",   ":80",
                                          "[::1]80", "x:123456", "\xc3\xa9", "a\"b"};

    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++)
        ck_assert_msg(!head_host_valid(invalid[i], strlen(invalid[i])), "%s", invalid[i]);
}
END_TEST

START_TEST(the_length_counts_not_the_nul)
{
    ck_assert(head_host_valid("x/y", 1));
    ck_assert(!head_host_valid("x\0y", 3));
}
END_TEST

START_TEST(the_name_ends_before_the_port)
{
    static const struct {
        const char *host;
        size_t len;
    } rows[] = {{"x", 1},         {"x:80", 1},     {"x:", 1},    {"1.2.3.4", 7},
                {"1.2.3.4:5", 7}, {"[::1]:80", 5}, {"[::1]", 5}, {"x.80:8", 4}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_uint_eq(head_host_name_len(rows[i].host, strlen(rows[i].host)), rows[i].len);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(names_and_addresses_with_or_without_port_are_valid),
    TEST(anything_else_is_not),
    TEST(the_length_counts_not_the_nul),
    TEST(the_name_ends_before_the_port),
};

const struct suite head_host_suite = {SUITE_TESTS(tests)};
