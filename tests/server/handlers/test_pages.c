/* SPDX-License-Identifier: Apache-2.0
 * test_pages.c - documents that do not change, health and metrics; pages.txt has single
 * answers. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "core/posenc.h"
#include "proto/http/endpoint.h"
#include "proto/http/problem.h"
#include "proto/models/models.h"
#include "proto/pages/guide.h"
#include "server/handlers/routes.h"
#include "tests/support/suite.h"
#include "tests/support/visit.h"

static struct visit visit;

static void start(void)
{
    visit_begin(&visit, NULL);
}

static void stop(void)
{
    visit_end(&visit);
}

static void get(const char *target, const char *headers)
{
    http_client_ask(visit.client, &visit.answer, "GET", target, headers, NULL);
}

static json_t *get_json(const char *target)
{
    json_error_t error;
    json_t *root;

    get(target, NULL);
    ck_assert_msg(visit.answer.status == 200, "%s: %d", target, visit.answer.status);
    ck_assert_str_eq(http_answer_header(&visit.answer, "Content-Type"), "application/json");
    root = json_loadb(visit.answer.body, visit.answer.len, 0, &error);
    ck_assert_msg(root != NULL, "%s: %s", target, error.text);
    return root;
}

static const char *const documents[] = {"/",
                                        "/version",
                                        "/openapi.json",
                                        "/v1/encodings",
                                        "/v1/encodings/rope",
                                        "/docs",
                                        "/docs/rope",
                                        "/docs/rope/apply",
                                        "/docs/api",
                                        "/docs/disagreements",
                                        "/docs/openapi",
                                        "/docs/verify",
                                        "/docs/verify/ladder",
                                        "/models",
                                        "/models/phi-2",
                                        "/problems/invalid-parameter"};

START_TEST(a_document_has_a_strong_tag_and_304)
{
    const char *target = documents[_i];
    char tag[64], header[128];

    get(target, NULL);
    ck_assert_int_eq(visit.answer.status, 200);
    ck_assert_str_eq(http_answer_header(&visit.answer, "Cache-Control"), "public, max-age=60");
    ck_assert_str_eq(http_answer_header(&visit.answer, "X-Content-Type-Options"), "nosniff");
    snprintf(tag, sizeof tag, "%s", http_answer_header(&visit.answer, "ETag"));
    ck_assert(tag[0] == '"');
    snprintf(header, sizeof header, "If-None-Match: %s\r\n", tag);
    get(target, header);
    ck_assert_int_eq(visit.answer.status, 304);
    ck_assert_str_eq(http_answer_header(&visit.answer, "ETag"), tag);
    snprintf(header, sizeof header, "X-Request-Id: me\r\nIf-None-Match: %s\r\n", tag);
    get(target, header);
    ck_assert_int_eq(visit.answer.status, 304);
    ck_assert_str_eq(http_answer_header(&visit.answer, "X-Request-Id"), "me");
    get(target, "X-Request-Id: me\r\n");
    ck_assert_int_eq(visit.answer.status, 200);
    ck_assert_str_eq(http_answer_header(&visit.answer, "X-Request-Id"), "me");
    ck_assert_str_eq(http_answer_header(&visit.answer, "ETag"), tag);
}
END_TEST

START_TEST(head_of_a_document_has_its_length)
{
    char length[32];

    get(documents[_i], NULL);
    snprintf(length, sizeof length, "%zu", visit.answer.len);
    http_client_ask(visit.client, &visit.answer, "HEAD", documents[_i], NULL, NULL);
    ck_assert_int_eq(visit.answer.status, 200);
    ck_assert_str_eq(http_answer_header(&visit.answer, "Content-Length"), length);
}
END_TEST

START_TEST(every_encoding_has_a_schema)
{
    json_t *root = get_json("/v1/encodings"), *list = json_object_get(root, "encodings");
    char target[128];

    ck_assert_uint_eq(json_array_size(list), pe_count());
    for (size_t i = 0; i < pe_count(); i++) {
        json_t *one;

        snprintf(target, sizeof target, "/v1/encodings/%s", pe_name(pe_at(i)));
        one = get_json(target);
        ck_assert(json_equal(one, json_array_get(list, i)));
        json_decref(one);
    }
    json_decref(root);
}
END_TEST

static void expect_html(const char *target)
{
    get(target, NULL);
    ck_assert_msg(visit.answer.status == 200, "%s: %d", target, visit.answer.status);
    ck_assert_str_eq(http_answer_header(&visit.answer, "Content-Type"),
                     "text/html; charset=utf-8");
    ck_assert_msg(strncmp(visit.answer.body, "<!doctype html>", 15) == 0, "%s", target);
}

START_TEST(every_encoding_and_every_guide_has_a_page)
{
    char target[128];

    for (size_t i = 0; i < pe_count(); i++) {
        snprintf(target, sizeof target, "/docs/%s", pe_name(pe_at(i)));
        expect_html(target);
        ck_assert_ptr_nonnull(strstr(visit.answer.body, pe_name(pe_at(i))));
    }
    for (size_t i = 0; i < guide_count(); i++) {
        snprintf(target, sizeof target, "%s/%s", guide_is_lesson(guide_at(i)) ? "" : "/docs",
                 guide_at(i)->slug);
        expect_html(target);
    }
}
END_TEST

START_TEST(every_model_has_a_page)
{
    char target[128];

    for (size_t i = 0; i < models_count(models_embedded()); i++) {
        snprintf(target, sizeof target, "/models/%s", models_at(models_embedded(), i)->id);
        expect_html(target);
    }
}
END_TEST

START_TEST(a_chapter_is_below_the_course_alone_and_may_have_a_state)
{
    expect_html("/learn?n=4");
    expect_html("/learn/waves?d=1");
    get("/docs/learn", NULL);
    ck_assert_int_eq(visit.answer.status, 404);
    get("/docs/verify/waves", NULL);
    ck_assert_int_eq(visit.answer.status, 404);
    get("/learn/wavs", NULL);
    ck_assert_int_eq(visit.answer.status, 404);
    ck_assert_ptr_nonnull(strstr(visit.answer.body, "did you mean waves?"));
}
END_TEST

START_TEST(a_state_of_a_page_has_a_title_of_its_own)
{
    static const struct {
        const char *target, *title;
    } states[] = {
        {"/explore/rope?pos=0:64", "Rotary position embedding (RoPE)"},
        {"/explore/rope?out=wavelengths", "Rotary position embedding (RoPE): Wavelengths"},
        {"/explore/rope?model=meta-llama/Llama-3.1-8B&out=cos",
         "Rotary position embedding (RoPE): Cosines, llama-3.1-8b"},
        {"/explore/t5?model=llama-3.1-8b", "T5 relative position bias"},
        {"/explore/rope?out=no-such&model=no-such", "Rotary position embedding (RoPE)"},
        {"/verify?port=adjacent&pos=0:4",
         "What is wrong with my numbers? A port: pairs side by side"},
        {"/verify?port=no-such", "What is wrong with my numbers?"},
    };
    char title[160];

    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        expect_html(states[i].target);
        snprintf(title, sizeof title, "<title>%s · posencd</title>", states[i].title);
        ck_assert_msg(strstr(visit.answer.body, title), "%s: %s", states[i].target, title);
        snprintf(title, sizeof title, "<meta property=\"og:title\" content=\"%s\">",
                 states[i].title);
        ck_assert_msg(strstr(visit.answer.body, title), "%s: %s", states[i].target, title);
    }
}
END_TEST

START_TEST(every_problem_has_a_page)
{
    char target[128];

    for (int kind = 0; kind < PROBLEM_COUNT; kind++) {
        snprintf(target, sizeof target, "/problems/%s", problem_slug((enum problem_kind)kind));
        expect_html(target);
        ck_assert_ptr_nonnull(
            strstr(visit.answer.body, problem_title((enum problem_kind)kind)));
    }
}
END_TEST

/* An endpoint without a first step is answered by its row of pages.def (routes.c). */
START_TEST(every_document_has_its_rows_and_every_other_endpoint_a_first_step)
{
    static const enum endpoint_id rows[] = {
#define PAGE(ENDPOINT, ...)                                                                    \
    ENDPOINT_##ENDPOINT                                                                        \
    ,
#include "server/handlers/pages.def"
#undef PAGE
    };

    for (size_t i = 0; i < ENDPOINT_COUNT; i++) {
        const struct endpoint *endpoint = endpoint_at(i);
        const bool document = endpoint->work == ENDPOINT_DOCUMENT;
        const size_t expected = endpoint->access & ENDPOINT_TWOFOLD ? 2 : document;
        size_t found = 0;

        for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
            found += rows[row] == endpoint->id;
        ck_assert_msg(found == expected, "%s has %zu rows", endpoint->path, found);
        ck_assert_msg(document || routes.first_step[i], "%s has no step", endpoint->path);
    }
}
END_TEST

