/* SPDX-License-Identifier: Apache-2.0
 * test_endpoint.c - tests the table of endpoints; endpoint.txt has paths and near misses. */
#include <string.h>

#include "proto/http/endpoint.h"
#include "tests/support/suite.h"

START_TEST(a_path_of_any_length_gets_an_answer)
{
    static char path[8192], text[128];

    memset(path, 'r', sizeof path);
    path[0] = '/';
    for (size_t len = 2; len < sizeof path; len += len < 200 ? 1 : 997) {
        ck_assert_ptr_null(endpoint_find(path, len, NULL, NULL));
        endpoint_suggest(path, len, text);
    }
}
END_TEST

START_TEST(methods_are_known_by_their_exact_names)
{
    ck_assert_int_eq(endpoint_method_of("GET"), METHOD_GET);
    ck_assert_int_eq(endpoint_method_of("HEAD"), METHOD_HEAD);
    ck_assert_int_eq(endpoint_method_of("POST"), METHOD_POST);
    ck_assert_int_eq(endpoint_method_of("QUERY"), METHOD_QUERY);
    ck_assert_int_eq(endpoint_method_of("OPTIONS"), METHOD_OPTIONS);
    ck_assert_int_eq(endpoint_method_of("get"), METHOD_NONE);
    ck_assert_int_eq(endpoint_method_of("PUT"), METHOD_PUT);
    ck_assert_int_eq(endpoint_method_of("PATCH"), METHOD_NONE);
    ck_assert_int_eq(endpoint_method_of(""), METHOD_NONE);
}
END_TEST

START_TEST(allow_lists_the_methods_of_an_endpoint)
{
    struct buffer text = {0};

    endpoint_allow(endpoint_at(ENDPOINT_ENCODING), &text);
    ck_assert_str_eq(text.bytes, "GET, HEAD, POST, QUERY, OPTIONS");
    buffer_fini(&text);
    endpoint_allow(endpoint_at(ENDPOINT_METRICS), &text);
    ck_assert_str_eq(text.bytes, "GET, HEAD, OPTIONS");
    buffer_fini(&text);
}
END_TEST

START_TEST(every_endpoint_is_found_by_its_own_path)
{
    for (size_t i = 0; i < ENDPOINT_COUNT; i++) {
        const struct endpoint *endpoint = endpoint_at(i);

        ck_assert_uint_eq((size_t)endpoint->id, i);
        ck_assert_uint_ne(endpoint->methods & (METHOD_GET | METHOD_POST), 0);
        if (!strchr(endpoint->path, '{'))
            ck_assert_ptr_eq(endpoint_find(endpoint->path, strlen(endpoint->path), NULL, NULL),
                             endpoint);
    }
}
END_TEST

START_TEST(a_hole_is_one_segment_wherever_it_stands)
{
    static const struct {
        const char *path;
        enum endpoint_id id;
        const char *segment;
    } rows[] = {
        {"/v2/models/rope", ENDPOINT_INFERENCE_MODEL, "rope"},
        {"/v2/models/rope/infer", ENDPOINT_INFERENCE_INFER, "rope/infer"},
        {"/v2/models/a/versions/1/infer", ENDPOINT_INFERENCE_VERSION_INFER,
         "a/versions/1/infer"},
        {"/v2/models/a/versions/1", ENDPOINT_INFERENCE_VERSION, "a/versions/1"},
        {"/v2/models/infer/infer", ENDPOINT_INFERENCE_INFER, "infer/infer"},
        {"/v2/models/rope/apply", ENDPOINT_NONE, NULL},
        {"/v2/models/rope/apply/infer", ENDPOINT_NONE, NULL},
        {"/v2/models//infer", ENDPOINT_NONE, NULL},
        {"/v2/models/a/infer/", ENDPOINT_NONE, NULL},
        {"/v2/models/a/inferx", ENDPOINT_NONE, NULL},
        {"/v2/models/a/versions//infer", ENDPOINT_NONE, NULL},
        {"/v2/models/a/versions", ENDPOINT_NONE, NULL},
        {"/v1/encodings/rope/apply", ENDPOINT_ENCODING_SCHEMA, "rope/apply"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *segment;
        size_t len;
        const struct endpoint *found =
            endpoint_find(rows[i].path, strlen(rows[i].path), &segment, &len);

        ck_assert_msg((found ? found->id : ENDPOINT_NONE) == rows[i].id, "%s", rows[i].path);
        if (found)
            ck_assert_msg(strlen(rows[i].segment) == len &&
                              strncmp(rows[i].segment, segment, len) == 0,
                          "%s", rows[i].path);
    }
}
END_TEST

SUITE(endpoint, TEST(a_hole_is_one_segment_wherever_it_stands),
      TEST(a_path_of_any_length_gets_an_answer), TEST(methods_are_known_by_their_exact_names),
      TEST(allow_lists_the_methods_of_an_endpoint),
      TEST(every_endpoint_is_found_by_its_own_path));
