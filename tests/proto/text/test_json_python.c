/* SPDX-License-Identifier: Apache-2.0
 * test_json_python.c - tests numbers, places and memory around values that are skipped;
 * json_python.txt has Python's extensions of JSON. */
#include <string.h>

#include "proto/text/json_array.h"
#include "proto/text/json_grammar.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

static const char *const skipped[] = {"long", "other", NULL};
static const struct json_scan_limits python = {.few = 3,
                                               .max_array = 8,
                                               .max_numbers = 12,
                                               .max_rest = 60,
                                               .python = true,
                                               .skipped = skipped};

static enum json_scan_state scan_chunks(struct json_scan *scan, const char *text, size_t chunk)
{
    size_t len = strlen(text);

    json_scan_init(scan, &python);
    for (size_t at = 0; at < len; at += chunk)
        json_grammar_add(scan, text + at, at + chunk < len ? chunk : len - at);
    return json_grammar_finish(scan);
}

START_TEST(numbers_behind_what_is_skipped_are_found)
{
    struct json_scan scan;

    ck_assert_int_eq(scan_chunks(&scan, "{\"long\": [[1,2],[3]], \"b\": [7]}", 3),
                     JSON_SCAN_OK);
    ck_assert_uint_eq(scan.array_count, 1);
    const struct json_array *array = json_array_find(&scan, (const uint32_t[]){1}, 1);
    ck_assert_ptr_nonnull(array);
    ck_assert_double_eq(scan.numbers.values[array->first], 7);
    json_scan_fini(&scan);
}
END_TEST

START_TEST(a_word_in_an_array_that_was_cut_out_leaves_the_rest_alone)
{
    struct json_scan scan;

    ck_assert_int_eq(scan_chunks(&scan, "{\"\":[1,2,3,4,-Infinity]}", 64), JSON_SCAN_MALFORMED);
    ck_assert_uint_eq(scan.rest.len, 8); /* shorter than the word */
    ck_assert_mem_eq(scan.rest.bytes, "{\"\":null", 8);
    json_scan_fini(&scan);
}
END_TEST

/* Documents in which "long" is skipped within "in" alone, and what is left of them. */
static const struct {
    const char *document, *rest;
} within[] = {
    {"{\"long\": [1], \"in\": 1, \"b\": {\"other\": 2}}",
     "{\"long\": [1], \"in\": 1, \"b\": {\"other\": 2}}"},
    {"{\"in\": {\"long\": [1]}, \"long\": 2}", "{\"in\": {\"long\": null}, \"long\": 2}"},
    {"{\"a\": {\"in\": {\"b\": [{\"long\": 1}]}}}",
     "{\"a\": {\"in\": {\"b\": [{\"long\": null}]}}}"},
    {"{\"a\": {\"in\": {}, \"long\": 3}}", "{\"a\": {\"in\": {}, \"long\": 3}}"},
    {"{\"a\": {\"in\": {}}, \"b\": {\"c\": {\"long\": 3}}}",
     "{\"a\": {\"in\": {}}, \"b\": {\"c\": {\"long\": 3}}}"},
    {"{\"in\": {\"in\": {}, \"long\": 1}}", "{\"in\": {\"in\": {}, \"long\": null}}"},
};

START_TEST(names_may_be_skipped_in_the_value_of_one_name_alone)
{
    struct json_scan_limits limits = python;
    const char *document = within[_i].document;

    limits.within = "in";
    for (size_t chunk = 1; chunk < 64; chunk++) {
        struct json_scan scan;

        json_scan_init(&scan, &limits);
        for (size_t at = 0, len = strlen(document); at < len; at += chunk)
            json_grammar_add(&scan, document + at, at + chunk < len ? chunk : len - at);
        ck_assert_int_eq(json_grammar_finish(&scan), JSON_SCAN_OK);
        ck_assert_uint_eq(scan.rest.len, strlen(within[_i].rest));
        ck_assert_mem_eq(scan.rest.bytes, within[_i].rest, scan.rest.len);
        json_scan_fini(&scan);
    }
}
END_TEST

/* jansson reports a duplicate name by its place in the rest. */
START_TEST(places_behind_what_went_are_those_of_the_document)
{
    static const char text[] = "\xef\xbb\xbf{\"long\": [1,\n  2], \"b\": NaN, \"c\": 2}";
    struct json_scan scan;

    ck_assert_int_eq(scan_chunks(&scan, text, 5), JSON_SCAN_OK);
    const char *name = memmem(scan.rest.bytes, scan.rest.len, "\"c\"", 3);
    ck_assert_ptr_nonnull(name);
    struct json_place place = json_scan_place(&scan, (size_t)(name - scan.rest.bytes));
    ck_assert_uint_eq(place.line, 2);
    ck_assert_uint_eq(place.column, 17);
    json_scan_fini(&scan);
}
END_TEST

START_TEST(without_memory_nothing_is_skipped)
{
    bool asked = true;

    for (size_t failing = 0; asked; failing++) {
        struct json_scan scan;

        alloc_fail_start(failing);
        enum json_scan_state state =
            scan_chunks(&scan, "\xef\xbb\xbf{\"long\": [1], \"b\": NaN}", 64);
        json_scan_fini(&scan);
        asked = alloc_fail_stop();
        ck_assert_int_eq(state, asked ? JSON_SCAN_NO_MEMORY : JSON_SCAN_OK);
        ck_assert_int_eq(alloc_fail_live(), 0);
    }
}
END_TEST

SUITE(json_python, TEST(numbers_behind_what_is_skipped_are_found),
      TEST(a_word_in_an_array_that_was_cut_out_leaves_the_rest_alone),
      TEST_EACH(names_may_be_skipped_in_the_value_of_one_name_alone, within),
      TEST(places_behind_what_went_are_those_of_the_document),
      TEST(without_memory_nothing_is_skipped));
