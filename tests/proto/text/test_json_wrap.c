/* SPDX-License-Identifier: Apache-2.0
 * test_json_wrap.c - a body that is an array, read as an object of one member. */
#include <string.h>

#include "proto/text/json_body.h"
#include "proto/text/json_memory.h"
#include "tests/support/suite.h"

static void set_up(void)
{
    json_memory_init();
}

START_TEST(an_array_is_the_member_without_a_name_of_a_body_of_arrays)
{
    static const char text[] = "\n [[1,2],\n[3,x]]", right[] = " [[1,2],[3,4]]";
    struct json_body *body = json_body_new_arrays(100, NULL, NULL);
    struct json_body_value value;

    for (size_t i = 0; i < sizeof right - 1; i++)
        ck_assert_int_eq(json_body_add(body, right + i, 1), JSON_BODY_OK);
    ck_assert_int_eq(json_body_finish(body), JSON_BODY_OK);
    ck_assert(json_body_is_array(body));
    ck_assert(json_body_find(body, NULL, "", &value));
    ck_assert_uint_eq(value.rows * value.cols, 4);
    json_body_free(body);
    body = json_body_new_arrays(100, NULL, NULL);
    ck_assert_int_eq(json_body_add(body, text, sizeof text - 1), JSON_BODY_MALFORMED);
    ck_assert_msg(strstr(json_body_error(body), "line 3, column 4: "), "%s",
                  json_body_error(body));
    json_body_free(body);
    body = json_body_new(100);
    ck_assert_int_eq(json_body_add(body, right, sizeof right - 1), JSON_BODY_MALFORMED);
    json_body_free(body);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(an_array_is_the_member_without_a_name_of_a_body_of_arrays)};

const struct suite json_wrap_suite = {SUITE_TESTS(tests), .setup = set_up};
