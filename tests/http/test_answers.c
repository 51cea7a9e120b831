/* SPDX-License-Identifier: Apache-2.0
 * test_answers.c - the catalogue with its examples, and the numbers of two formats;
 * answers.scenarios has what an answer says about itself. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/black_box.h"
#include "tests/support/suite.h"

static void check_example(const char *target)
{
    struct answer answer = {0};

    web_get(black_box_web(), target, &answer);
    black_box_expect(&answer, 200, "application/json");
    json_t *root = black_box_json(&answer);
    ck_assert_uint_ge(json_array_size(json_object_get(root, "tensors")), 1);
    json_decref(root);
    answer_fini(&answer);
}

static void check_params(const json_t *params)
{
    size_t i = 0;
    json_t *param = NULL;

    json_array_foreach(params, i, param)
    {
        ck_assert(json_is_string(json_object_get(param, "name")));
        ck_assert(json_is_string(json_object_get(param, "type")));
        const char *doc = json_string_value(json_object_get(param, "doc"));
        ck_assert(doc && doc[0] != '\0');
    }
    ck_assert_uint_ge(i, 1);
}

START_TEST(every_encoding_is_listed_with_a_working_example)
{
    struct answer answer = {0}, one = {0};
    size_t i = 0;
    json_t *entry = NULL;
    const char *last = "";

    web_get(black_box_web(), "/v1/encodings", &answer);
    json_t *root = black_box_json(&answer);
    json_array_foreach(json_object_get(root, "encodings"), i, entry)
    {
        const char *name = json_string_value(json_object_get(entry, "name"));
        ck_assert_str_lt(last, name);
        last = name;
        ck_assert(json_is_string(json_object_get(entry, "family")));
        ck_assert(json_is_string(json_object_get(entry, "summary")));
        ck_assert(json_is_string(json_object_get(entry, "source")));
        ck_assert_uint_ge(json_array_size(json_object_get(entry, "outputs")), 1);
        check_params(json_object_get(entry, "params"));
        check_example(json_string_value(json_object_get(entry, "example")));
        char target[128];
        snprintf(target, sizeof target, "/v1/encodings/%s", name);
        web_get(black_box_web(), target, &one);
        json_t *alone = black_box_json(&one);
        ck_assert_int_eq(json_equal(alone, entry), 1);
        json_decref(alone);
    }
    ck_assert_uint_ge(i, 1);
    json_decref(root);
    answer_fini(&answer);
    answer_fini(&one);
}
END_TEST

START_TEST(the_numbers_of_all_formats_are_the_same)
{
    struct answer json = {0}, raw = {0};

    web_get(black_box_web(), "/v1/rope?pos=0:64&dim=16&out=sin&format=raw", &raw);
    ck_assert_uint_eq(raw.len, 64 * 8 * 4);
    web_get(black_box_web(), "/v1/rope?pos=0:64&dim=16&out=sin&data=flat", &json);
    json_t *root = black_box_json(&json);
    const json_t *data =
        json_object_get(json_array_get(json_object_get(root, "tensors"), 0), "data");
    ck_assert_uint_eq(json_array_size(data), 64 * 8);
    for (size_t i = 0; i < 64 * 8; i++) {
        float value;

        memcpy(&value, raw.body + i * 4, 4);
        float read = (float)json_number_value(json_array_get(data, i));
        ck_assert_mem_eq(&read, &value, 4);
    }
    json_decref(root);
    answer_fini(&json);
    answer_fini(&raw);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(every_encoding_is_listed_with_a_working_example),
    TEST(the_numbers_of_all_formats_are_the_same),
};

const struct suite answers_suite = {SUITE_TESTS(tests), BLACK_BOX};
