/* SPDX-License-Identifier: Apache-2.0
 * test_answer.c - what every answer says of itself: headers, statuses, problems; against a
 * service in this process. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/service.h"
#include "tests/support/http_client.h"
#include "tests/support/served.h"

Suite *answer_suite(void);

#define ROPE "/v1/rope?pos=0:4&dim=8&out=cos&format=npy"

static struct service *service;
static struct http_client *client;
static struct http_answer answer;

static void start(void)
{
    service = served_start(NULL);
    client = http_client_new(served_port(service));
}

static void stop(void)
{
    http_answer_fini(&answer);
    http_client_free(client);
    served_stop(service);
    service = NULL;
    client = NULL;
}

static void ask(const char *method, const char *target, const char *headers)
{
    http_client_ask(client, &answer, method, target, headers, NULL);
}

static void expect_header(const char *name, const char *value)
{
    const char *got = http_answer_header(&answer, name);

    if (value)
        ck_assert_msg(got && strcmp(got, value) == 0, "%s: %s\n%s", name, value, answer.head);
    else
        ck_assert_msg(!got, "%s is there: %s", name, answer.head);
}

static void expect_in_body(const char *text)
{
    ck_assert_msg(strstr(answer.body, text) != NULL, "no %s in %s", text, answer.body);
}

/* ---- headers ------------------------------------------------------------------------- */

START_TEST(an_answer_has_the_headers_of_the_contract)
{
    ask("GET", ROPE, NULL);
    ck_assert_int_eq(answer.status, 200);
    ck_assert_uint_eq(answer.len, 128 + 4 * 4 * 4);
    expect_header("Content-Type", "application/x-npy");
    expect_header("Content-Length", "192");
    expect_header("Cache-Control", "public, max-age=86400, stale-while-revalidate=604800");
    expect_header("Vary", NULL);
    expect_header("Accept-Ranges", "bytes");
    expect_header("X-Content-Type-Options", "nosniff");
    expect_header("Link", "</openapi.json>; rel=\"service-desc\"");
    expect_header("X-Request-Id", NULL);
    expect_header("Posenc-Shape", "4,4");
    expect_header("Posenc-Dtype", "f32");
    ck_assert_uint_eq(strlen(http_answer_header(&answer, "ETag")), 34);
    ck_assert_ptr_nonnull(strstr(http_answer_header(&answer, "Content-Location"), "/v1/rope?"));
    ck_assert_ptr_nonnull(
        strstr(http_answer_header(&answer, "Server-Timing"), "cache;desc=miss, compute;dur="));
    ck_assert_ptr_nonnull(http_answer_header(&answer, "Content-Disposition"));
    ck_assert_ptr_nonnull(http_answer_header(&answer, "Date"));
}
END_TEST

START_TEST(without_format_the_answer_varies_by_accept)
{
    ask("GET", "/v1/rope?pos=0:4&dim=8", NULL);
    expect_header("Vary", "Accept, Accept-Encoding");
    expect_header("Content-Type", "application/json");
    ask("GET", "/v1/rope?pos=0:4&dim=8&out=cos", "Accept: application/x-npy\r\n");
    expect_header("Vary", "Accept, Accept-Encoding");
    expect_header("Content-Type", "application/x-npy");
}
END_TEST

START_TEST(a_pinned_revision_is_immutable)
{
    ask("GET", ROPE "&rev=1", NULL);
    expect_header("Cache-Control", "public, max-age=31536000, immutable");
    ask("GET", ROPE, NULL); /* the same entry, other terms */
    expect_header("Cache-Control", "public, max-age=86400, stale-while-revalidate=604800");
    ask("GET", ROPE "&rev=1", NULL);
    expect_header("Cache-Control", "public, max-age=31536000, immutable");
}
END_TEST

START_TEST(a_request_id_is_echoed_when_it_is_one)
{
    for (int times = 0; times < 4; times++) { /* miss, hit, hot */
        ask("GET", ROPE, "X-Request-Id: abc-DEF_0.9\r\n");
        ck_assert_int_eq(answer.status, 200);
        expect_header("X-Request-Id", "abc-DEF_0.9");
        ask("GET", ROPE, NULL);
        expect_header("X-Request-Id", NULL);
    }
    ask("GET", ROPE, "X-Request-Id: a b\r\n");
    expect_header("X-Request-Id", NULL);
    ask("GET", "/nowhere", "X-Request-Id: abc-DEF_0.9\r\n");
    expect_header("X-Request-Id", "abc-DEF_0.9");
    expect_in_body("\"request_id\":\"abc-DEF_0.9\"");
    ask("GET", "/version", "X-Request-Id: abc-DEF_0.9\r\n");
    expect_header("X-Request-Id", "abc-DEF_0.9");
    ask("GET", "/nowhere", NULL);
    ck_assert_uint_eq(strlen(http_answer_header(&answer, "X-Request-Id")), 16);
}
END_TEST

/* ---- methods ------------------------------------------------------------------------- */

