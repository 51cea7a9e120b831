/* SPDX-License-Identifier: Apache-2.0
 * test_header_block.c - header fields of a response as one field of libmicrohttpd. That they
 * are sent as they were written is a case of the self-test (test_mhd_selftest.c). */
#include "server/http/header_block.h"

#include <string.h>

#include "tests/support/suite.h"

static struct MHD_Response *response;
static struct header_block block;

static void start(void)
{
    response = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    ck_assert_ptr_nonnull(response);
    header_block_init(&block);
}

static void stop(void)
{
    MHD_destroy_response(response);
}

static void expect(const char *name, const char *value)
{
    size_t len;
    const char *found = header_block_find(response, name, &len);

    ck_assert_msg(!found == !value, "%s is %s", name, found ? found : "not found");
    if (!found)
        return;
    ck_assert_uint_eq(len, strlen(value));
    ck_assert_mem_eq(found, value, len);
}

START_TEST(all_fields_are_one_field_of_libmicrohttpd)
{
    header_block_add(&block, "Content-Type", "text/plain");
    header_block_add_lines(&block, "Link: <a:b>\nEmpty: \n");
    header_block_add(&block, "ETag", "\"t\"");
    ck_assert(header_block_give(&block, response));
    ck_assert_int_eq(MHD_get_response_headers(response, NULL, NULL), 1);
    ck_assert_str_eq(MHD_get_response_header(response, "Content-Type"),
                     "text/plain\r\nLink: <a:b>\r\nEmpty: \r\nETag: \"t\"");
}
END_TEST

START_TEST(a_field_is_found_by_its_name_in_any_case)
{
    header_block_add(&block, "Content-Type", "text/plain");
    header_block_add(&block, "Vary", "Accept");
    header_block_add(&block, "X-Vary-Too", "Origin");
    ck_assert(header_block_give(&block, response));
    ck_assert_int_eq(MHD_add_response_header(response, "Connection", "close"), MHD_YES);
    expect("content-type", "text/plain");
    expect("VARY", "Accept");
    expect("X-Vary-Too", "Origin");
    expect("Connection", "close");
    expect("Vary-Too", NULL);
    expect("Var", NULL);
    expect("text/plain", NULL);
}
END_TEST

START_TEST(a_response_may_have_several_blocks)
{
    header_block_add(&block, "A", "1");
    ck_assert(header_block_give(&block, response));
    header_block_init(&block);
    header_block_add(&block, "B", "2");
    header_block_add(&block, "C", "3");
    ck_assert(header_block_give(&block, response));
    expect("A", "1");
    expect("B", "2");
    expect("C", "3");
}
END_TEST

START_TEST(an_empty_block_adds_nothing)
{
    ck_assert(header_block_give(&block, response));
    ck_assert_int_eq(MHD_get_response_headers(response, NULL, NULL), 0);
}
END_TEST

static const char *const split[] = {"a\r\nSet-Cookie: b", "a\nb", "a\rb", "\n"};

START_TEST(a_value_with_the_end_of_a_line_is_refused)
{
    header_block_add(&block, "A", split[_i]);
    ck_assert(!header_block_give(&block, response));
    header_block_init(&block);
    header_block_add_lines(&block, "A: b\r\nC: d\n");
    ck_assert(!header_block_give(&block, response));
    ck_assert_int_eq(MHD_get_response_headers(response, NULL, NULL), 0);
}
END_TEST

START_TEST(a_block_that_is_too_long_is_refused)
{
    static char value[HEADER_BLOCK_SIZE];

    memset(value, 'x', sizeof value - 1);
    value[sizeof value - sizeof "A: \r\n"] = '\0'; /* the longest that has room */
    header_block_add(&block, "A", value);
    ck_assert(header_block_give(&block, response));
    expect("A", value);
    header_block_init(&block);
    header_block_add(&block, "AB", value);
    ck_assert(!header_block_give(&block, response));
}
END_TEST

static const struct suite_test tests[] = {
    TEST(all_fields_are_one_field_of_libmicrohttpd),
    TEST(a_field_is_found_by_its_name_in_any_case),
    TEST(a_response_may_have_several_blocks),
    TEST(an_empty_block_adds_nothing),
    TEST_EACH(a_value_with_the_end_of_a_line_is_refused, split),
    TEST(a_block_that_is_too_long_is_refused),
};

const struct suite header_block_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
