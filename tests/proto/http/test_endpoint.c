/* SPDX-License-Identifier: Apache-2.0
 * test_endpoint.c - tests that paths find their rows, and near misses their suggestion. */
#include <string.h>

#include "proto/http/endpoint.h"
#include "tests/support/suite.h"

static const struct {
    const char *path, *template, *segment; /* template NULL: not found */
} paths[] = {
    {"/v1/rope", "/v1/{encoding}", "rope"},
    {"/v1/sinusoidal", "/v1/{encoding}", "sinusoidal"},
    {"/v1/encodings", "/v1/encodings", ""},
    {"/v1/encodings/rope", "/v1/encodings/{id}", "rope"},
    {"/v1/encodings/unheard-of", "/v1/encodings/{id}", "unheard-of"},
    {"/problems/not-found", "/problems/{slug}", "not-found"},
    {"/openapi.json", "/openapi.json", ""},
    {"/", "/", ""},
    {"/livez", "/livez", ""},
    {"/healthz", "/healthz", ""},
    {"/readyz", "/readyz", ""},
    {"/metrics", "/metrics", ""},
    {"/version", "/version", ""},
    {"", NULL, NULL},
    {"//", NULL, NULL},
    {"/v1", NULL, NULL},
    {"/v1/", NULL, NULL},
    {"/v1/roep", NULL, NULL},
    {"/v1/ROPE", NULL, NULL},
    {"/v1/rope/", NULL, NULL},
    {"/v1/unheard-of/apply", NULL, NULL},
    {"/v1/rope/applied", NULL, NULL},
    {"/v1//rope", NULL, NULL},
    {"/v1/encodings/", NULL, NULL},
    {"/v1/encodings/a/b", NULL, NULL},
    {"/v2/rope", NULL, NULL},
    {"/livez/", NULL, NULL},
    {"/livezz", NULL, NULL},
    {"livez", NULL, NULL},
};

START_TEST(a_path_finds_its_endpoint)
{
    const char *segment = NULL;
    size_t len = 0;
    const struct endpoint *endpoint =
        endpoint_find(paths[_i].path, strlen(paths[_i].path), &segment, &len);

    if (!paths[_i].template) {
        ck_assert_ptr_null(endpoint);
    } else {
        ck_assert_ptr_nonnull(endpoint);
        ck_assert_str_eq(endpoint->path, paths[_i].template);
        ck_assert_uint_eq(len, strlen(paths[_i].segment));
        ck_assert_mem_eq(segment, paths[_i].segment, len);
        ck_assert_ptr_eq(endpoint_find(paths[_i].path, strlen(paths[_i].path), NULL, NULL),
                         endpoint);
    }
}
END_TEST

static const struct {
    const char *path, *near; /* NULL: no suggestion */
} suggestions[] = {
    {"/v1/roep", "/v1/rope"},
    {"/v1/sinusodial", "/v1/sinusoidal"},
    {"/v1/Alibi", "/v1/alibi"},
    {"/v1/yarn", "/v1/rope?scaling=yarn"},
    {"/v1/rope-freqs", "/v1/rope?out=inv_freq"},
    {"/v1/causal", "/v1/causal-mask"},
    {"/v1/rotary", "/v1/rope"},
    {"/v1//rope", "/v1/rope"},
    {"//v1/rope", "/v1/rope"},
    {"/rope", "/v1/rope"},
    {"/v1/rope/", "/v1/rope"},
    {"/livez/", "/livez"},
    {"/v1/encoding", "/v1/encodings"},
    {"/metric", "/metrics"},
    {"/openapi.jsn", "/openapi.json"},
    {"/", NULL},
    {"/v1/quaternion-helix", NULL},
    {"/favicon.ico", NULL},
    {"", NULL},
};

START_TEST(a_near_miss_is_named)
{
    char text[128];
    const char *near =
        endpoint_suggest(suggestions[_i].path, strlen(suggestions[_i].path), text);

    if (!suggestions[_i].near) {
        ck_assert_msg(!near, "%s: %s", suggestions[_i].path, near);
    } else {
        ck_assert_msg(near != NULL, "%s: nothing", suggestions[_i].path);
        ck_assert_str_eq(near, suggestions[_i].near);
    }
}
END_TEST

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

static const struct suite_test tests[] = {
    TEST_EACH(a_path_finds_its_endpoint, paths),  TEST_EACH(a_near_miss_is_named, suggestions),
    TEST(a_path_of_any_length_gets_an_answer),    TEST(methods_are_known_by_their_exact_names),
    TEST(allow_lists_the_methods_of_an_endpoint), TEST(every_endpoint_is_found_by_its_own_path),
};

const struct suite endpoint_suite = {SUITE_TESTS(tests)};
