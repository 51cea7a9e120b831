/* SPDX-License-Identifier: Apache-2.0
 * test_json_layout.c - tests JSON for people. */
#include <string.h>

#include "proto/text/json_layout.h"
#include "tests/support/suite.h"

static const struct {
    const char *document, *lines;
} documents[] = {
    {"{}\n", "{}\n"},
    {"[]", "[]"},
    {"[1,-2.5e3,null]", "[1, -2.5e3, null]"},
    {"{\"a\":1,\"b\":[1,2]}\n", "{\n  \"a\": 1,\n  \"b\": [1, 2]\n}\n"},
    {"{ \"a\" : { } , \"b\" : [ ] }", "{\n  \"a\": {},\n  \"b\": []\n}"},
    {"[[1,2],[3,4]]", "[\n  [1, 2],\n  [3, 4]\n]"},
    {"{\"data\":[[[1,2],[3,4]],[[5,6],[7,8]]]}",
     "{\n  \"data\": [\n    [\n      [1, 2],\n      [3, 4]\n    ],\n    [\n      [5, 6],\n"
     "      [7, 8]\n    ]\n  ]\n}"},
    {"[\"a,b\",\"[\\\"{:\\\\\",\"\"]", "[\n  \"a,b\",\n  \"[\\\"{:\\\\\",\n  \"\"\n]"},
    {"true", "true"},
};

/* Lays out pieces of so many bytes. */
static struct buffer laid_out(const char *document, size_t piece)
{
    struct json_layout layout = {0};
    struct buffer out = {0};

    for (size_t at = 0, len = strlen(document); at < len; at += piece)
        json_layout_add(&layout, &out, document + at, len - at < piece ? len - at : piece);
    return out;
}

START_TEST(a_document_has_its_lines_whatever_its_pieces)
{
    for (size_t piece = 1; piece < 9; piece++) {
        struct buffer out = laid_out(documents[_i].document, piece);

        ck_assert_str_eq(out.bytes, documents[_i].lines);
        buffer_fini(&out);
    }
}
END_TEST

START_TEST(what_is_nested_too_deep_stays_on_its_line)
{
    char document[4 * JSON_LAYOUT_DEPTH + 1] = "";

    memset(document, '[', 2 * (size_t)JSON_LAYOUT_DEPTH);
    memset(document + 2 * (size_t)JSON_LAYOUT_DEPTH, ']', 2 * (size_t)JSON_LAYOUT_DEPTH);
    struct buffer out = laid_out(document, 7);
    size_t marks = 0;

    for (size_t i = 0; i < out.len; i++)
        marks += out.bytes[i] == '[' || out.bytes[i] == ']';
    ck_assert_uint_eq(marks, 4 * (size_t)JSON_LAYOUT_DEPTH);
    ck_assert_ptr_nonnull(strstr(out.bytes, "[[[]]]"));
    buffer_fini(&out);
}
END_TEST

SUITE(json_layout, TEST_EACH(a_document_has_its_lines_whatever_its_pieces, documents),
      TEST(what_is_nested_too_deep_stays_on_its_line));
