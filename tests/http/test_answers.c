/* SPDX-License-Identifier: Apache-2.0
 * test_answers.c - what an answer says about itself; examples and schemas as served. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/black_box.h"
#include "tests/support/suite.h"

static double number_at(const json_t *data, size_t row, size_t col)
{
    return json_number_value(json_array_get(json_array_get(data, row), col));
}

START_TEST(the_matrix_of_the_textbook)
{
    static const double matrix[4][4] = {
        {0, 1, 0, 1},
        {.84147098, .54030231, .09983342, .99500417},
        {.90929743, -.41614684, .19866933, .98006658},
        {.14112001, -.98999250, .29552021, .95533649},
    };
    struct answer answer = {0};

    web_get(black_box_web(), "/v1/sinusoidal?pos=0:4&dim=4&base=100", &answer);
    black_box_expect(&answer, 200, "application/json");
    json_t *root = black_box_json(&answer);
    const json_t *tensor = json_array_get(json_object_get(root, "tensors"), 0);
    const json_t *data = json_object_get(tensor, "data");
    ck_assert_uint_eq(json_array_size(data), 4);
    for (size_t row = 0; row < 4; row++)
        for (size_t col = 0; col < 4; col++)
            ck_assert_double_le(fabs(number_at(data, row, col) - matrix[row][col]),
                                6e-9 + 3e-8);
    json_decref(root);
    answer_fini(&answer);
}
END_TEST

START_TEST(an_answer_says_what_was_used_in_a_fixed_order)
{
    struct answer answer = {0};

    web_get(black_box_web(), "/v1/rope?pos=0:2&dim=4", &answer);
    json_t *root = black_box_json(&answer);
    const char *const members[] = {"\"encoding\"", "\"rev\"", "\"params\"", "\"facts\"",
                                   "\"tensors\""};
    const char *at = answer.body;
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        const char *next = strstr(at, members[i]);

        ck_assert_msg(next != NULL, "%s is missing or out of order: %s", members[i],
                      answer.body);
        at = next;
    }
    ck_assert_str_eq(json_string_value(json_object_get(root, "encoding")), "rope");
    ck_assert_int_ge(json_integer_value(json_object_get(root, "rev")), 1);
    const json_t *params = json_object_get(root, "params");
    ck_assert_int_eq(json_integer_value(json_object_get(params, "base")), 10000);
    ck_assert_int_eq(json_integer_value(json_object_get(params, "dim")), 4);
    ck_assert_str_eq(json_string_value(json_object_get(params, "pos")), "0,1");
    const json_t *tensors = json_object_get(root, "tensors");
    ck_assert_uint_eq(json_array_size(tensors), 2);
    ck_assert_str_eq(json_string_value(json_object_get(json_array_get(tensors, 0), "name")),
                     "cos");
    ck_assert_str_eq(json_string_value(json_object_get(json_array_get(tensors, 1), "dtype")),
                     "f32");
    json_decref(root);
    answer_fini(&answer);
}
END_TEST

START_TEST(a_binary_answer_has_its_shape_in_headers)
{
    struct answer answer = {0};

    web_get(black_box_web(), "/v1/rope?pos=0:3&dim=8&out=sin&format=raw&dtype=f16", &answer);
    black_box_expect(&answer, 200, "application/octet-stream");
    ck_assert_str_eq(answer_header(&answer, "Posenc-Shape"), "3,4");
    ck_assert_str_eq(answer_header(&answer, "Posenc-Dtype"), "f16");
    ck_assert_str_eq(answer_header(&answer, "Posenc-Endian"), "little");
    ck_assert_str_eq(answer_header(&answer, "Content-Length"), "24");
    const char *name = answer_header(&answer, "Content-Disposition");
    ck_assert(name && strncmp(name, "inline; filename=", 17) == 0);
    answer_fini(&answer);
}
END_TEST

START_TEST(masks_are_strings_in_json_when_infinite)
{
    struct answer answer = {0};

    web_get(black_box_web(), "/v1/alibi?heads=1&len=2&causal=1&mask_value=-inf", &answer);
    ck_assert_ptr_nonnull(strstr(answer.body, "\"-Infinity\""));
    ck_assert_ptr_nonnull(strstr(answer.body, "\"nonfinite\":true"));
    web_get(black_box_web(), "/v1/alibi?heads=1&len=2&causal=1", &answer);
    ck_assert_msg(strstr(answer.body, "-3.4028235e38") || strstr(answer.body, "-3.4028235e+38"),
                  "%s", answer.body);
    answer_fini(&answer);
}
END_TEST

START_TEST(what_is_unwise_is_said_in_every_format)
{
    struct answer answer = {0};
    const char *target = "/v1/rope?pos=0:2&dim=4&out=cos&scaling=linear&factor=0.5&format=";
    const char *const formats[] = {"json", "npy", "safetensors", "raw", "csv"};

    for (size_t i = 0; i < 5; i++) {
        char text[128];

        snprintf(text, sizeof text, "%s%s", target, formats[i]);
        web_get(black_box_web(), text, &answer);
        ck_assert_int_eq(answer.status, 200);
        bool in_body = memmem(answer.body, answer.len, "factor is below 1", 17) != NULL;
        const char *header = answer_header(&answer, "Posenc-Warning");
        bool in_head = header && strstr(header, "factor is below 1");
        bool carries = i == 0 || i == 2; /* json and safetensors have room for it */
        ck_assert_msg(carries ? in_body : in_head, "%s: %s", text, answer.head);
    }
    answer_fini(&answer);
}
END_TEST

