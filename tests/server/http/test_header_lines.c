/* SPDX-License-Identifier: Apache-2.0
 * test_header_lines.c - header lines as libmicrohttpd leaves them: the test replaces CR, LF and
 * the first colon of a line by NUL. */
#include <stdlib.h>
#include <string.h>

#include "server/http/head.h"
#include "tests/support/suite.h"

static struct head head;
static struct head_framing framing;
static char bytes[4096];

static void begin(void)
{
    memset(&head, 0, sizeof head);
}

static void end(void)
{
    head_clear(&head);
}

/* Reads lines that are split as libmicrohttpd does; the empty line is added. */
static void read_bytes(const char *lines, size_t len, size_t count)
{
    head_clear(&head);
    framing = (struct head_framing){0};
    memcpy(bytes, lines, len);
    memset(bytes + len, 0, 2);
    header_lines_read(&head, &framing, bytes, len + 2, count);
}

static void read_lines(const char *lines, size_t count)
{
    char split[4096];
    size_t len = strlen(lines);
    bool name = true;

    for (size_t i = 0; i <= len; i++) {
        char c = lines[i];

        split[i] = c == '\r' || c == '\n' || (c == ':' && name) ? '\0' : c;
        name = c == '\n' || (name && c != ':');
    }
    read_bytes(split, len, count);
}

static void accepted(const char *lines, size_t count)
{
    read_lines(lines, count);
    ck_assert_msg(head.refused == 0, "%s: %s", lines, head.refused_why);
}

static void refused(const char *split, size_t len, size_t count)
{
    read_bytes(split, len, count);
    ck_assert_uint_eq(head.refused, 400);
    ck_assert_ptr_nonnull(strstr(head.refused_why, "a header line must be NAME: VALUE"));
}

#define REFUSED(SPLIT, COUNT) refused(SPLIT, sizeof(SPLIT) - 1, COUNT)

START_TEST(known_fields_are_stored_without_blanks_around_them)
{
    accepted("Host: \tx:80 \t\r\nAccept:a/b\r\nIF-NONE-MATCH: \"e\"\r\ncontent-type: c\r\n"
             "Content-Encoding: d\r\nX-Request-Id: e\r\nTraceparent: f\r\nAccept-Encoding:g\r\n"
             "Content-Length: 5\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n"
             "Range: bytes=0-1\r\nif-range: \"h\"\r\nOther: x\r\n"
             "X-A-Name-That-Is-Longer-Than-Any: y\r\nEmpty:\r\n",
             16);
    ck_assert_str_eq(framing.host, "x:80");
    ck_assert_str_eq(head.accept, "a/b");
    ck_assert_str_eq(head.if_none_match, "\"e\"");
    ck_assert_str_eq(head.content_type, "c");
    ck_assert_str_eq(head.content_encoding, "d");
    ck_assert_str_eq(head.request_id, "e");
    ck_assert_str_eq(head.traceparent, "f");
    ck_assert_str_eq(head.accept_encoding, "g");
    ck_assert_str_eq(head.range, "bytes=0-1");
    ck_assert_str_eq(head.if_range, "\"h\"");
    ck_assert_str_eq(framing.length, "5");
    ck_assert_str_eq(framing.encoding, "chunked");
    ck_assert_str_eq(framing.expectation, "100-continue");
    ck_assert_uint_eq(framing.hosts, 1);
    ck_assert_uint_eq(framing.lengths, 1);
    ck_assert_uint_eq(framing.encodings, 1);
    ck_assert_uint_eq(framing.expectations, 1);
}
END_TEST

START_TEST(blanks_after_fields_that_frame_the_body_stay)
{
    accepted("Content-Length: 5 \r\nTransfer-Encoding: chunked\t\r\n", 2);
    ck_assert_str_eq(framing.length, "5 ");
    ck_assert_str_eq(framing.encoding, "chunked\t");
}
END_TEST

