/* SPDX-License-Identifier: Apache-2.0
 * test_body_errors.c - tests the error sentence of each malformed body, and its place. */
#include <stdlib.h>
#include <string.h>

#include "proto/text/json_body.h"
#include "tests/proto/support/bodies.h"
#include "tests/support/suite.h"

static struct json_body *finish_body(const char *text, size_t len)
{
    struct json_body *body = json_body_new(1 << 20);

    ck_assert_ptr_nonnull(body);
    json_body_add(body, text, len);
    ck_assert_msg(json_body_finish(body) == JSON_BODY_MALFORMED, "%.80s: %s", text,
                  json_body_error(body));
    return body;
}

START_TEST(malformed_bodies_get_a_sentence_with_its_place)
{
    const char *text = bodies_malformed[_i].text;
    struct json_body *body = finish_body(text, strlen(text));

    ck_assert_str_eq(json_body_error(body), bodies_malformed[_i].error);
    ck_assert_int_eq(json_body_add(body, "{}", 2), JSON_BODY_MALFORMED); /* ignored */
    ck_assert_str_eq(json_body_error(body), bodies_malformed[_i].error);
    json_body_free(body);
}
END_TEST

START_TEST(a_nul_byte_is_no_json)
{
    struct json_body *body = finish_body("{\"a\":\0 1}", 9);

    ck_assert_str_eq(json_body_error(body),
                     "line 1, column 6: expected a value; got byte 0x00");
    json_body_free(body);
    body = finish_body("{\"a\":1\0}", 8);
    ck_assert_str_eq(json_body_error(body),
                     "line 1, column 7: expected a comma or } behind the value; got byte 0x00");
    json_body_free(body);
}
END_TEST

START_TEST(places_behind_long_arrays_are_those_of_the_body)
{
    char *text = bodies_count_up("{\"a\":[", 100, bodies_late[_i].text);
    ck_assert_uint_eq(strlen(text) - strlen(bodies_late[_i].text), 295);
    struct json_body *body = finish_body(text, strlen(text));
    ck_assert_str_eq(json_body_error(body), bodies_late[_i].error);
    json_body_free(body);
    free(text);
}
END_TEST

static size_t malformed_count(void)
{
    return bodies_malformed_count;
}

static size_t late_count(void)
{
    return bodies_late_count;
}

static const struct suite_test tests[] = {
    TEST_COUNTED(malformed_bodies_get_a_sentence_with_its_place, malformed_count),
    TEST_COUNTED(places_behind_long_arrays_are_those_of_the_body, late_count),
    TEST(a_nul_byte_is_no_json),
};

const struct suite body_errors_suite = {SUITE_TESTS(tests)};
