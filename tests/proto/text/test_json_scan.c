/* SPDX-License-Identifier: Apache-2.0
 * test_json_scan.c - tests arrays that are cut out, the rest of the document with its places,
 * and the limits. json_body.txt has the sentences for malformed bodies. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "proto/text/json_array.h"
#include "proto/text/json_grammar.h"
#include "tests/support/suite.h"

static const struct json_scan_limits small = {
    .few = 3, .max_array = 8, .max_numbers = 12, .max_rest = 100};

static enum json_scan_state scan_text(struct json_scan *scan, const char *text)
{
    json_scan_init(scan, &small);
    json_grammar_add(scan, text, strlen(text));
    return json_grammar_finish(scan);
}

START_TEST(long_arrays_leave_null_and_short_ones_stay)
{
    struct json_scan scan;

    ck_assert_int_eq(
        scan_text(&scan, "{\"a\": [1,2,3], \"b\" :[ 1, 2,3,4 ] , \"c\":[[1,2],[3,4]]}"),
        JSON_SCAN_OK);
    ck_assert_str_eq(scan.rest.bytes, "{\"a\": [1,2,3], \"b\" :null , \"c\":null}");
    ck_assert_uint_eq(scan.array_count, 3);
    ck_assert_uint_eq(scan.numbers.count, 11);
    ck_assert(scan.numbers.values[2] == 3 && scan.numbers.values[6] == 4);
    ck_assert_uint_eq(scan.arrays[2].rank, 2);
    ck_assert_uint_eq(scan.arrays[2].dims[0], 2);
    ck_assert_uint_eq(scan.arrays[2].dims[1], 2);
    json_scan_fini(&scan);
}
END_TEST

START_TEST(arrays_are_found_by_their_path_of_places)
{
    struct json_scan scan;

    ck_assert_int_eq(scan_text(&scan, "{\"a\":null,\"b\":{\"x\":1,\"y\":[1,2,3,4]},\"c\":[5]}"),
                     JSON_SCAN_OK);
    const struct json_array *array = json_array_find(&scan, (const uint32_t[]){1, 1}, 2);
    ck_assert_ptr_eq(array, &scan.arrays[0]);
    array = json_array_find(&scan, (const uint32_t[]){2}, 1);
    ck_assert_ptr_eq(array, &scan.arrays[1]);
    ck_assert_ptr_null(json_array_find(&scan, (const uint32_t[]){0}, 1)); /* a client's null */
    ck_assert_ptr_null(json_array_find(&scan, (const uint32_t[]){1}, 1));
    ck_assert_ptr_null(json_array_find(&scan, (const uint32_t[]){1, 0}, 2));
    ck_assert_ptr_null(json_array_find(&scan, (const uint32_t[]){1, 1, 0}, 3));
    ck_assert_ptr_null(json_array_find(&scan, (const uint32_t[]){3}, 1));
    json_scan_fini(&scan);
}
END_TEST

START_TEST(arrays_that_no_path_leads_to_are_checked_and_forgotten)
{
    struct json_scan scan;

    ck_assert_int_eq(scan_text(&scan, "{\"a\":[\"x\",[1,2,3,4,5],{\"b\":2}],\"c\":[1,\"x\"]}"),
                     JSON_SCAN_OK);
    ck_assert_str_eq(scan.rest.bytes, "{\"a\":[\"x\",null,{\"b\":2}],\"c\":[1,\"x\"]}");
    ck_assert_uint_eq(scan.array_count, 0);
    ck_assert_uint_eq(scan.numbers.count, 0);
    json_scan_fini(&scan);
}
END_TEST

START_TEST(arrays_in_objects_of_an_array_have_a_path)
{
    struct json_scan scan;

    ck_assert_int_eq(scan_text(&scan,
                               "{\"a\":0,\"b\":[[7],{\"c\":[1,2]},\"x\",{},{\"d\":0,\"e\":"
                               "[3,4,5,6,7]},[8]],\"f\":[9]}"),
                     JSON_SCAN_OK);
    ck_assert_uint_eq(scan.array_count, 3);
    const struct json_array *array = json_array_find(&scan, (const uint32_t[]){1, 0, 0}, 3);
    ck_assert_ptr_eq(array, &scan.arrays[0]);
    ck_assert_uint_eq(array->dims[0], 2);
    array = json_array_find(&scan, (const uint32_t[]){1, 2, 1}, 3);
    ck_assert_ptr_eq(array, &scan.arrays[1]);
    ck_assert(scan.numbers.values[array->first] == 3 && array->dims[0] == 5);
    ck_assert_ptr_eq(json_array_find(&scan, (const uint32_t[]){2}, 1), &scan.arrays[2]);
    json_scan_fini(&scan);
}
END_TEST

START_TEST(places_in_the_rest_are_places_in_the_document)
{
    struct json_scan scan;

    ck_assert_int_eq(
        scan_text(&scan, "{\"a\":[1,2,\n3,4],\n \"\xc3\xa9\":[1,\n\n2,3,4,5], \"z\":0}"),
        JSON_SCAN_OK);
    ck_assert_str_eq(scan.rest.bytes, "{\"a\":null,\n \"\xc3\xa9\":null, \"z\":0}");
    struct json_place place = json_scan_place(&scan, 1);
    ck_assert(place.line == 1 && place.column == 2);
    place = json_scan_place(&scan, strlen("{\"a\":null"));
    ck_assert(place.line == 2 && place.column == 5);
    place = json_scan_place(&scan, strlen("{\"a\":null,\n \"\xc3\xa9\""));
    ck_assert(place.line == 3 && place.column == 5);
    place = json_scan_place(&scan, strlen("{\"a\":null,\n \"\xc3\xa9\":null, "));
    ck_assert(place.line == 5 && place.column == 11);
    json_scan_fini(&scan);
}
END_TEST

