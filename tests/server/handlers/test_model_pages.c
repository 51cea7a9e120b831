/* SPDX-License-Identifier: Apache-2.0
 * test_model_pages.c - models over HTTP: the list, one model, a resolved configuration, and
 * every URL that these pages have; pages.txt has single answers. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "proto/text/buffer.h"
#include "tests/support/suite.h"
#include "tests/support/visit.h"

#define JSON "Content-Type: application/json\r\n"

static struct visit visit;

static void start(void)
{
    visit_begin(&visit, NULL);
}

static void stop(void)
{
    visit_end(&visit);
}

static json_t *ask(const char *method, const char *target, const char *headers,
                   const char *body, int status)
{
    json_error_t error;

    http_client_ask(visit.client, &visit.answer, method, target, headers, body);
    ck_assert_msg(visit.answer.status == status, "%s: %d %s", target, visit.answer.status,
                  visit.answer.body);
    json_t *root =
        json_loadb(visit.answer.body, visit.answer.len, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(root != NULL, "%s: %s", target, error.text);
    return root;
}

static void every_url_answers_of(const json_t *uses, const char *member)
{
    size_t i, j;
    json_t *use, *url;
    struct http_answer numbers = {0};

    json_array_foreach(uses, i, use)
    {
        json_array_foreach(json_object_get(use, member), j, url)
        {
            http_client_get(visit.client, &numbers, json_string_value(url));
            ck_assert_msg(numbers.status == 200, "%s: %d %s", json_string_value(url),
                          numbers.status, numbers.body);
        }
    }
    http_answer_fini(&numbers);
}

static void every_url_answers(const json_t *model, const char *member)
{
    every_url_answers_of(json_object_get(model, "uses"), member);
}

START_TEST(every_listed_model_has_a_page_whose_urls_answer)
{
    json_t *list = ask("GET", "/v1/models", NULL, NULL, 200), *row;
    size_t i;

    ck_assert_uint_ge(json_array_size(json_object_get(list, "models")), 60);
    json_array_foreach(json_object_get(list, "models"), i, row)
    {
        const char *url = json_string_value(json_object_get(row, "url"));
        json_t *model = ask("GET", url, NULL, NULL, 200);
        ck_assert(json_equal(json_object_get(model, "id"), json_object_get(row, "id")));
        ck_assert_ptr_nonnull(json_object_get(model, "source"));
        every_url_answers(model, "urls");
        every_url_answers(model, "named_urls");
        json_decref(model);
    }
    json_decref(list);
}
END_TEST

START_TEST(pages_have_tags)
{
    char tag[64], header[96];

    json_decref(ask("GET", "/v1/models/phi-2", NULL, NULL, 200));
    ck_assert_str_eq(http_answer_header(&visit.answer, "Cache-Control"), "public, max-age=60");
    snprintf(tag, sizeof tag, "%s", http_answer_header(&visit.answer, "ETag"));
    snprintf(header, sizeof header, "If-None-Match: %s\r\n", tag);
    http_client_ask(visit.client, &visit.answer, "GET", "/v1/models/phi-2", header, NULL);
    ck_assert_int_eq(visit.answer.status, 304);
    http_client_ask(visit.client, &visit.answer, "HEAD", "/v1/models", NULL, NULL);
    ck_assert_int_eq(visit.answer.status, 200);
}
END_TEST

START_TEST(a_configuration_is_resolved_into_urls_that_answer)
{
    static const char config[] =
        "{\"model_type\": \"gemma3_text\", \"head_dim\": 256, \"num_hidden_layers\": 6, "
        "\"sliding_window_pattern\": 6, \"rope_theta\": 1e6, \"rope_local_base_freq\": 1e4, "
        "\"sliding_window\": 1024, "
        "\"rope_scaling\": {\"rope_type\": \"linear\", \"factor\": 8, \"colour\": 1}}";
    json_t *model = ask("POST", "/v1/models/resolve", JSON, config, 200);

    ck_assert_uint_eq(json_array_size(json_object_get(model, "uses")), 2);
    ck_assert_uint_eq(json_array_size(json_object_get(model, "warnings")), 1);
    ck_assert_ptr_null(json_object_get(model, "source"));
    every_url_answers(model, "urls");
    ck_assert_str_eq(http_answer_header(&visit.answer, "Cache-Control"), "no-store");
    ck_assert_ptr_null(http_answer_header(&visit.answer, "ETag"));
    json_decref(model);
    json_decref(ask("QUERY", "/v1/models/resolve", JSON, config, 200));
    ck_assert_str_eq(http_answer_header(&visit.answer, "Cache-Control"), "public, max-age=60");
    ck_assert_ptr_nonnull(http_answer_header(&visit.answer, "ETag"));
}
END_TEST

START_TEST(other_encodings_of_a_configuration_have_urls_that_answer)
{
    json_t *model = ask("POST", "/v1/models/resolve", JSON,
                        "{\"model_type\": \"mistral3\", \"text_config\": {\"model_type\": "
                        "\"mistral\", \"head_dim\": 128, \"rope_theta\": 1e9, "
                        "\"sliding_window\": 4096, \"num_hidden_layers\": 2}, "
                        "\"vision_config\": {\"model_type\": \"pixtral\", \"head_dim\": 64}}",
                        200);
    const json_t *besides = json_object_get(model, "besides");

    ck_assert_uint_eq(json_array_size(besides), 2);
    const json_t *first = json_array_get(besides, 0), *second = json_array_get(besides, 1);
    ck_assert_str_eq(json_string_value(json_object_get(first, "from")),
                     "#/text_config/sliding_window");
    ck_assert_str_eq(json_string_value(json_array_get(json_object_get(second, "urls"), 0)),
                     "/v1/rope2d-pixtral?dim=64&base=10000&image_size=1024&patch_size=16"
                     "&grid=4x4");
    every_url_answers_of(besides, "urls");
    json_decref(model);
}
END_TEST

/* nvidia/Nemotron-H has Infinity; another model has a list of 3 MB of its quantised parts. */
START_TEST(a_configuration_may_be_as_python_writes_it)
{
    struct buffer text = {0};

    buffer_add_text(&text, "\xef\xbb\xbf{\"model_type\": \"qwen2\", \"head_dim\": 64, "
                           "\"rope_theta\": 1e6, \"time_step_limit\": [0.0, Infinity], "
                           "\"quantization_config\": {\"ignore\": [\"\"");
    while (text.len < 3u << 20)
        buffer_add_text(&text, ",\n \"model.layers.17.mlp.experts.down_proj\"");
    buffer_add_text(&text, "]}}");
    ck_assert(!text.failed);
    json_t *model = ask("POST", "/v1/models/resolve", JSON, text.bytes, 200);
    ck_assert_uint_eq(json_array_size(json_object_get(model, "uses")), 1);
    json_decref(model);
    /* Other bodies must be JSON, and a number that is used must be finite. */
    json_decref(ask("POST", "/v1/rope", JSON, "{\"pos\": [Infinity], \"dim\": 4}", 400));
    json_decref(ask("POST", "/v1/rope", JSON, "\xef\xbb\xbf{\"pos\": [1], \"dim\": 4}", 400));
    json_decref(ask("POST", "/v1/models/resolve", JSON,
                    "{\"model_type\": \"qwen2\", \"rope_theta\": NaN}", 400));
    buffer_fini(&text);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(every_listed_model_has_a_page_whose_urls_answer),
    TEST(pages_have_tags),
    TEST(a_configuration_is_resolved_into_urls_that_answer),
    TEST(other_encodings_of_a_configuration_have_urls_that_answer),
    TEST(a_configuration_may_be_as_python_writes_it),
};

const struct suite model_pages_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                        .timeout = 60};
