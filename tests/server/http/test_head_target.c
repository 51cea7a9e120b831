/* SPDX-License-Identifier: Apache-2.0
 * test_head_target.c - bytes of a target, and its copy; head.txt has the forms of targets. */
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
    TEST(every_byte_that_must_be_encoded_is_refused),
    TEST(length_is_bounded_and_long_targets_are_kept_too),
};

const struct suite head_target_suite = {SUITE_TESTS(tests), .setup = begin, .teardown = end};