START_TEST(an_array_of_digits_alone_is_told_from_others)
{
    static const bool digits[] = {true, false, false, false, true, true, false, true};
    struct json_scan scan;

    ck_assert_int_eq(scan_text(&scan, "{\"a\":[1,20],\"b\":[2.0],\"c\":[-0],\"d\":[1e1],"
                                      "\"e\":[[0],[3]],\"f\":[],\"g\":[1,2,3,4],\"h\":[5 ]}"),
                     JSON_SCAN_OK);
    ck_assert_uint_eq(scan.array_count, sizeof(digits) / sizeof(*digits));
    for (size_t i = 0; i < scan.array_count; i++)
        ck_assert_int_eq(scan.arrays[i].digits, digits[i]);
    json_scan_fini(&scan);
}
END_TEST

static void check_limit(const char *text, const char *sentence)
{
    struct json_scan scan;

    ck_assert_msg(scan_text(&scan, text) == JSON_SCAN_TOO_LARGE, "%s", text);
    ck_assert_str_eq(scan.error, sentence);
    ck_assert_int_eq(json_grammar_add(&scan, "x", 1), JSON_SCAN_TOO_LARGE); /* final */
    json_scan_fini(&scan);
    for (size_t cut = 1; cut < strlen(text); cut++) {
        json_scan_init(&scan, &small);
        json_grammar_add(&scan, text, cut);
        json_grammar_add(&scan, text + cut, strlen(text) - cut);
        ck_assert_int_eq(json_grammar_finish(&scan), JSON_SCAN_TOO_LARGE);
        ck_assert_str_eq(scan.error, sentence);
        json_scan_fini(&scan);
    }
}

START_TEST(limits_have_their_sentences)
{
    char text[256] = "{\"a\":\"";
    check_limit("{\"a\":[1,2,3,4,5,6,7,8,9]}",
                "line 1, column 23: an array has at most 8 numbers");
    check_limit("{\"a\":[1,2,3,4,5,6,7,8],\"b\":[1,2,3,4,5]}",
                "line 1, column 37: all arrays of a body together have at most 12 numbers");
    memset(text + 6, 'x', 200);
    check_limit(text,
                "line 1, column 101: apart from arrays of more than 3 numbers a body has at "
                "most 100 bytes");
}
END_TEST

START_TEST(an_array_of_the_largest_size_is_taken)
{
    struct json_scan scan;

    ck_assert_int_eq(scan_text(&scan, "{\"a\":[1,2,3,4,5,6,7,8],\"b\":[1,2,3,4]}"),
                     JSON_SCAN_OK);
    ck_assert_uint_eq(scan.numbers.count, 12);
    json_scan_fini(&scan);
}
END_TEST

START_TEST(what_is_held_is_counted)
{
    struct json_scan scan;

    json_scan_init(&scan, &small);
    ck_assert_uint_eq(json_scan_held(&scan), 0);
    json_grammar_add(&scan, "{\"a\":[1,2,3,4", 13);
    ck_assert_uint_ge(json_scan_held(&scan), 4 * sizeof(double) + 13);
    json_scan_fini(&scan);
}
END_TEST

/* Two pages, of which the second may not be read. */
static char *map_edge(size_t page)
{
    char *pages =
        mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    ck_assert(pages != MAP_FAILED);
    ck_assert_int_eq(mprotect(pages + page, page, PROT_NONE), 0);
    return pages;
}

/* Numbers that no double holds are read a second time, for their exact digits, which in a long
 * array are those of many numbers at once. */
START_TEST(nothing_is_read_beyond_the_end_of_a_piece)
{
    static const char text[] =
        "{\"a\":[1,2,3,4,5,9007199254740993, 9007199254740995 ,6],\"b\":true}";
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), len = strlen(text);
    char *pages = map_edge(page);

    for (size_t cut = 1; cut < len; cut++) {
        struct json_scan scan;

        json_scan_init(&scan, &small);
        memcpy(pages + page - cut, text, cut);
        json_grammar_add(&scan, pages + page - cut, cut);
        memcpy(pages + page - (len - cut), text + cut, len - cut);
        json_grammar_add(&scan, pages + page - (len - cut), len - cut);
        ck_assert_int_eq(json_grammar_finish(&scan), JSON_SCAN_OK);
        ck_assert_uint_eq(scan.numbers.count, 8);
        json_scan_fini(&scan);
    }
    munmap(pages, 2 * page);
}
END_TEST

SUITE(json_scan, TEST(nothing_is_read_beyond_the_end_of_a_piece),
      TEST(long_arrays_leave_null_and_short_ones_stay),
      TEST(arrays_are_found_by_their_path_of_places),
      TEST(arrays_that_no_path_leads_to_are_checked_and_forgotten),
      TEST(arrays_in_objects_of_an_array_have_a_path),
      TEST(places_in_the_rest_are_places_in_the_document),
      TEST(an_array_of_digits_alone_is_told_from_others), TEST(limits_have_their_sentences),
      TEST(an_array_of_the_largest_size_is_taken), TEST(what_is_held_is_counted));
