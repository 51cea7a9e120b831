/* SPDX-License-Identifier: Apache-2.0
 * test_json_body.c - tests members and limits of JSON bodies; json_body.txt has the
 * sentences of refusals. */
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/buffer.h"
#include "proto/text/json_body.h"
#include "proto/text/json_memory.h"
#include "tests/proto/support/bodies.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

enum { MAX_BODY = 1 << 20 };

static void set_up(void)
{
    json_memory_init();
}

static struct json_body *finish_body(const char *text, size_t len, enum json_body_state want)
{
    struct json_body *body = json_body_new(MAX_BODY);

    ck_assert_ptr_nonnull(body);
    json_body_add(body, text, len);
    ck_assert_msg(json_body_finish(body) == want, "%.80s: %s", text, json_body_error(body));
    return body;
}

static struct json_body *good_body(const char *text)
{
    struct json_body *body = finish_body(text, strlen(text), JSON_BODY_OK);

    ck_assert_str_eq(json_body_error(body), "");
    return body;
}

static struct json_body_value find(const struct json_body *body, const char *name)
{
    struct json_body_value value;

    ck_assert_msg(json_body_find(body, NULL, name, &value), "no %s", name);
    return value;
}

START_TEST(members_come_in_order_with_their_kinds)
{
    static const char *const names[] = {"dim",  "base", "on", "off",
                                        "name", "none", "at", "odd"};
    static const enum json_body_kind kinds[] = {
        JSON_BODY_NUMBER, JSON_BODY_NUMBER, JSON_BODY_BOOL,   JSON_BODY_BOOL,
        JSON_BODY_STRING, JSON_BODY_NULL,   JSON_BODY_OBJECT, JSON_BODY_OTHER};
    struct json_body *body =
        good_body("{\"dim\":128,\"base\":1e4,\"on\":true,\"off\":false,\"name\":\"a\\u00e9\","
                  "\"none\":null,\"at\":{\"start\":-1,\"stop\":2.5},\"odd\":[1,\"x\"]}");
    struct json_body_value value;
    size_t i = 0;

    for (json_body_walk(body, NULL, &value); json_body_next(body, &value);) {
        ck_assert_uint_lt(i, 8);
        ck_assert_str_eq(value.name, names[i]);
        ck_assert_uint_eq(value.name_len, strlen(names[i]));
        ck_assert_int_eq(value.kind, kinds[i]);
        i++;
    }
    ck_assert_uint_eq(i, 8);
    ck_assert(find(body, "dim").number == 128);
    ck_assert(find(body, "base").number == 10000);
    ck_assert(find(body, "on").flag && !find(body, "off").flag);
    ck_assert_str_eq(find(body, "name").text, "a\xc3\xa9");
    ck_assert_uint_eq(find(body, "name").text_len, 3);
    ck_assert(!json_body_find(body, NULL, "nowhere", &value));
    json_body_free(body);
}
END_TEST

START_TEST(objects_are_walked_like_the_body)
{
    struct json_body *body =
        good_body("{\"pos\":{\"start\":-1,\"stop\":2.5,\"in\":{}},\"e\":{}}");
    struct json_body_value pos = find(body, "pos"), value;

    json_body_walk(body, &pos, &value);
    ck_assert(json_body_next(body, &value));
    ck_assert_str_eq(value.name, "start");
    ck_assert(value.number == -1);
    ck_assert(json_body_next(body, &value));
    ck_assert_str_eq(value.name, "stop");
    ck_assert(json_body_next(body, &value));
    struct json_body_value none;
    json_body_walk(body, &value, &none);
    ck_assert(!json_body_next(body, &none));
    ck_assert(!json_body_next(body, &value));
    ck_assert(json_body_find(body, &pos, "stop", &value));
    ck_assert(value.number == 2.5);
    json_body_free(body);
    body = good_body("{}");
    json_body_walk(body, NULL, &value);
    ck_assert(!json_body_next(body, &value));
    json_body_free(body);
}
END_TEST