START_TEST(head_computes_and_caches_what_get_would)
{
    ask("HEAD", ROPE, NULL);
    ck_assert_int_eq(answer.status, 200);
    expect_header("Content-Length", "192");
    ask("GET", ROPE, NULL);
    expect_header("Server-Timing", "cache;desc=hit");
    ask("HEAD", "/v1/rope?pos=0:8&dim=8", NULL);
    ck_assert_ptr_nonnull(http_answer_header(&answer, "Content-Length"));
    ask("HEAD", "/v1/sinusoidal?pos=0:100000&dim=64", NULL); /* long text: no length */
    ck_assert_int_eq(answer.status, 200);
    expect_header("Content-Length", NULL);
    expect_header("Transfer-Encoding", NULL);
    ck_assert_ptr_nonnull(http_answer_header(&answer, "ETag"));
    ck_assert(http_client_closed(client)); /* not a byte of a body */
}
END_TEST

START_TEST(options_names_the_methods)
{
    ask("OPTIONS", "/v1/rope", NULL);
    ck_assert_int_eq(answer.status, 204);
    expect_header("Allow", "GET, HEAD, POST, QUERY, OPTIONS");
    ask("OPTIONS", "*", NULL);
    ck_assert_int_eq(answer.status, 204);
    expect_header("Allow", "GET, HEAD, POST, QUERY, OPTIONS");
    ask("OPTIONS", "/version", NULL);
    expect_header("Allow", "GET, HEAD, OPTIONS");
    ask("OPTIONS", "/nowhere", NULL);
    ck_assert_int_eq(answer.status, 404);
}
END_TEST

START_TEST(other_methods_are_405_with_allow)
{
    static const char *const methods[] = {"POST", "QUERY", "PUT", "DELETE", "get"};

    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        http_client_free(client);
        client = http_client_new(served_port(service));
        ask(methods[i], "/v1/encodings", NULL);
        ck_assert_msg(answer.status == 405, "%s: %d", methods[i], answer.status);
        expect_header("Allow", "GET, HEAD, OPTIONS");
        expect_header("Content-Type", "application/problem+json");
        expect_header("Cache-Control", "no-store");
    }
}
END_TEST

/* ---- problems ------------------------------------------------------------------------ */

START_TEST(an_unknown_path_is_404_with_a_suggestion)
{
    ask("GET", "/v1/roep?pos=0:4", NULL);
    ck_assert_int_eq(answer.status, 404);
    expect_in_body("did you mean /v1/rope?");
    expect_header("Cache-Control", "max-age=5");
    ask("GET", "/v1/encodings/ropee", NULL);
    ck_assert_int_eq(answer.status, 404);
    expect_in_body("did you mean rope?");
    ask("GET", "/v1/qqqq", NULL);
    ck_assert_int_eq(answer.status, 404);
    expect_in_body("there is nothing at /v1/qqqq; see /v1/encodings");
    ask("GET", "/problems/overload", NULL);
    ck_assert_int_eq(answer.status, 404);
}
END_TEST

START_TEST(all_that_is_wrong_is_said_at_once)
{
    ask("GET", "/v1/rope?pos=0..4&dim=7&heds=2", NULL);
    ck_assert_int_eq(answer.status, 400);
    expect_in_body("\"parameter\":\"pos\"");
    expect_in_body("\"parameter\":\"dim\"");
    expect_in_body("\"parameter\":\"heds\"");
    expect_header("Content-Type", "application/problem+json");
    expect_header("Cache-Control", "no-store");
    expect_header("X-Content-Type-Options", "nosniff");
    ck_assert(served_metric(service, "posencd_cache_entries") == 0);
}
END_TEST

START_TEST(no_format_that_fits_is_406_with_what_there_is)
{
    ask("GET", "/v1/rope?pos=0:4&dim=8", "Accept: image/png\r\n");
    ck_assert_int_eq(answer.status, 406);
    expect_in_body("\"available\":[\"application/json\"");
    expect_in_body("application/x-npy");
}
END_TEST

START_TEST(what_the_gate_refuses_is_a_problem_and_closes)
{
    ask("GET", ROPE, "Host: twice\r\n");
    ck_assert_int_eq(answer.status, 400);
    expect_in_body("bad-request");
    expect_header("Connection", "close");
    ck_assert(http_client_closed(client));
}
END_TEST

Suite *answer_suite(void)
{
    Suite *suite = suite_create("answer");
    TCase *tcase = tcase_create("answer");

    tcase_add_checked_fixture(tcase, start, stop);
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, an_answer_has_the_headers_of_the_contract);
    tcase_add_test(tcase, without_format_the_answer_varies_by_accept);
    tcase_add_test(tcase, a_pinned_revision_is_immutable);
    tcase_add_test(tcase, a_request_id_is_echoed_when_it_is_one);
    tcase_add_test(tcase, head_computes_and_caches_what_get_would);
    tcase_add_test(tcase, options_names_the_methods);
    tcase_add_test(tcase, other_methods_are_405_with_allow);
    tcase_add_test(tcase, an_unknown_path_is_404_with_a_suggestion);
    tcase_add_test(tcase, all_that_is_wrong_is_said_at_once);
    tcase_add_test(tcase, no_format_that_fits_is_406_with_what_there_is);
    tcase_add_test(tcase, what_the_gate_refuses_is_a_problem_and_closes);
    suite_add_tcase(suite, tcase);
    return suite;
}
