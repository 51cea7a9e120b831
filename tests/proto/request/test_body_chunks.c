/* SPDX-License-Identifier: Apache-2.0
 * test_body_chunks.c - tests that the result for a body does not depend on its chunks. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/buffer.h"
#include "proto/text/json_body.h"
#include "tests/proto/support/bodies.h"
#include "tests/proto/support/proto_row.h"
#include "tests/support/suite.h"

enum { MAX_BODY = 1 << 20 };

/* Writes all values of a body as text. */
static void describe(struct buffer *out, const struct json_body *body,
                     const struct json_body_value *parent)
{
    struct json_body_value value;

    for (json_body_walk(body, parent, &value); json_body_next(body, &value);) {
        char pointer[JSON_BODY_POINTER_SIZE];
        buffer_add_format(out, "%s %d %a %d %s %zu:",
                          json_body_pointer(body, &value, JSON_BODY_NO_ITEM, pointer),
                          (int)value.kind, value.number, value.flag,
                          value.text ? value.text : "-", value.rank);
        for (size_t i = 0; i < value.rows * value.cols; i++)
            buffer_add_format(out, " %a", value.numbers[i]);
        buffer_add_text(out, "\n");
        if (value.kind == JSON_BODY_OBJECT)
            describe(out, body, &value);
    }
}

static char *outcome(struct json_body *body)
{
    struct buffer out = {0};
    size_t len = 0;
    const enum json_body_state state = json_body_finish(body);

    buffer_add_format(&out, "%d %s\n", (int)state, json_body_error(body));
    if (state == JSON_BODY_OK)
        describe(&out, body, NULL);
    json_body_free(body);
    return buffer_take(&out, &len);
}

static char *outcome_of_chunks(const char *text, size_t len, size_t first, size_t others,
                               uint64_t max_bytes)
{
    struct json_body *body = json_body_new(max_bytes);

    json_body_add(body, text, first);
    for (size_t at = first; at < len; at += others)
        json_body_add(body, text + at, others < len - at ? others : len - at);
    return outcome(body);
}

static void check_chunks(const char *text, size_t len, uint64_t max_bytes)
{
    char *whole = outcome_of_chunks(text, len, len, 1, max_bytes);

    for (size_t first = 0; first < len; first++) {
        char *two = outcome_of_chunks(text, len, first, len, max_bytes);

        ck_assert_str_eq(two, whole);
        free(two);
    }
    for (size_t size = 1; size < 70 && size < len; size++) {
        char *many = outcome_of_chunks(text, len, 0, size, max_bytes);

        ck_assert_str_eq(many, whole);
        free(many);
    }
    free(whole);
}

START_TEST(chunks_of_a_good_body_make_no_difference)
{
    char *text =
        bodies_count_up("{\"a\":{\"\\u00e9\xc3\xa9\":[[-1.5e-3,1],\n[2,3.25]],\"b\":[", 90,
                        ",\n 1e5 , -0.125\n],\"c\":[\"x\",[1,2]]},\"n\":null,\"t\":true,"
                        "\"s\":\"\\ud83d\\ude00\\n\",\"l\":[[1,2,3],[4,5,6],[7,8,9]]}");

    check_chunks(text, strlen(text), MAX_BODY);
    free(text);
    text = bodies_count_up("{\"m\":[[", 50, "],[");
    char *both = bodies_count_up(text, 50, "]]}\n");
    check_chunks(both, strlen(both), MAX_BODY);
    free(both);
    free(text);
}
END_TEST

/* Returns the rows of malformed bodies. */
static const struct rows *malformed(void)
{
    static struct rows rows;

    if (rows.count == 0)
        rows_read(&rows, "tests/proto/text/json_body.txt");
    return &rows;
}

static size_t malformed_count(void)
{
    return malformed()->count;
}

START_TEST(chunks_of_a_malformed_body_make_no_difference)
{
    const struct row *row = &malformed()->at[_i];
    size_t len;

    ck_assert_msg(row->input, "%s", row->malformed);
    char *body = proto_row_body(row->input, &len);
    check_chunks(body, len, MAX_BODY);
    free(body);
}
END_TEST

START_TEST(chunks_of_a_body_that_is_too_large_make_no_difference)
{
    static const char large[] = "{\"a\":1,\"b\":2,\"c\":[1,2,3]}";
    static const char wrong[] = "{\"a\":1,\"b\":02,\"c\":[1,2,3]}"; /* before the limit */

    check_chunks(large, sizeof large - 1, 20);
    check_chunks(wrong, sizeof wrong - 1, 20);
}
END_TEST

START_TEST(chunks_of_the_longest_number_make_no_difference)
{
    for (int more = -1; more <= 1; more++) {
        char text[1400] = "{\"a\":[0.";
        const size_t end = 8 + 998 + (size_t)(more + 1) - 1;
        memset(text + 8, '1', end - 8);
        memcpy(text + end, "],\"b\":1}", 9);
        char *whole = outcome_of_chunks(text, strlen(text), strlen(text), 1, MAX_BODY);

        ck_assert_int_eq(whole[0] - '0', more > 0 ? JSON_BODY_MALFORMED : JSON_BODY_OK);
        if (more > 0)
            ck_assert_ptr_nonnull(strstr(whole, "column 1007: a number has at most 1000 "));
        free(whole);
        check_chunks(text, strlen(text), MAX_BODY);
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST(chunks_of_a_good_body_make_no_difference),
    TEST_COUNTED(chunks_of_a_malformed_body_make_no_difference, malformed_count),
    TEST(chunks_of_a_body_that_is_too_large_make_no_difference),
    TEST(chunks_of_the_longest_number_make_no_difference),
};

const struct suite body_chunks_suite = {SUITE_TESTS(tests), .timeout = 60};
