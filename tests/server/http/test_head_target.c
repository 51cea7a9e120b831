/* SPDX-License-Identifier: Apache-2.0
 * test_head_target.c - forms and bytes of a target, and its copy. */
#include <stdlib.h>
#include <string.h>

#include "server/http/head.h"
#include "tests/support/suite.h"

static struct head head;

static void begin(void)
{
    memset(&head, 0, sizeof head);
}

static void end(void)
{
    head_clear(&head);
}

static void read_as(const char *raw, const char *target, size_t path_len)
{
    head_clear(&head);
    head_target_read(&head, raw);
    ck_assert_msg(head.refused == 0, "%s: %s", raw, head.refused_why);
    ck_assert_str_eq(head.target, target);
    ck_assert_uint_eq(head.target_len, strlen(target));
    ck_assert_uint_eq(head.path_len, path_len);
    ck_assert_ptr_eq(head.raw, raw);
    ck_assert_ptr_eq(head.raw_end, raw + strlen(raw) + 1);
}

static void refused(const char *raw, unsigned status, const char *said)
{
    head_clear(&head);
    head_target_read(&head, raw);
    ck_assert_msg(head.refused == status, "%s: %u", raw, head.refused);
    ck_assert_msg(strstr(head.refused_why, said) != NULL, "%s", head.refused_why);
    ck_assert_ptr_nonnull(head.target); /* the log needs a target */
}

START_TEST(a_path_and_a_query_are_kept_as_they_came)
{
    read_as("/", "/", 1);
    read_as("/v1/rope?pos=0:4", "/v1/rope?pos=0:4", 8);
    read_as("/p?", "/p?", 2);
    read_as("/p?a?b", "/p?a?b", 2);
    read_as("/a%20b/%C3%A9?c=%2F%3f", "/a%20b/%C3%A9?c=%2F%3f", 13);
    read_as("*", "*", 1);
}
END_TEST

START_TEST(an_absolute_target_is_split)
{
    read_as("http://x:80/p?a", "/p?a", 2);
    ck_assert_uint_eq(head.authority_len, 4);
    ck_assert_mem_eq(head.authority, "x:80", 4);
    read_as("HTTP://x", "/", 1);
    ck_assert_uint_eq(head.authority_len, 1);
    read_as("http://x?a/b", "/?a/b", 1);
    ck_assert_mem_eq(head.authority, "x", 1);
    read_as("http:///p", "/p", 2);
    ck_assert_uint_eq(head.authority_len, 0);
    read_as("/http://x", "/http://x", 9);
    ck_assert_ptr_null(head.authority);
}
END_TEST

START_TEST(other_forms_are_refused)
{
    refused(NULL, 400, "the request line must be METHOD TARGET HTTP/1.1");
    refused("", 400, "the request line must be METHOD TARGET HTTP/1.1");
    refused("x", 400, "must be a path that starts with /");
    refused("x:443", 400, "must be a path that starts with /");
    refused("**", 400, "must be a path that starts with /");
    refused("https://x/", 400, "must be a path that starts with /");
}
END_TEST

START_TEST(every_byte_that_must_be_encoded_is_refused)
{
    char raw[] = "/a?b";

    for (int c = 1; c < 256; c++)
        for (int at = 1; at < 4; at += 2) {
            memcpy(raw, "/a?b", 5);
            raw[at] = (char)c;
            head_clear(&head);
            head_target_read(&head, raw);
            if (c == '%')
                ck_assert_uint_eq(head.refused, 400);
            else
                ck_assert_msg((head.refused == 0) ==
                                  head_set_has(&head_target_set, (unsigned char)c),
                              "0x%02x", (unsigned)c);
        }
}
END_TEST

START_TEST(escapes_must_be_whole_and_hide_no_control_character)
{
    refused("/%", 400, "two hexadecimal digits");
    refused("/%4", 400, "two hexadecimal digits");
    refused("/%4g", 400, "two hexadecimal digits");
    refused("/%zz", 400, "two hexadecimal digits");
    refused("/%00", 400, "encoded control characters");
    refused("/p?a=%00", 400, "encoded control characters");
    refused("/%0d%0a", 400, "encoded control characters");
    refused("/%1F", 400, "encoded control characters");
    refused("/%7f", 400, "encoded control characters");
    refused("/a%2Fb", 400, "encoded slash");
    refused("/a%2fb", 400, "encoded slash");
    refused("/a\x80", 400, "percent-encoded");
}
END_TEST

START_TEST(length_is_bounded_and_long_targets_are_kept_too)
{
    static char raw[HEAD_TARGET_MAX + 2];
    char expected[HEAD_TARGET_MAX + 1];

    for (size_t len = 380; len <= 390;
         len++) { /* around the size of the buffer inside the head */
        memset(raw, 'a', len);
        raw[0] = '/';
        raw[len] = '\0';
        memcpy(expected, raw, len + 1);
        read_as(raw, expected, len);
    }
    memset(raw, 'a', sizeof raw);
    raw[0] = '/';
    raw[HEAD_TARGET_MAX] = '\0';
    read_as(raw, raw, HEAD_TARGET_MAX);
    ck_assert_ptr_ne(head.target, raw);
    raw[HEAD_TARGET_MAX] = 'a';
    raw[HEAD_TARGET_MAX + 1] = '\0';
    refused(raw, 414, "at most 8192 bytes; send long requests by POST");
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_path_and_a_query_are_kept_as_they_came),
    TEST(an_absolute_target_is_split),
    TEST(other_forms_are_refused),
    TEST(every_byte_that_must_be_encoded_is_refused),
    TEST(escapes_must_be_whole_and_hide_no_control_character),
    TEST(length_is_bounded_and_long_targets_are_kept_too),
};

const struct suite head_target_suite = {SUITE_TESTS(tests), .setup = begin, .teardown = end};