START_TEST(an_empty_list_of_positions_is_an_empty_table)
{
    const char *const formats[] = {"json", "npy", "safetensors", "raw", "csv"};

    for (size_t i = 0; i < 5; i++) {
        char target[96];
        struct answer answer = {0};

        snprintf(target, sizeof target, "/v1/sinusoidal?pos=0:0&dim=4&format=%s", formats[i]);
        web_get(black_box_web(), target, &answer);
        ck_assert_msg(answer.status == 200, "%s: %s", target, answer.body);
        answer_fini(&answer);
    }
}
END_TEST

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

START_TEST(openapi_has_every_path_and_parameter)
{
    struct answer answer = {0};

    web_get(black_box_web(), "/openapi.json", &answer);
    json_t *root = black_box_json(&answer);
    const char *version = json_string_value(json_object_get(root, "openapi"));
    ck_assert(version && strncmp(version, "3.1", 3) == 0);
    const json_t *paths = json_object_get(root, "paths");
    const char *const expected[] = {"/v1/rope",      "/v1/sinusoidal", "/v1/alibi",
                                    "/v1/encodings", "/openapi.json",  "/livez",
                                    "/readyz",       "/metrics",       "/version"};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        ck_assert_msg(json_is_object(json_object_get(paths, expected[i])), "%s", expected[i]);
    const json_t *get = json_object_get(json_object_get(paths, "/v1/rope"), "get");
    ck_assert_uint_ge(json_array_size(json_object_get(get, "parameters")), 8);
    json_decref(root);
    answer_fini(&answer);
}
END_TEST

START_TEST(version_tells_limits_and_revisions)
{
    struct answer answer = {0};

    web_get(black_box_web(), "/version", &answer);
    json_t *root = black_box_json(&answer);
    ck_assert(json_is_string(json_object_get(root, "version")));
    ck_assert(json_is_object(json_object_get(root, "limits")));
    ck_assert(json_object_get(root, "revisions") || json_object_get(root, "encodings"));
    json_decref(root);
    answer_fini(&answer);
}
END_TEST

START_TEST(the_numbers_of_all_formats_are_the_same)
{
    struct answer json = {0}, raw = {0};
    const char *targets[2] = {"/v1/rope?pos=0:64&dim=16&out=sin&data=base64",
                              "/v1/rope?pos=0:64&dim=16&out=sin&data=flat"};

    web_get(black_box_web(), "/v1/rope?pos=0:64&dim=16&out=sin&format=raw", &raw);
    ck_assert_uint_eq(raw.len, 64 * 8 * 4);
    web_get(black_box_web(), targets[1], &json);
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
    web_get(black_box_web(), targets[0], &json);
    ck_assert_int_eq(json.status, 200);
    answer_fini(&json);
    answer_fini(&raw);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(the_matrix_of_the_textbook),
    TEST(an_answer_says_what_was_used_in_a_fixed_order),
    TEST(a_binary_answer_has_its_shape_in_headers),
    TEST(masks_are_strings_in_json_when_infinite),
    TEST(what_is_unwise_is_said_in_every_format),
    TEST(an_empty_list_of_positions_is_an_empty_table),
    TEST(every_encoding_is_listed_with_a_working_example),
    TEST(openapi_has_every_path_and_parameter),
    TEST(version_tells_limits_and_revisions),
    TEST(the_numbers_of_all_formats_are_the_same),
};

const struct suite answers_suite = {SUITE_TESTS(tests), BLACK_BOX};
