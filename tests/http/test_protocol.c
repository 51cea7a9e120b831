/* SPDX-License-Identifier: Apache-2.0
 * test_protocol.c - methods, statuses and headers of every kind of path. */
#include <stdio.h>
#include <string.h>

#include "proto/text/buffer.h"
#include "tests/support/black_box.h"
#include "tests/support/suite.h"

/* Paths that answer GET, with their media types. */
static const struct {
    const char *target, *type;
} pages[] = {
    {"/v1/sinusoidal?dim=4&pos=0:4", "application/json"},
    {"/v1/sinusoidal?dim=4&pos=0:4&format=npy", "application/x-npy"},
    {"/v1/encodings", "application/json"},
    {"/v1/encodings/rope", "application/json"},
    {"/openapi.json", "application/json"},
    {"/livez", NULL},
    {"/healthz", NULL},
    {"/readyz", NULL},
    {"/metrics", "text/plain; version=0.0.4; charset=utf-8"},
    {"/version", "application/json"},
    {"/problems/invalid-parameter", NULL},
    {"/", NULL},
};

START_TEST(every_page_answers_get)
{
    struct answer answer = {0};

    web_get(black_box_web(), pages[_i].target, &answer);
    ck_assert_msg(answer.status == 200, "%s: %ld %s", pages[_i].target, answer.status,
                  answer.body);
    ck_assert_int_gt((int)answer.len, 0);
    const char *type = answer_header(&answer, "Content-Type");
    ck_assert_msg(type && (!pages[_i].type || strcmp(type, pages[_i].type) == 0), "%s: %s",
                  pages[_i].target, type ? type : "no Content-Type");
    ck_assert_str_eq(answer_header(&answer, "X-Content-Type-Options"), "nosniff");
    answer_fini(&answer);
}
END_TEST

START_TEST(head_has_the_headers_of_get)
{
    struct web *web = black_box_web();
    struct answer get = {0}, head = {0};
    const char *const same[] = {"Content-Type", "ETag",         "Cache-Control",
                                "Vary",         "Posenc-Shape", "Content-Location"};

    web_get(web, pages[_i].target, &get);
    web_ask(web, &(struct ask){.method = "HEAD", .target = pages[_i].target}, &head);
    ck_assert_int_eq(head.status, get.status);
    ck_assert_int_eq((int)head.len, 0);
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        const char *expected = answer_header(&get, same[i]);
        const char *found = answer_header(&head, same[i]);

        ck_assert_msg((!expected) == (!found), "%s: %s", pages[_i].target, same[i]);
        if (expected && found)
            ck_assert_str_eq(found, expected);
    }
    /* The scrape itself moves the counters: their text may have another length. */
    if (strcmp(pages[_i].target, "/metrics") != 0) {
        char len[32];

        snprintf(len, sizeof len, "%zu", get.len);
        ck_assert_ptr_nonnull(answer_header(&head, "Content-Length"));
        ck_assert_str_eq(answer_header(&head, "Content-Length"), len);
    }
    answer_fini(&get);
    answer_fini(&head);
}
END_TEST

START_TEST(options_tells_the_methods)
{
    struct answer answer = {0};

    web_ask(black_box_web(), &(struct ask){.method = "OPTIONS", .target = pages[_i].target},
            &answer);
    ck_assert_int_eq(answer.status, 204);
    ck_assert_int_eq((int)answer.len, 0);
    const char *allow = answer_header(&answer, "Allow");
    ck_assert_ptr_nonnull(allow);
    ck_assert_ptr_nonnull(strstr(allow, "GET"));
    ck_assert_ptr_nonnull(strstr(allow, "HEAD"));
    ck_assert_ptr_nonnull(strstr(allow, "OPTIONS"));
    bool encoding = strncmp(pages[_i].target, "/v1/sinusoidal", 14) == 0;
    ck_assert_int_eq(strstr(allow, "POST") != NULL, encoding);
    ck_assert_int_eq(strstr(allow, "QUERY") != NULL, encoding);
    answer_fini(&answer);
}
END_TEST

START_TEST(other_methods_are_405_with_allow)
{
    const char *const methods[] = {"PUT", "DELETE", "PATCH", "TRACE", "get", "FOO"};

    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        struct answer answer = {0};

        web_ask(black_box_web(),
                &(struct ask){.method = methods[i], .target = pages[_i].target}, &answer);
        json_t *problem = black_box_problem(&answer, 405, "method-not-allowed");
        ck_assert_ptr_nonnull(strstr(answer_header(&answer, "Allow"), "GET, HEAD"));
        json_decref(problem);
        answer_fini(&answer);
    }
}
END_TEST