START_TEST(the_index_names_every_endpoint_and_working_examples)
{
    json_t *root = get_json("/"), *list = json_object_get(root, "encodings");

    ck_assert_uint_eq(json_array_size(json_object_get(root, "endpoints")), ENDPOINT_COUNT);
    ck_assert_uint_eq(json_array_size(list), pe_count());
    for (size_t i = 0; i < json_array_size(list); i++) {
        get(json_string_value(json_object_get(json_array_get(list, i), "example")), NULL);
        ck_assert_int_eq(visit.answer.status, 200);
    }
    json_decref(root);
}
END_TEST

START_TEST(version_has_limits_and_revisions)
{
    json_t *root = get_json("/version");
    json_t *limits = json_object_get(root, "limits");

    ck_assert_str_eq(json_string_value(json_object_get(root, "version")), pe_version());
    ck_assert_int_eq(json_integer_value(json_object_get(limits, "max_elements")),
                     (json_int_t)visit.service->config.max_elements);
    ck_assert_int_eq(json_integer_value(json_object_get(limits, "max_target")), 8192);
    ck_assert_int_eq(
        json_integer_value(json_object_get(json_object_get(root, "revisions"), "rope")),
        pe_revision(pe_find("rope", 4)));
    json_decref(root);
}
END_TEST