START_TEST(arrays_of_numbers_have_rows_and_columns)
{
    struct json_body *body =
        good_body("{\"list\":[1,2.5,-3],\"none\":[],\"rows\":[[1,2],[3,4],[5,6]],"
                  "\"deep\":[[[1,2,3,4]],[[5,6,7,8]]],\"empty\":[[],[]]}");
    struct json_body_value value = find(body, "list");

    ck_assert_int_eq(value.kind, JSON_BODY_NUMBERS);
    ck_assert(value.rank == 1 && value.rows == 1 && value.cols == 3);
    ck_assert(value.numbers[1] == 2.5 && value.numbers[2] == -3);
    value = find(body, "none");
    ck_assert(value.kind == JSON_BODY_NUMBERS && value.rank == 1 && value.cols == 0);
    value = find(body, "rows");
    ck_assert(value.rank == 2 && value.rows == 3 && value.cols == 2 && value.numbers[4] == 5);
    value = find(body, "deep");
    ck_assert(value.rank == 3 && value.rows == 2 && value.cols == 4 && value.numbers[7] == 8);
    ck_assert(value.dims[0] == 2 && value.dims[1] == 1 && value.dims[2] == 4);
    value = find(body, "empty");
    ck_assert(value.rank == 2 && value.rows == 2 && value.cols == 0);
    json_body_free(body);
}
END_TEST

START_TEST(long_arrays_are_the_same_as_short_ones)
{
    for (size_t count = 60; count < 70; count++) { /* JSON_BODY_FEW is one of the counts */
        char *text =
            bodies_count_up("{\"a\":0,\"pos\":[", count, "],\"z\":{\"y\":null,\"x\":[[7]]}}");
        struct json_body *body = good_body(text);
        struct json_body_value value = find(body, "pos");
        ck_assert_int_eq(value.kind, JSON_BODY_NUMBERS);
        ck_assert(value.rank == 1 && value.rows == 1 && value.cols == count);
        for (size_t i = 0; i < count; i++)
            ck_assert(value.numbers[i] == (double)i);
        struct json_body_value outer = find(body, "z");
        ck_assert(json_body_find(body, &outer, "y", &value));
        ck_assert_int_eq(value.kind, JSON_BODY_NULL); /* the client's null */
        ck_assert(json_body_find(body, &outer, "x", &value));
        ck_assert(value.rank == 2 && value.numbers[0] == 7);
        json_body_free(body);
        free(text);
    }
}
END_TEST

START_TEST(four_mi_numbers_are_taken_and_one_more_is_not)
{
    enum { CHUNK = 8000 }; /* bytes; must be even */
    struct json_body *body = json_body_new(UINT64_MAX);
    char chunk[CHUNK];
    for (size_t i = 0; i < CHUNK; i += 2)
        memcpy(chunk + i, "1,", 2);
    ck_assert_int_eq(json_body_add(body, "{\"x\":[", 6), JSON_BODY_OK);
    for (size_t left = JSON_BODY_MAX_ARRAY - 1; left > 0;) {
        const size_t now = left < CHUNK / 2 ? left : CHUNK / 2;

        ck_assert_int_eq(json_body_add(body, chunk, 2 * now), JSON_BODY_OK);
        left -= now;
    }
    ck_assert_int_eq(json_body_add(body, "-2.5", 4), JSON_BODY_OK);
    ck_assert_int_eq(json_body_add(body, "]}", 2), JSON_BODY_OK);
    ck_assert_uint_lt(json_body_held(body), (JSON_BODY_MAX_ARRAY + 4096) * sizeof(double));
    ck_assert_int_eq(json_body_finish(body), JSON_BODY_OK);
    ck_assert_uint_eq(find(body, "x").cols, JSON_BODY_MAX_ARRAY);
    ck_assert(find(body, "x").numbers[JSON_BODY_MAX_ARRAY - 1] == -2.5);
    json_body_free(body);

    body = json_body_new(UINT64_MAX);
    json_body_add(body, "{\"x\":[", 6);
    for (size_t i = 0; i <= JSON_BODY_MAX_ARRAY / (CHUNK / 2); i++)
        json_body_add(body, chunk, CHUNK);
    ck_assert_int_eq(json_body_finish(body), JSON_BODY_TOO_LARGE);
    ck_assert_str_eq(json_body_error(body),
                     "line 1, column 8388615: an array has at most 4194304 numbers");
    json_body_free(body);
}
END_TEST

