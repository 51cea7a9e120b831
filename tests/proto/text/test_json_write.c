/* SPDX-License-Identifier: Apache-2.0
 * test_json_write.c - tests JSON that is written: commas, strings, numbers, lines. */
#include <math.h>
#include <string.h>

#include "proto/text/json_write.h"
#include "tests/support/suite.h"

/* Checks what was written, and frees it. */
static void check(struct buffer *out, const char *want)
{
    ck_assert(!out->failed);
    ck_assert_str_eq(out->bytes, want);
    buffer_fini(out);
}

START_TEST(commas_stand_between_members_and_items_alone)
{
    struct buffer out = {0};

    json_write(&out, "{");
    json_write_text(&out, "a", "x");
    json_write(&out, "'b':[");
    json_write(&out, "[");
    json_write(&out, "]");
    json_write_flag(&out, NULL, true);
    json_write_integer(&out, NULL, 7);
    json_write(&out, "{}");
    json_write(&out, "],'c':{");
    json_write_key(&out, "d");
    json_write(&out, "null");
    json_write_number(&out, "e", -0.5);
    json_write(&out, "}");
    json_write_flag(&out, "f", false);
    json_write(&out, "}\n");
    check(&out, "{\"a\":\"x\",\"b\":[[],true,7,{}],\"c\":{\"d\":null,\"e\":-0.5},"
                "\"f\":false}\n");
}
END_TEST

START_TEST(text_of_other_functions_counts)
{
    struct buffer out = {0};

    json_write(&out, "{'a':");
    buffer_add_text(&out, "[1]");
    json_write_integers(&out, "b", (const uint64_t[]){1, 2}, 2);
    json_write_integers(&out, "c", NULL, 0);
    json_write(&out, "}");
    check(&out, "{\"a\":[1],\"b\":[1,2],\"c\":[]}");
}
END_TEST

START_TEST(holes_of_a_text_are_filled)
{
    struct buffer out = {0};

    json_write(&out, "{'%s-%s':'\xc3\xa9%s','n':[%d,%d,%u,%zu,%ld,%lu]", "a", "b'", "\"\n", -1,
               2, 3u, (size_t)4, -9223372036854775807L - 1, 18446744073709551615UL);
    json_write(&out, "'t':%s}", "true");
    check(&out, "{\"a-b'\":\"\xc3\xa9\\\"\\n\",\"n\":[-1,2,3,4,-9223372036854775808,"
                "18446744073709551615],\"t\":true}");
}
END_TEST

/* PRIu64 is lu or llu, as the machine's long has 64 bits or 32. */
START_TEST(numbers_of_64_bits_have_either_length)
{
    struct buffer out = {0};

    json_write(&out, "[%llu,%lld,%lu,%ld]", 18446744073709551615ull, -5000000000ll, 7ul, -8l);
    ck_assert_str_eq(out.bytes, "[18446744073709551615,-5000000000,7,-8]");
    buffer_fini(&out);
}
END_TEST

START_TEST(a_text_that_is_absent_has_no_member)
{
    struct buffer out = {0};

    json_write(&out, "{");
    json_write_text(&out, "a", NULL);
    json_write_text(&out, "b", "");
    json_write_texts(&out, "c", (const char *const[]){"x", "y\\"}, 2);
    json_write(&out, "}");
    check(&out, "{\"b\":\"\",\"c\":[\"x\",\"y\\\\\"]}");
}
END_TEST

START_TEST(a_text_of_a_buffer_is_freed_or_fails_with_it)
{
    struct buffer out = {0}, text = {0}, failed = {.failed = true};

    buffer_add_text(&text, "x\t");
    json_write(&out, "[");
    json_write_buffer(&out, NULL, &text);
    ck_assert_ptr_null(text.bytes);
    ck_assert_str_eq(out.bytes, "[\"x\\t\"");
    json_write_buffer(&out, NULL, &failed);
    ck_assert(out.failed);
    json_write(&out, "]");
    ck_assert(out.failed);
    buffer_fini(&out);
}
END_TEST

START_TEST(numbers_that_are_not_finite_are_words)
{
    struct buffer out = {0};

    json_write(&out, "[");
    json_write_number(&out, NULL, 1e300);
    json_write_number(&out, NULL, (double)INFINITY);
    json_write_number(&out, NULL, -(double)INFINITY);
    json_write_number(&out, NULL, (double)NAN);
    json_write(&out, "]");
    check(&out, "[1e300,\"Infinity\",\"-Infinity\",\"NaN\"]");
}
END_TEST