START_TEST(an_unknown_path_is_404_and_names_the_nearest)
{
    struct answer answer = {0};

    web_get(black_box_web(), "/v1/sinusoidl?dim=4&pos=0:4", &answer);
    json_t *problem = black_box_problem(&answer, 404, "not-found");
    ck_assert_msg(strstr(answer.body, "/v1/sinusoidal") != NULL, "%s", answer.body);
    ck_assert_str_eq(answer_header(&answer, "Cache-Control"), "max-age=5");
    json_decref(problem);
    answer_fini(&answer);
}
END_TEST

static const char *const unknown[] = {
    "/v3",      "/v1",         "/v1/",    "/v1/rope/", "/v1/rope/x", "/v1/encodings/nothing",
    "/nothing", "/problems/x", "/livez/", "//livez",   "/V1/rope",   "/v1/rope%2F",
    "/../livez"};

START_TEST(what_is_not_there_is_404)
{
    struct answer answer = {0};

    web_get(black_box_web(), unknown[_i], &answer);
    ck_assert_msg(answer.status == 404 || answer.status == 400, "%s: %ld", unknown[_i],
                  answer.status);
    ck_assert_str_eq(answer_header(&answer, "Content-Type"), "application/problem+json");
    answer_fini(&answer);
}
END_TEST

START_TEST(accept_chooses_the_format)
{
    static const struct {
        const char *accept, *type;
    } cases[] = {
        {"Accept: application/x-npy", "application/x-npy"},
        {"Accept: text/csv", "text/csv; charset=utf-8; header=present"},
        {"Accept: */*", "application/json"},
        {"Accept: application/json;q=0.1, application/x-npy;q=0.9", "application/x-npy"},
        {"Accept: application/*", "application/json"},
        {"Accept: text/html, application/json;q=0.5", "application/json"},
        {"Accept: application/octet-stream", "application/octet-stream"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct answer answer = {0};
        const char *const headers[] = {cases[i].accept, NULL};

        web_ask(black_box_web(),
                &(struct ask){.target = "/v1/sinusoidal?dim=4&pos=0:4", .headers = headers},
                &answer);
        black_box_expect(&answer, 200, cases[i].type);
        ck_assert_str_eq(answer_header(&answer, "Vary"), "Accept, Accept-Encoding");
        answer_fini(&answer);
    }
}
END_TEST

START_TEST(format_beats_accept)
{
    struct answer answer = {0};
    const char *const headers[] = {"Accept: text/html", NULL};

    web_ask(
        black_box_web(),
        &(struct ask){.target = "/v1/sinusoidal?dim=4&pos=0:4&format=npy", .headers = headers},
        &answer);
    black_box_expect(&answer, 200, "application/x-npy");
    const char *vary = answer_header(&answer, "Vary");
    ck_assert(!vary || !strstr(vary, "Accept"));
    answer_fini(&answer);
}
END_TEST

START_TEST(nothing_acceptable_is_406_with_what_there_is)
{
    const char *const accepts[] = {"Accept: text/html", "Accept: video/*",
                                   "Accept: application/json;q=0, text/html"};

    for (size_t i = 0; i < sizeof accepts / sizeof accepts[0]; i++) {
        struct answer answer = {0};
        const char *const headers[] = {accepts[i], NULL};

        web_ask(black_box_web(),
                &(struct ask){.target = "/v1/sinusoidal?dim=4&pos=0:4", .headers = headers},
                &answer);
        json_t *problem = black_box_problem(&answer, 406, "not-acceptable");
        const json_t *available = json_object_get(problem, "available");
        ck_assert_uint_ge(json_array_size(available), 5);
        ck_assert_str_eq(json_string_value(json_array_get(available, 0)), "application/json");
        json_decref(problem);
        answer_fini(&answer);
    }
}
END_TEST

START_TEST(a_request_id_is_echoed_or_made)
{
    struct answer answer = {0};
    const char *const sent[] = {"X-Request-Id: abc-DEF_0.9", NULL};
    const char *const bad[] = {"X-Request-Id: no spaces allowed", NULL};
    const char *target = "/v1/sinusoidal?dim=4&pos=0:4";
    struct web *web = black_box_web();

    web_ask(web, &(struct ask){.target = target, .headers = sent}, &answer);
    ck_assert_int_eq(answer.status, 200);
    ck_assert_str_eq(answer_header(&answer, "X-Request-Id"), "abc-DEF_0.9");
    web_get(web, target, &answer);
    ck_assert_uint_eq(strlen(answer_header(&answer, "X-Request-Id")), 16);
    web_ask(web, &(struct ask){.target = target, .headers = bad}, &answer);
    ck_assert_int_eq(answer.status, 200);
    ck_assert_uint_eq(strlen(answer_header(&answer, "X-Request-Id")), 16);
    web_ask(web, &(struct ask){.target = "/nowhere", .headers = sent}, &answer);
    json_t *problem = black_box_problem(&answer, 404, "not-found");
    ck_assert_str_eq(json_string_value(json_object_get(problem, "request_id")), "abc-DEF_0.9");
    json_decref(problem);
    answer_fini(&answer);
}
END_TEST

/* The status of a request whose target has this length. */
static long status_of_length(size_t len)
{
    struct buffer target = {0};
    struct answer answer = {0};

    buffer_add_text(&target, "/v1/sinusoidal?dim=2&format=raw&pos=0");
    while (target.len + 2 <= len)
        buffer_add_text(&target, target.len % 4 < 2 ? ",1" : ",5");
    buffer_add_text(&target, target.len < len ? "0" : "");
    ck_assert_uint_eq(target.len, len);
    web_get(black_box_web(), target.bytes, &answer);
    long status = answer.status;
    answer_fini(&answer);
    buffer_fini(&target);
    return status;
}

START_TEST(a_target_too_long_is_414)
{
    ck_assert_int_eq(status_of_length(8193), 414);
    ck_assert_int_eq(status_of_length(9000), 414);
    ck_assert_int_eq(status_of_length(40000), 414);
}
END_TEST

START_TEST(a_target_of_8192_bytes_is_served)
{
    ck_assert_int_eq(status_of_length(8192), 200);
    ck_assert_int_eq(status_of_length(8191), 200);
}
END_TEST

START_TEST(a_head_too_large_is_431)
{
    static char large[9000], lines[101][16];
    const char *one[2] = {large, NULL};
    const char *many[102] = {NULL};
    struct answer answer = {0};

    memset(large, 'a', sizeof large - 1);
    memcpy(large, "X-Large: ", 9);
    web_ask(black_box_web(), &(struct ask){.target = "/livez", .headers = one}, &answer);
    ck_assert_int_eq(answer.status, 431);
    for (int i = 0; i < 101; i++) {
        snprintf(lines[i], sizeof lines[i], "X-%d: v", i);
        many[i] = lines[i];
    }
    web_ask(black_box_web(), &(struct ask){.target = "/livez", .headers = many}, &answer);
    ck_assert_int_eq(answer.status, 431);
    answer_fini(&answer);
}
END_TEST

START_TEST(a_page_takes_no_parameters_and_names_itself_alone)
{
    struct answer answer = {0};

    web_get(black_box_web(), "/version?verbose=1", &answer);
    json_t *problem = black_box_problem(&answer, 400, "unknown-parameter");
    const char *detail = json_string_value(json_object_get(problem, "detail"));
    ck_assert_ptr_nonnull(strstr(detail, "/version alone"));
    json_decref(problem);
    web_get(black_box_web(), "/v1/encodings/rop?x=1", &answer);
    problem = black_box_problem(&answer, 404, "not-found");
    detail = json_string_value(json_object_get(problem, "detail"));
    ck_assert_ptr_nonnull(strstr(detail, "rope"));
    ck_assert_ptr_null(strstr(detail, "x=1"));
    json_decref(problem);
    answer_fini(&answer);
}
END_TEST

START_TEST(the_health_pages_and_metrics_are_not_stored)
{
    const char *const targets[] = {"/livez", "/readyz", "/healthz", "/metrics"};

    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        struct answer answer = {0};

        web_get(black_box_web(), targets[i], &answer);
        ck_assert_int_eq(answer.status, 200);
        ck_assert_str_eq(answer_header(&answer, "Cache-Control"), "no-store");
        answer_fini(&answer);
    }
}
END_TEST