/* ---- health -------------------------------------------------------------------------- */

static void expect_health(const char *target, int status, const char *body)
{
    get(target, NULL);
    ck_assert_int_eq(visit.answer.status, status);
    ck_assert_str_eq(visit.answer.body, body);
    ck_assert_str_eq(http_answer_header(&visit.answer, "Cache-Control"), "no-store");
}

START_TEST(only_readiness_fails_while_loading_or_draining)
{
    atomic_store(&visit.service->state, SERVICE_LOADING);
    expect_health("/readyz", 503, "loading\n");
    ck_assert_str_eq(http_answer_header(&visit.answer, "Retry-After"), "1");
    expect_health("/livez", 200, "ok\n");
    atomic_store(&visit.service->state, SERVICE_DRAINING);
    expect_health("/readyz?verbose", 503,
                  "[+] loop 0\n[+] loop 1\n[-] state draining\ndraining\n");
    ck_assert_str_eq(http_answer_header(&visit.answer, "Connection"), "close");
    http_client_free(visit.client);
    visit.client = http_client_new(served_port(visit.service));
    expect_health("/livez", 200, "ok\n");
    http_client_free(visit.client);
    visit.client = http_client_new(served_port(visit.service));
    get("/v1/rope?pos=0:4&dim=8",
        NULL); /* the request is served, and the connection then closed */
    ck_assert_int_eq(visit.answer.status, 200);
    ck_assert_str_eq(http_answer_header(&visit.answer, "Connection"), "close");
    atomic_store(&visit.service->state, SERVICE_READY);
}
END_TEST

START_TEST(metrics_count_requests)
{
    get("/v1/rope?pos=0:4&dim=8", NULL);
    get("/v1/rope?pos=0:4&dim=7", NULL);
    get("/nowhere", NULL);
    get("/metrics", NULL);
    ck_assert_str_eq(http_answer_header(&visit.answer, "Content-Type"),
                     "text/plain; version=0.0.4; charset=utf-8");
    ck_assert_str_eq(http_answer_header(&visit.answer, "Cache-Control"), "no-store");
    ck_assert(
        served_metric(visit.service, "posencd_compute_seconds_count{encoding=\"rope\"}") == 1);
    ck_assert(served_metric(visit.service, "posencd_cache_entries") == 1);
    ck_assert(served_metric(visit.service, "posencd_cache_requests_total{result=\"miss\"}") ==
              1);
    ck_assert(served_metric_becomes(visit.service,
                                    "posencd_http_requests_total{route=\"/v1/{encoding}\","
                                    "method=\"GET\",code=\"400\"}",
                                    1));
    ck_assert(served_metric_becomes(visit.service, "posencd_http_inflight_requests",
                                    1)); /* the request for /metrics itself */
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(a_document_has_a_strong_tag_and_304, documents),
    TEST_EACH(head_of_a_document_has_its_length, documents),
    TEST(every_encoding_has_a_schema),
    TEST(a_chapter_is_below_the_course_alone_and_may_have_a_state),
    TEST(a_state_of_a_page_has_a_title_of_its_own),
    TEST(every_problem_has_a_page),
    TEST(every_encoding_and_every_guide_has_a_page),
    TEST(every_model_has_a_page),
    TEST(every_document_has_its_rows_and_every_other_endpoint_a_first_step),
    TEST(the_index_names_every_endpoint_and_working_examples),
    TEST(version_has_limits_and_revisions),
    TEST(only_readiness_fails_while_loading_or_draining),
    TEST(metrics_count_requests),
};

const struct suite pages_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                  .timeout = 30};
