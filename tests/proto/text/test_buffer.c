/* SPDX-License-Identifier: Apache-2.0
 * test_buffer.c - tests bytes that grow. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/buffer.h"
#include "tests/support/suite.h"

START_TEST(a_text_that_another_text_failed_for_is_not_taken)
{
    struct buffer text = {0};
    size_t len;

    buffer_add_text(&text, "half of ");
    text.failed = true;
    buffer_add_text(&text, "it"); /* there is space for it */
    ck_assert_ptr_null(buffer_take(&text, &len));
    buffer_fini(&text);
}
END_TEST

START_TEST(what_is_added_stands_in_order_and_ends_with_nul)
{
    struct buffer buffer = {0};

    buffer_add(&buffer, "abc", 3);
    buffer_add_text(&buffer, "def");
    buffer_add(&buffer, "", 0);
    buffer_add(&buffer, NULL, 0);
    buffer_add_format(&buffer, "%d-%s", 42, "x");
    ck_assert_str_eq(buffer.bytes, "abcdef42-x");
    ck_assert_uint_eq(buffer.len, 10);
    ck_assert(!buffer.failed);
    buffer_fini(&buffer);
    ck_assert_ptr_null(buffer.bytes);
}
END_TEST

START_TEST(it_grows_through_every_size)
{
    struct buffer buffer = {0};

    for (size_t i = 0; i < 5000; i++) {
        buffer_add(&buffer, &"0123456789"[i % 10], 1);
        ck_assert_uint_eq(buffer.len, i + 1);
        ck_assert_int_eq(buffer.bytes[buffer.len], '\0');
    }
    for (size_t i = 0; i < 5000; i++)
        ck_assert_int_eq(buffer.bytes[i], "0123456789"[i % 10]);
    buffer_fini(&buffer);
}
END_TEST

START_TEST(long_formats_are_not_cut)
{
    struct buffer buffer = {0};

    for (int width = 250; width < 262; width++) {
        buffer.len = 0;
        buffer_add_format(&buffer, "%0*d", width, 7);
        ck_assert_uint_eq(buffer.len, (size_t)width);
        ck_assert_int_eq(buffer.bytes[width - 1], '7');
        ck_assert_uint_eq(strlen(buffer.bytes), (size_t)width);
    }
    buffer_fini(&buffer);
}
END_TEST

START_TEST(space_is_written_by_the_caller)
{
    struct buffer buffer = {0};
    char *space = buffer_reserve(&buffer, 1000);

    ck_assert_ptr_nonnull(space);
    memset(space, 'x', 1000);
    buffer_advance(&buffer, 10);
    ck_assert_str_eq(buffer.bytes, "xxxxxxxxxx");
    ck_assert_ptr_eq(buffer_reserve(&buffer, 0), buffer.bytes + 10);
    buffer_fini(&buffer);
}
END_TEST

START_TEST(space_of_the_caller_is_not_left)
{
    char space[8] = "";
    struct buffer buffer = buffer_over(space, sizeof space);

    buffer_add_text(&buffer, "seven");
    buffer_add_integer(&buffer, 89);
    ck_assert_str_eq(space, "seven89");
    ck_assert(!buffer.failed && buffer.bytes == space);
    buffer_add(&buffer, "x", 1);
    ck_assert(buffer.failed);
    ck_assert_str_eq(space, "seven89");
}
END_TEST

START_TEST(whole_numbers_are_decimal)
{
    struct buffer buffer = {0};

    buffer_add_integer(&buffer, 0);
    buffer_add_text(&buffer, " ");
    buffer_add_integer(&buffer, UINT64_MAX);
    ck_assert_str_eq(buffer.bytes, "0 18446744073709551615");
    buffer_fini(&buffer);
}
END_TEST

START_TEST(taking_hands_the_bytes_over_and_empties_the_buffer)
{
    struct buffer buffer = {0};
    size_t len = 99;
    char *bytes = buffer_take(&buffer, &len);

    ck_assert_uint_eq(len, 0);
    ck_assert_str_eq(bytes, "");
    free(bytes);
    buffer_add_text(&buffer, "hello");
    bytes = buffer_take(&buffer, &len);
    ck_assert_str_eq(bytes, "hello");
    ck_assert_uint_eq(len, 5);
    ck_assert_uint_eq(buffer.len, 0);
    ck_assert_ptr_null(buffer.bytes);
    free(bytes);
}
END_TEST

START_TEST(failure_sticks_until_the_end)
{
    struct buffer buffer = {0};
    size_t len = 99;

    buffer_add_text(&buffer, "abc");
    ck_assert_ptr_null(buffer_reserve(&buffer, SIZE_MAX - 1)); /* len + more overflows */
    ck_assert(buffer.failed);
    ck_assert_ptr_null(buffer_reserve(&buffer, 1));
    buffer_add_text(&buffer, "abc");
    buffer_add_format(&buffer, "%d", 1);
    buffer_add_integer(&buffer, 1);
    ck_assert(buffer.failed);
    ck_assert_uint_eq(buffer.len, 0);
    ck_assert_ptr_null(buffer_take(&buffer, &len));
    buffer_fini(&buffer);
    ck_assert(!buffer.failed);
    ck_assert_ptr_null(buffer_reserve(&buffer, PTRDIFF_MAX - 1)); /* beyond all memory */
    ck_assert(buffer.failed);
    buffer_fini(&buffer);
}
END_TEST

static const struct suite_test bytes_tests[] = {
    TEST(a_text_that_another_text_failed_for_is_not_taken),
    TEST(what_is_added_stands_in_order_and_ends_with_nul),
    TEST(it_grows_through_every_size),
    TEST(long_formats_are_not_cut),
    TEST(space_is_written_by_the_caller),
    TEST(space_of_the_caller_is_not_left),
    TEST(whole_numbers_are_decimal),
    TEST(taking_hands_the_bytes_over_and_empties_the_buffer),
    TEST(failure_sticks_until_the_end),
};

const struct suite buffer_suite = {SUITE_TESTS(bytes_tests)};
