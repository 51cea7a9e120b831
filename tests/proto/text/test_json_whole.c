/* SPDX-License-Identifier: Apache-2.0
 * test_json_whole.c - whole numbers beyond 2^53 in bodies: alone, in short arrays, in arrays
 * that never reach jansson, in pieces of any length, and behind arrays that were given up. */
#include <stdlib.h>
#include <string.h>

#include "proto/text/buffer.h"
#include "proto/text/json_memory.h"
#include "proto/text/json_whole.h"
#include "tests/support/suite.h"

static void set_up(void)
{
    json_memory_init();
}

static struct json_body *read_body(const char *text, size_t piece)
{
    struct json_body *body = json_body_new(1 << 20);
    const size_t len = strlen(text);

    for (size_t at = 0; at < len; at += piece)
        json_body_add(body, text + at, len - at < piece ? len - at : piece);
    ck_assert_msg(json_body_finish(body) == JSON_BODY_OK, "%s", json_body_error(body));
    return body;
}

static void expect(const struct json_body *body, const struct json_body_value *parent,
                   const char *name, size_t i, int64_t want, const char *text)
{
    char printed[JSON_WHOLE_TEXT_SIZE];
    struct json_body_value value;
    int64_t whole = 0;

    ck_assert_msg(json_body_find(body, parent, name, &value), "no %s", name);
    ck_assert_msg(json_whole_get(&value, i, &whole) == (want != 0), "%s[%zu]", name, i);
    if (want != 0)
        ck_assert_int_eq(whole, want);
    ck_assert_str_eq(json_whole_print(&value, i, printed), text);
}

START_TEST(all_digits_of_a_number_alone_and_in_short_arrays_count)
{
    static const char text[] =
        "{\"near\": 9007199254740992, \"odd\": 9007199254740993, \"at\": {\"minus\": "
        "-9007199254740993.0, \"list\": [[1, 9007199254740993], [-9223372036854775808, "
        "9223372036854775807]]}, \"mixed\": [9007199254740993, \"a\", {\"b\": "
        "9007199254740995, \"c\": [9007199254740997]}, 9007199254740993], \"huge\": "
        "18446744073709549000, "
        "\"beyond\": 1e300, \"half\": 9007199254740992.5, \"e\": 9007199254740993e0, \"last\": "
        "[9223372036854775808, -9223372036854775809, 0.5]}";

    for (size_t piece = 1; piece < sizeof text; piece += 7) {
        struct json_body *body = read_body(text, piece);
        struct json_body_value at, item;
        size_t objects = 0;

        expect(body, NULL, "near", 0, INT64_C(9007199254740992), "9007199254740992");
        expect(body, NULL, "odd", 0, INT64_C(9007199254740993), "9007199254740993");
        ck_assert(json_body_find(body, NULL, "at", &at));
        expect(body, &at, "minus", 0, -INT64_C(9007199254740993), "-9007199254740993");
        expect(body, &at, "list", 0, 1, "1");
        expect(body, &at, "list", 1, INT64_C(9007199254740993), "9007199254740993");
        expect(body, &at, "list", 2, INT64_MIN, "-9223372036854775808");
        expect(body, &at, "list", 3, INT64_MAX, "9223372036854775807");
        ck_assert(json_body_find(body, NULL, "mixed", &at) &&
                  json_body_item(&at, 2, &objects, &item));
        expect(body, &item, "b", 0, INT64_C(9007199254740995), "9007199254740995");
        expect(body, &item, "c", 0, INT64_C(9007199254740997), "9007199254740997");
        expect(body, NULL, "huge", 0, 0, "18446744073709549000");
        expect(body, NULL, "beyond", 0, 0, "1.0000000000000001e+300");
        expect(body, NULL, "half", 0, 0, "a fraction near 9007199254740992");
        expect(body, NULL, "e", 0, INT64_C(9007199254740993), "9007199254740993");
        expect(body, NULL, "last", 0, 0, "9223372036854775808");
        expect(body, NULL, "last", 1, 0, "-9223372036854775809");
        expect(body, NULL, "last", 2, 0, "0.5");
        json_body_free(body);
    }
}
END_TEST

/* 1000 numbers make the store of doubles grow twice, and that of the rests with it. */
START_TEST(all_digits_in_long_arrays_count)
{
    struct buffer text = {0};

    buffer_add_text(&text, "{\"a\": 1, \"list\": [");
    for (int64_t i = 0; i < 1000; i++)
        buffer_add_format(&text, "%s%lld", i > 0 ? " ,\n" : "",
                          (long long)(i % 3 == 0 ? i : INT64_C(9007199254740993) + i));
    buffer_add_text(&text, "], \"z\": 9007199254740993}");
    for (size_t piece = 1; piece < text.len; piece = piece * 3 + 1) {
        struct json_body *body = read_body(text.bytes, piece);
        struct json_body_value list;

        ck_assert(json_body_find(body, NULL, "list", &list) && list.cols == 1000);
        for (int64_t i = 0, whole; i < 1000; i++) {
            ck_assert(json_whole_get(&list, (size_t)i, &whole));
            ck_assert_int_eq(whole, i % 3 == 0 ? i : INT64_C(9007199254740993) + i);
        }
        expect(body, NULL, "z", 0, INT64_C(9007199254740993), "9007199254740993");
        json_body_free(body);
    }
    buffer_fini(&text);
}
END_TEST

START_TEST(lengths_are_whole_and_at_most_2_to_the_53)
{
    struct json_body *body =
        read_body("{\"list\": [0, 9007199254740992, 9007199254740993, -1, 0.5]}", 100);
    struct json_body_value list;
    uint64_t length = 7;

    ck_assert(json_body_find(body, NULL, "list", &list));
    ck_assert(json_whole_length(&list, 0, &length) && length == 0);
    ck_assert(json_whole_length(&list, 1, &length) && length == UINT64_C(1) << 53);
    for (size_t i = 2; i < 5; i++)
        ck_assert(!json_whole_length(&list, i, &length));
    json_body_free(body);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(all_digits_of_a_number_alone_and_in_short_arrays_count),
    TEST(all_digits_in_long_arrays_count),
    TEST(lengths_are_whole_and_at_most_2_to_the_53),
};

const struct suite json_whole_suite = {SUITE_TESTS(tests), .setup = set_up};