START_TEST(one_connection_serves_many_requests)
{
    struct web *web = black_box_web();
    struct answer answer = {0};

    web_get(web, "/livez", &answer);
    for (int i = 0; i < 50; i++) {
        web_get(web, i % 2 ? "/v1/sinusoidal?dim=4&pos=0:4" : "/nowhere", &answer);
        ck_assert_int_eq(answer.status, i % 2 ? 200 : 404);
        ck_assert_int_eq(answer.connects, 0);
    }
    answer_fini(&answer);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(every_page_answers_get, pages),
    TEST_EACH(head_has_the_headers_of_get, pages),
    TEST_EACH(options_tells_the_methods, pages),
    TEST_EACH(other_methods_are_405_with_allow, pages),
    TEST_EACH(what_is_not_there_is_404, unknown),
    TEST(an_unknown_path_is_404_and_names_the_nearest),
    TEST(accept_chooses_the_format),
    TEST(format_beats_accept),
    TEST(nothing_acceptable_is_406_with_what_there_is),
    TEST(a_request_id_is_echoed_or_made),
    TEST(a_target_too_long_is_414),
    TEST(a_target_of_8192_bytes_is_served),
    TEST(a_head_too_large_is_431),
    TEST(a_page_takes_no_parameters_and_names_itself_alone),
    TEST(the_health_pages_and_metrics_are_not_stored),
    TEST(one_connection_serves_many_requests),
};

const struct suite protocol_suite = {SUITE_TESTS(tests), BLACK_BOX};