START_TEST(lines_are_indented_for_people_alone)
{
    static const char *const wants[] = {
        "{\"a\":1,\"b\":[],\"c\":[2]}",
        "{\n  \"a\": 1,\n  \"b\": [],\n  \"c\": [\n    2\n  ]\n}"};

    for (size_t i = 0; i < 2; i++) {
        const size_t indent = 2 * i;
        struct buffer out = {0};

        json_write(&out, "{");
        json_write_line(&out, "a", indent);
        json_write_integer(&out, NULL, 1);
        json_write_line(&out, "b", indent);
        json_write(&out, "[");
        json_write_last_line(&out, "]", 2 * indent);
        json_write_line(&out, "c", indent);
        json_write(&out, "[");
        json_write_line(&out, NULL, 2 * indent);
        json_write_integer(&out, NULL, 2);
        json_write_last_line(&out, "]", 2 * indent);
        json_write_last_line(&out, "}", indent);
        check(&out, wants[i]);
    }
}
END_TEST

static void check_string(const char *bytes, size_t len, const char *want)
{
    struct buffer buffer = {0};

    json_write_string(&buffer, NULL, bytes, len);
    ck_assert_str_eq(buffer.bytes, want);
    ck_assert_uint_eq(buffer.len, strlen(want));
    buffer_fini(&buffer);
}

START_TEST(json_strings_are_quoted_and_escaped)
{
    check_string("", 0, "\"\"");
    check_string("plain", 5, "\"plain\"");
    check_string("a\"b\\c/d", 7, "\"a\\\"b\\\\c/d\"");
    check_string("\b\t\n\f\r", 5, "\"\\b\\t\\n\\f\\r\"");
    check_string("\x00\x01\x1f\x7f", 4, "\"\\u0000\\u0001\\u001f\x7f\"");
    check_string("\"", 1, "\"\\\"\"");
}
END_TEST

START_TEST(utf8_goes_through_as_it_is)
{
    const char *text = "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xed\x9f\xbf \xee\x80\x80 "
                       "\xf4\x8f\xbf\xbf \xc2\x80 \xe0\xa0\x80 \xf0\x90\x80\x80";
    char want[64] = "\"";

    memcpy(want + 1, text, strlen(text));
    want[strlen(text) + 1] = '"';
    check_string(text, strlen(text), want);
}
END_TEST

#define BAD "\xef\xbf\xbd"

START_TEST(broken_utf8_becomes_replacement_characters)
{
    check_string("\x80", 1, "\"" BAD "\"");
    check_string("a\xff"
                 "b",
                 3, "\"a" BAD "b\"");
    check_string("\xc3", 1, "\"" BAD "\"");     /* a character that is cut off */
    check_string("\xe2\x82", 2, "\"" BAD "\""); /* one maximal subpart */
    check_string("\xe2\x82x", 3, "\"" BAD "x\"");
    check_string("\xf0\x9f\x98", 3, "\"" BAD "\"");
    check_string("\xc0\xaf", 2, "\"" BAD BAD "\""); /* an overlong form */
    check_string("\xe0\x80\x80", 3, "\"" BAD BAD BAD "\"");
    check_string("\xf0\x80\x80\x80", 4, "\"" BAD BAD BAD BAD "\"");
    check_string("\xed\xa0\x80", 3, "\"" BAD BAD BAD "\"");         /* a surrogate */
    check_string("\xf4\x90\x80\x80", 4, "\"" BAD BAD BAD BAD "\""); /* beyond U+10FFFF */
    check_string("\xf5\x80", 2, "\"" BAD BAD "\"");
    check_string("\xc3\xc3\xa9", 3, "\"" BAD "\xc3\xa9\"");
}
END_TEST

static const struct suite_test values_tests[] = {
    TEST(commas_stand_between_members_and_items_alone),
    TEST(text_of_other_functions_counts),
    TEST(holes_of_a_text_are_filled),
    TEST(numbers_of_64_bits_have_either_length),
    TEST(a_text_that_is_absent_has_no_member),
    TEST(a_text_of_a_buffer_is_freed_or_fails_with_it),
    TEST(numbers_that_are_not_finite_are_words),
    TEST(lines_are_indented_for_people_alone),
};

static const struct suite_test strings_tests[] = {
    TEST(json_strings_are_quoted_and_escaped),
    TEST(utf8_goes_through_as_it_is),
    TEST(broken_utf8_becomes_replacement_characters),
};

static const struct suite strings_case = {SUITE_TESTS(strings_tests)};
const struct suite json_write_suite = {SUITE_TESTS(values_tests), .next = &strings_case};