START_TEST(repeated_lists_are_joined)
{
    accepted("Accept: a\r\nIf-None-Match: \"1\"\r\nAccept: b\r\nAccept:\r\nAccept: c\r\n"
             "If-None-Match: \"2\"\r\nAccept-Encoding: x\r\nAccept-Encoding: y\r\n",
             8);
    ck_assert_str_eq(head.accept, "a, b, , c");
    ck_assert_str_eq(head.if_none_match, "\"1\", \"2\"");
    ck_assert_str_eq(head.accept_encoding, "x, y");
}
END_TEST

START_TEST(fields_that_decide_the_framing_are_counted)
{
    accepted("Host: a\r\nhost: b\r\nContent-Length: 1\r\ncontent-length: 2\r\n"
             "transfer-encoding: a\r\nTRANSFER-ENCODING: b\r\nExpect: a\r\nExpect: b\r\n",
             8);
    ck_assert_uint_eq(framing.hosts, 2);
    ck_assert_uint_eq(framing.lengths, 2);
    ck_assert_uint_eq(framing.encodings, 2);
    ck_assert_uint_eq(framing.expectations, 2);
}
END_TEST

START_TEST(a_field_that_may_be_given_once_is_refused_the_second_time)
{
    read_lines("Content-Type: a\r\nContent-Type: a\r\n", 2);
    ck_assert_uint_eq(head.refused, 400);
    ck_assert_str_eq(head.refused_why,
                     "Authorization, Content-Type and Content-Encoding may be given once");
    read_lines("Content-Encoding: a\r\nContent-Encoding: b\r\n", 2);
    ck_assert_uint_eq(head.refused, 400);
}
END_TEST

START_TEST(a_hint_given_twice_is_no_hint)
{
    accepted("X-Request-Id: a\r\nX-Request-Id: b\r\nTraceparent: a\r\nTraceparent: b\r\n", 4);
    ck_assert_str_eq(head.request_id, "");
    ck_assert_str_eq(head.traceparent, "");
}
END_TEST

START_TEST(any_other_pattern_of_nuls_is_refused)
{
    REFUSED("A\0 a\0", 1);              /* a bare LF */
    REFUSED("A\0 a\0\0\0X\0 b\0\0", 2); /* a line that starts with NUL */
    REFUSED("A\0 a\0b\0\0", 1);         /* a NUL in a value */
    REFUSED("A\0 a\0\0b\0 c\0\0", 1);   /* two, so that it looks like another line */
    REFUSED("A a\0\0", 0);              /* no colon */
    REFUSED("A \0 a\0\0", 1);           /* a blank before the colon */
    REFUSED(" A\0 a\0\0", 1);           /* a fold */
    REFUSED("\0 a\0\0", 1);             /* no name */
    REFUSED("A\0 a\rB\0\0", 1);         /* a CR in a value */
    REFUSED("A\0 a\x01\0\0", 1);
    REFUSED("A\0 a\x7f\0\0", 1);
    REFUSED("A\x80\0 a\0\0", 1);
    REFUSED("A\0 a", 1); /* cut */
    REFUSED("A", 1);
    REFUSED("A\0 a\0\0", 2); /* libmicrohttpd counted another number */
    REFUSED("A\0 a\0\0", 0);
    REFUSED("\0", 0);
}
END_TEST

START_TEST(a_head_may_have_no_lines)
{
    accepted("", 0);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(known_fields_are_stored_without_blanks_around_them),
    TEST(blanks_after_fields_that_frame_the_body_stay),
    TEST(repeated_lists_are_joined),
    TEST(fields_that_decide_the_framing_are_counted),
    TEST(a_field_that_may_be_given_once_is_refused_the_second_time),
    TEST(a_hint_given_twice_is_no_hint),
    TEST(any_other_pattern_of_nuls_is_refused),
    TEST(a_head_may_have_no_lines),
};

const struct suite header_lines_suite = {SUITE_TESTS(tests), .setup = begin, .teardown = end};
