/* SPDX-License-Identifier: Apache-2.0
 * test_transport_response.c - what libmicrohttpd is given for a response: one field for the
 * lines of its head, those that it reads or that change by themselves, and a body that is
 * released once. */
#include <fcntl.h>
#include <microhttpd.h>
#include <string.h>
#include <unistd.h>

#include "server/http/transport.h"
#include "server/mhd/mhd_shortcut.h"
#include "tests/support/suite.h"

static struct header_block head;
static int released;

static void start(void)
{
    header_block_init(&head);
    released = 0;
}

static void release(void *owner)
{
    ck_assert_ptr_eq(owner, &released);
    released++;
}

static ssize_t pull(void *owner, uint64_t at, char *out, size_t capacity)
{
    return TRANSPORT_END;
}

static const struct transport_body bytes = {
    .kind = TRANSPORT_BYTES, .len = 3, .bytes = "abc", .release = release, .owner = &released};

static struct MHD_Response *mhd_of(struct transport_response *response)
{
    return (struct MHD_Response *)(void *)response;
}

static void expect(struct transport_response *response, int count, const char *name,
                   const char *value)
{
    ck_assert_ptr_nonnull(response);
    ck_assert_int_eq(MHD_get_response_headers(mhd_of(response), NULL, NULL), count);
    if (name)
        ck_assert_str_eq(MHD_get_response_header(mhd_of(response), name), value);
}

/* ---- the head ---------------------------------------------------------------------------- */

START_TEST(all_lines_are_one_field_of_libmicrohttpd)
{
    struct transport_response *response;

    header_block_add(&head, "Content-Type", "text/plain");
    header_block_add_lines(&head, "Link: <a:b>\nEmpty: \n");
    header_block_add(&head, "ETag", "\"t\"");
    response = transport_response_new(SHORTCUTS_ALL, &bytes, &head);
    expect(response, 1, "Content-Type", "text/plain\r\nLink: <a:b>\r\nEmpty: \r\nETag: \"t\"");
    transport_response_free(response);
}
END_TEST

START_TEST(what_libmicrohttpd_reads_or_what_changes_is_a_field_of_its_own)
{
    struct transport_response *response;
    struct header_block lines;

    header_block_add_lines(&head, "A: 1\nB: 2\n");
    head.closes = true;
    head.request_id = "0123456789abcdef";
    response = transport_response_new(SHORTCUTS_ALL, &bytes, &head);
    expect(response, 3, "Connection", "close");
    expect(response, 3, "X-Request-Id", "0123456789abcdef");
    header_block_init(&lines);
    transport_response_lines(response, &lines);
    ck_assert_str_eq(lines.lines.bytes, "A: 1\r\nB: 2\r\n");
    transport_response_free(response);
}
END_TEST

START_TEST(without_shortcuts_each_line_is_a_field)
{
    struct transport_response *response;
    struct header_block lines;

    header_block_add_lines(&head, "A: 1\nEmpty: \nB: 2\n");
    head.request_id = "0123456789abcdef";
    head.closes = true;
    response = transport_response_new(0, &bytes, &head);
    expect(response, 4, "A", "1");
    expect(response, 4, "B", "2");
    expect(response, 4, "X-Request-Id", "0123456789abcdef");
    header_block_init(&lines);
    transport_response_lines(response, &lines);
    ck_assert_str_eq(lines.lines.bytes, "A: 1\r\nB: 2\r\n");
    transport_response_free(response);
}
END_TEST

START_TEST(an_empty_head_adds_nothing)
{
    struct transport_response *response = transport_response_new(SHORTCUTS_ALL, &bytes, &head);

    expect(response, 0, NULL, NULL);
    transport_response_free(response);
}
END_TEST

/* ---- the body ---------------------------------------------------------------------------- */

static const struct transport_body bodies[] = {
    {.kind = TRANSPORT_BYTES, .len = 3, .bytes = "abc"},
    {.kind = TRANSPORT_PULLED, .len = TRANSPORT_LEN_UNKNOWN, .block = 10, .pull = pull},
    {.kind = TRANSPORT_PULLED, .len = 10, .block = 10, .pull = pull},
};

START_TEST(a_body_is_released_with_its_response)
{
    struct transport_body body = bodies[_i];
    struct transport_response *response;

    body.release = release;
    body.owner = &released;
    response = transport_response_new(SHORTCUTS_ALL, &body, &head);
    ck_assert_ptr_nonnull(response);
    ck_assert_int_eq(released, 0);
    transport_response_free(response);
    ck_assert_int_eq(released, 1);
}
END_TEST

START_TEST(a_head_that_has_failed_makes_no_response_and_releases_the_body)
{
    header_block_add_lines(&head, NULL);
    ck_assert_ptr_null(transport_response_new(SHORTCUTS_ALL, &bytes, &head));
    ck_assert_int_eq(released, 1);
}
END_TEST

START_TEST(a_body_without_memory_makes_no_response)
{
    const struct transport_body body = {.kind = TRANSPORT_LACKS};

    ck_assert_ptr_null(transport_response_new(SHORTCUTS_ALL, &body, &head));
}
END_TEST

START_TEST(the_descriptor_of_a_file_is_closed_with_its_response_or_without_one)
{
    struct transport_body body = {.kind = TRANSPORT_FILE, .len = 1, .fd = open("/dev/null", 0)};

    transport_response_free(transport_response_new(SHORTCUTS_ALL, &body, &head));
    ck_assert_int_eq(fcntl(body.fd, F_GETFD), -1);
    body.fd = open("/dev/null", 0);
    header_block_add_lines(&head, NULL);
    ck_assert_ptr_null(transport_response_new(SHORTCUTS_ALL, &body, &head));
    ck_assert_int_eq(fcntl(body.fd, F_GETFD), -1);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(all_lines_are_one_field_of_libmicrohttpd),
    TEST(what_libmicrohttpd_reads_or_what_changes_is_a_field_of_its_own),
    TEST(without_shortcuts_each_line_is_a_field),
    TEST(an_empty_head_adds_nothing),
    TEST_EACH(a_body_is_released_with_its_response, bodies),
    TEST(a_head_that_has_failed_makes_no_response_and_releases_the_body),
    TEST(a_body_without_memory_makes_no_response),
    TEST(the_descriptor_of_a_file_is_closed_with_its_response_or_without_one),
};

const struct suite transport_response_suite = {SUITE_TESTS(tests), .setup = start};