START_TEST(pointers_name_values_and_items)
{
    char text[JSON_BODY_POINTER_SIZE];
    struct json_body *body =
        good_body("{\"pos\":[1,2,3,4],\"a/b~c\":{\"in\":[[1,2,3],[4,5,6]]},"
                  "\"none\":[],\"t\":[[[1,2],[3,4]],[[5,6],[7,8]]]}");
    struct json_body_value value = find(body, "pos");

    ck_assert_str_eq(json_body_pointer(body, &value, JSON_BODY_NO_ITEM, text), "#/pos");
    ck_assert_str_eq(json_body_pointer(body, &value, 3, text), "#/pos/3");
    struct json_body_value outer = find(body, "a/b~c");
    ck_assert_str_eq(json_body_pointer(body, &outer, 5, text), "#/a~1b~0c");
    json_body_walk(body, &outer, &value);
    ck_assert(json_body_next(body, &value));
    ck_assert_str_eq(json_body_pointer(body, &value, 4, text), "#/a~1b~0c/in/1/1");
    value = find(body, "none");
    ck_assert_str_eq(json_body_pointer(body, &value, 0, text),
                     "#/none"); /* no item has that number */
    value = find(body, "t");
    ck_assert_str_eq(json_body_pointer(body, &value, 6, text), "#/t/1/1/0");
    json_body_free(body);

    char *name = bodies_count_up("{\"", 200, "\":1}");
    body = good_body(name);
    json_body_walk(body, NULL, &value);
    ck_assert(json_body_next(body, &value));
    ck_assert_uint_eq(strlen(json_body_pointer(body, &value, JSON_BODY_NO_ITEM, text)),
                      JSON_BODY_POINTER_SIZE - 1);
    json_body_free(body);
    free(name);
}
END_TEST

/* ---- limits ---------------------------------------------------------------------------- */

START_TEST(a_body_has_at_most_the_bytes_it_was_allowed)
{
    struct json_body *body = json_body_new(10);

    ck_assert_int_eq(json_body_add(body, "{\"a\":1}   ", 10), JSON_BODY_OK);
    ck_assert_int_eq(json_body_add(body, " ", 1), JSON_BODY_TOO_LARGE);
    ck_assert_int_eq(json_body_finish(body), JSON_BODY_TOO_LARGE);
    ck_assert_str_eq(json_body_error(body), "a body has at most 10 bytes");
    json_body_free(body);
}
END_TEST

START_TEST(what_is_left_is_at_most_256_kib)
{
    struct json_body *body = json_body_new(MAX_BODY);
    char *spaces = malloc(JSON_BODY_MAX_REST);

    ck_assert_ptr_nonnull(spaces);
    memset(spaces, ' ', JSON_BODY_MAX_REST);
    ck_assert_int_eq(json_body_add(body, "{\"a\":1}", 7), JSON_BODY_OK);
    ck_assert_int_eq(json_body_add(body, spaces, JSON_BODY_MAX_REST - 7), JSON_BODY_OK);
    ck_assert_uint_le(json_body_held(body), JSON_BODY_MAX_REST * 2 + 8192);
    ck_assert_int_eq(json_body_add(body, " ", 1), JSON_BODY_TOO_LARGE);
    ck_assert_str_eq(
        json_body_error(body),
        "line 1, column 262145: apart from arrays of more than 64 numbers a body has "
        "at most 262144 bytes");
    json_body_free(body);
    free(spaces);
}
END_TEST

/* Allocators between jansson and json_memory.c's, which they count or make fail. */
static json_malloc_t counted_malloc;
static json_free_t counted_free;
static size_t until_failure;

static void *take_too_much(size_t size)
{
    return counted_malloc(8 * size);
}

static void *take_until_failure(size_t size)
{
    return until_failure-- > 0 ? counted_malloc(size) : NULL;
}

START_TEST(more_than_24_mib_of_memory_are_refused)
{
    char *text = malloc(JSON_BODY_MAX_REST);
    size_t len = 6;

    ck_assert_ptr_nonnull(text);
    memcpy(text, "{\"a\":[", 6);
    for (; len < JSON_BODY_MAX_REST - 8; len += 3)
        memcpy(text + len, "{},", 3);
    memcpy(text + len - 1, "]}", 2);
    json_get_alloc_funcs(&counted_malloc, &counted_free);
    json_set_alloc_funcs(take_too_much, counted_free);
    struct json_body *body = finish_body(text, len + 1, JSON_BODY_TOO_LARGE);
    json_memory_init();
    ck_assert_str_eq(json_body_error(body),
                     "the body needs more than 25165824 bytes of memory");
    ck_assert_uint_le(json_body_held(body), (size_t)3 * JSON_BODY_MAX_REST);
    json_body_free(body);
    free(text);
}
END_TEST

