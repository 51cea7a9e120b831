/* SPDX-License-Identifier: Apache-2.0
 * test_header_block.c - header fields of a response, collected as lines. That they are sent as
 * they were written is a case of the self-test (test_mhd_selftest.c). */
#include "server/http/header_block.h"

#include <string.h>

#include "tests/support/suite.h"

static struct header_block block;

static void start(void)
{
    header_block_init(&block);
}

static void expect(const char *name, const char *value)
{
    size_t len;
    const char *found = header_block_find(&block, name, &len);

    ck_assert_msg(!found == !value, "%s is %s", name, found ? found : "not found");
    if (!found)
        return;
    ck_assert_uint_eq(len, strlen(value));
    ck_assert_mem_eq(found, value, len);
}

START_TEST(fields_and_lines_are_lines)
{
    header_block_add(&block, "Content-Type", "text/plain");
    header_block_add_lines(&block, "Link: <a:b>\nEmpty: \n");
    header_block_add(&block, "ETag", "\"t\"");
    ck_assert(!block.lines.failed);
    ck_assert_str_eq(block.lines.bytes,
                     "Content-Type: text/plain\r\nLink: <a:b>\r\nEmpty: \r\nETag: \"t\"\r\n");
}
END_TEST

START_TEST(a_field_is_found_by_its_name_in_any_case)
{
    header_block_add(&block, "Content-Type", "text/plain");
    header_block_add(&block, "Vary", "Accept");
    header_block_add(&block, "X-Vary-Too", "Origin");
    expect("content-type", "text/plain");
    expect("VARY", "Accept");
    expect("X-Vary-Too", "Origin");
    expect("Vary-Too", NULL);
    expect("Var", NULL);
    expect("text/plain", NULL);
}
END_TEST

START_TEST(an_empty_block_has_no_field)
{
    expect("A", NULL);
    expect("", NULL);
    ck_assert_uint_eq(block.lines.len, 0);
}
END_TEST

static const char *const split[] = {"a\r\nSet-Cookie: b", "a\nb", "a\rb", "\n"};

START_TEST(a_value_with_the_end_of_a_line_makes_the_block_fail)
{
    header_block_add(&block, "A", split[_i]);
    ck_assert(block.lines.failed);
    expect("A", NULL);
    header_block_init(&block);
    header_block_add_lines(&block, "A: b\r\nC: d\n");
    ck_assert(block.lines.failed);
}
END_TEST

START_TEST(lines_that_there_was_no_memory_for_make_the_block_fail)
{
    header_block_add_lines(&block, NULL);
    ck_assert(block.lines.failed);
}
END_TEST

START_TEST(a_block_that_is_too_long_fails)
{
    static char value[HEADER_BLOCK_SIZE];

    memset(value, 'x', sizeof value - 1);
    value[sizeof value - sizeof "A: \r\n"] = '\0'; /* the longest that fits */
    header_block_add(&block, "A", value);
    ck_assert(!block.lines.failed);
    expect("A", value);
    header_block_init(&block);
    header_block_add(&block, "AB", value);
    ck_assert(block.lines.failed);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(fields_and_lines_are_lines),
    TEST(a_field_is_found_by_its_name_in_any_case),
    TEST(an_empty_block_has_no_field),
    TEST_EACH(a_value_with_the_end_of_a_line_makes_the_block_fail, split),
    TEST(lines_that_there_was_no_memory_for_make_the_block_fail),
    TEST(a_block_that_is_too_long_fails),
};

const struct suite header_block_suite = {SUITE_TESTS(tests), .setup = start};