START_TEST(when_memory_is_out_anywhere_it_is_said)
{
    const char *text =
        "{\"a\":[1,2,{\"b\":\"c\"}],\"d\":{\"e\":null,\"f\":[true,\"\\u00e9\"]}}";
    enum json_body_state state = JSON_BODY_NO_MEMORY;

    json_get_alloc_funcs(&counted_malloc, &counted_free);
    for (size_t allowed = 0; state == JSON_BODY_NO_MEMORY; allowed++) {
        struct json_body *body = json_body_new(MAX_BODY);

        json_body_add(body, text, strlen(text));
        until_failure = allowed;
        json_set_alloc_funcs(take_until_failure, counted_free);
        state = json_body_finish(body);
        json_memory_init();
        ck_assert(allowed > 5 || state == JSON_BODY_NO_MEMORY);
        json_body_free(body);
    }
    ck_assert_int_eq(state, JSON_BODY_OK);
}
END_TEST

/* Memory is refused once, in posencd's code or in jansson: the body is read completely, or the
 * error is the lack of memory. */
START_TEST(a_name_is_never_shortened_for_want_of_memory)
{
    static const char text[] = "{\"original_max_position_embeddings\": 1024}";
    size_t refusals = 0;
    bool refused = true;

    for (size_t n = 0; refused; n++) {
        enum json_body_state state = JSON_BODY_NO_MEMORY;

        alloc_fail_start(n);
        struct json_body *body = json_body_new(MAX_BODY);
        if (body) {
            json_body_add(body, text, strlen(text));
            state = json_body_finish(body);
        }
        refused = alloc_fail_stop();
        refusals += refused;
        ck_assert_int_eq(state, refused ? JSON_BODY_NO_MEMORY : JSON_BODY_OK);
        json_body_free(body);
    }
    ck_assert_uint_gt(refusals, 8);
}
END_TEST

/* Bodies of 256 KiB with many members of one value stay far below the memory budget. */
START_TEST(the_hungriest_bodies_stay_within_the_budget)
{
    static const char *const values[] = {
        "1", "{}", "[]", "\"\"", "{\"\":{}}", "[{},{},{},{}]", "[[],[],[],[],[]]"};
    struct buffer text = {0};

    buffer_add_text(&text, "{");
    for (size_t i = 0; text.len < JSON_BODY_MAX_REST - 64; i++)
        buffer_add_format(&text, "\"%zx\":%s,", i, values[_i]);
    buffer_add_text(&text, "\"last\":1}");
    struct json_body *body = finish_body(text.bytes, text.len, JSON_BODY_OK);
    ck_assert_uint_le(json_body_held(body), (size_t)JSON_MEMORY_BUDGET + (8 << 20));
    json_body_free(body);
    buffer_fini(&text);
}
END_TEST

static const struct suite_test members_tests[] = {
    TEST(members_come_in_order_with_their_kinds),
    TEST(objects_are_walked_like_the_body),
    TEST(arrays_of_numbers_have_rows_and_columns),
    TEST(long_arrays_are_the_same_as_short_ones),
    TEST(four_mi_numbers_are_taken_and_one_more_is_not),
    TEST(pointers_name_values_and_items),
};

static const struct suite_test limits_tests[] = {
    TEST(a_body_has_at_most_the_bytes_it_was_allowed),
    TEST(what_is_left_is_at_most_256_kib),
    TEST(more_than_24_mib_of_memory_are_refused),
    TEST(when_memory_is_out_anywhere_it_is_said),
    TEST(a_name_is_never_shortened_for_want_of_memory),
    TEST_RANGE(the_hungriest_bodies_stay_within_the_budget, 0, 7),
};

static const struct suite limits_case = {SUITE_TESTS(limits_tests), .setup = set_up};
const struct suite json_body_suite = {SUITE_TESTS(members_tests), .setup = set_up,
                                      .next = &limits_case};
