/* SPDX-License-Identifier: Apache-2.0
 * test_response.c - headers, statuses and problems of responses, against a service in this
 * process. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/service.h"
#include "tests/support/suite.h"
#include "tests/support/visit.h"

#define ROPE "/v1/rope?pos=0:4&dim=8&out=cos&format=npy"

static struct visit visit;

static void start(void)
{
    visit_begin(&visit, NULL);
}

static void stop(void)
{
    visit_end(&visit);
}

/* ---- headers ------------------------------------------------------------------------- */

START_TEST(an_answer_has_the_headers_of_the_contract)
{
    visit_ask(&visit, "GET", ROPE, NULL);
    ck_assert_int_eq(visit.answer.status, 200);
    ck_assert_uint_eq(visit.answer.len, 128 + 4 * 4 * 4);
    visit_expect_header(&visit, "Content-Type", "application/x-npy");
    visit_expect_header(&visit, "Content-Length", "192");
    visit_expect_header(&visit, "Cache-Control",
                        "public, max-age=86400, stale-while-revalidate=604800");
    visit_expect_header(&visit, "Vary", NULL);
    visit_expect_header(&visit, "Accept-Ranges", "bytes");
    visit_expect_header(&visit, "X-Content-Type-Options", "nosniff");
    visit_expect_header(&visit, "Link", "</openapi.json>; rel=\"service-desc\"");
    visit_expect_header(&visit, "X-Request-Id", NULL);
    visit_expect_header(&visit, "Posenc-Shape", "4,4");
    visit_expect_header(&visit, "Posenc-Dtype", "f32");
    ck_assert_uint_eq(strlen(http_answer_header(&visit.answer, "ETag")), 34);
    ck_assert_ptr_nonnull(
        strstr(http_answer_header(&visit.answer, "Content-Location"), "/v1/rope?"));
    ck_assert_ptr_nonnull(strstr(http_answer_header(&visit.answer, "Server-Timing"),
                                 "cache;desc=miss, compute;dur="));
    ck_assert_ptr_nonnull(http_answer_header(&visit.answer, "Content-Disposition"));
    ck_assert_ptr_nonnull(http_answer_header(&visit.answer, "Date"));
}
END_TEST

START_TEST(without_format_the_answer_varies_by_accept)
{
    visit_ask(&visit, "GET", "/v1/rope?pos=0:4&dim=8", NULL);
    visit_expect_header(&visit, "Vary", "Accept, Accept-Encoding");
    visit_expect_header(&visit, "Content-Type", "application/json");
    visit_ask(&visit, "GET", "/v1/rope?pos=0:4&dim=8&out=cos", "Accept: application/x-npy\r\n");
    visit_expect_header(&visit, "Vary", "Accept, Accept-Encoding");
    visit_expect_header(&visit, "Content-Type", "application/x-npy");
}
END_TEST

START_TEST(a_pinned_revision_is_immutable)
{
    visit_ask(&visit, "GET", ROPE "&rev=2", NULL);
    visit_expect_header(&visit, "Cache-Control", "public, max-age=31536000, immutable");
    visit_ask(&visit, "GET", ROPE, NULL); /* one entry, another Cache-Control */
    visit_expect_header(&visit, "Cache-Control",
                        "public, max-age=86400, stale-while-revalidate=604800");
    visit_ask(&visit, "GET", ROPE "&rev=2", NULL);
    visit_expect_header(&visit, "Cache-Control", "public, max-age=31536000, immutable");
}
END_TEST

START_TEST(a_request_id_is_echoed_when_it_is_one)
{
    for (int times = 0; times < 4; times++) { /* miss, hit, response cache */
        visit_ask(&visit, "GET", ROPE, "X-Request-Id: abc-DEF_0.9\r\n");
        ck_assert_int_eq(visit.answer.status, 200);
        visit_expect_header(&visit, "X-Request-Id", "abc-DEF_0.9");
        visit_ask(&visit, "GET", ROPE, NULL);
        visit_expect_header(&visit, "X-Request-Id", NULL);
    }
    visit_ask(&visit, "GET", ROPE, "X-Request-Id: a b\r\n");
    visit_expect_header(&visit, "X-Request-Id", NULL);
    visit_ask(&visit, "GET", "/nowhere", "X-Request-Id: abc-DEF_0.9\r\n");
    visit_expect_header(&visit, "X-Request-Id", "abc-DEF_0.9");
    visit_expect_in_body(&visit, "\"request_id\":\"abc-DEF_0.9\"");
    visit_ask(&visit, "GET", "/version", "X-Request-Id: abc-DEF_0.9\r\n");
    visit_expect_header(&visit, "X-Request-Id", "abc-DEF_0.9");
    visit_ask(&visit, "GET", "/nowhere", NULL);
    ck_assert_uint_eq(strlen(http_answer_header(&visit.answer, "X-Request-Id")), 16);
}
END_TEST

/* ---- methods ------------------------------------------------------------------------- */

START_TEST(head_computes_and_caches_what_get_would)
{
    visit_ask(&visit, "HEAD", ROPE, NULL);
    ck_assert_int_eq(visit.answer.status, 200);
    visit_expect_header(&visit, "Content-Length", "192");
    visit_ask(&visit, "GET", ROPE, NULL);
    visit_expect_header(&visit, "Server-Timing", "cache;desc=hit");
    visit_ask(&visit, "HEAD", "/v1/rope?pos=0:8&dim=8", NULL);
    ck_assert_ptr_nonnull(http_answer_header(&visit.answer, "Content-Length"));
    visit_ask(&visit, "HEAD", "/v1/sinusoidal?pos=0:100000&dim=64",
              NULL); /* the length of long text is unknown */
    ck_assert_int_eq(visit.answer.status, 200);
    visit_expect_header(&visit, "Content-Length", NULL);
    visit_expect_header(&visit, "Transfer-Encoding", NULL);
    ck_assert_ptr_nonnull(http_answer_header(&visit.answer, "ETag"));
    ck_assert(http_client_closed(visit.client)); /* without a byte of a body */
}
END_TEST

START_TEST(options_names_the_methods)
{
    visit_ask(&visit, "OPTIONS", "/v1/rope", NULL);
    ck_assert_int_eq(visit.answer.status, 204);
    visit_expect_header(&visit, "Allow", "GET, HEAD, POST, QUERY, OPTIONS");
    visit_ask(&visit, "OPTIONS", "*", NULL);
    ck_assert_int_eq(visit.answer.status, 204);
    visit_expect_header(&visit, "Allow", "GET, HEAD, POST, QUERY, OPTIONS");
    visit_ask(&visit, "OPTIONS", "/version", NULL);
    visit_expect_header(&visit, "Allow", "GET, HEAD, OPTIONS");
    visit_ask(&visit, "OPTIONS", "/nowhere", NULL);
    ck_assert_int_eq(visit.answer.status, 404);
}
END_TEST

START_TEST(other_methods_are_405_with_allow)
{
    static const char *const methods[] = {"POST", "QUERY", "PUT", "DELETE", "get"};

    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        visit_reconnect(&visit);
        visit_ask(&visit, methods[i], "/v1/encodings", NULL);
        ck_assert_msg(visit.answer.status == 405, "%s: %d", methods[i], visit.answer.status);
        visit_expect_header(&visit, "Allow", "GET, HEAD, OPTIONS");
        visit_expect_header(&visit, "Content-Type", "application/problem+json");
        visit_expect_header(&visit, "Cache-Control", "no-store");
    }
}
END_TEST

/* ---- problems ------------------------------------------------------------------------ */

START_TEST(an_unknown_path_is_404_with_a_suggestion)
{
    visit_ask(&visit, "GET", "/v1/roep?pos=0:4", NULL);
    ck_assert_int_eq(visit.answer.status, 404);
    visit_expect_in_body(&visit, "did you mean /v1/rope?");
    visit_expect_header(&visit, "Cache-Control", "max-age=5");
    visit_ask(&visit, "GET", "/v1/encodings/ropee", NULL);
    ck_assert_int_eq(visit.answer.status, 404);
    visit_expect_in_body(&visit, "did you mean rope?");
    visit_ask(&visit, "GET", "/v1/qqqq", NULL);
    ck_assert_int_eq(visit.answer.status, 404);
    visit_expect_in_body(&visit, "there is nothing at /v1/qqqq; see /v1/encodings");
    visit_ask(&visit, "GET", "/problems/overload", NULL);
    ck_assert_int_eq(visit.answer.status, 404);
}
END_TEST

START_TEST(all_that_is_wrong_is_said_at_once)
{
    visit_ask(&visit, "GET", "/v1/rope?pos=0..4&dim=7&heds=2", NULL);
    ck_assert_int_eq(visit.answer.status, 400);
    visit_expect_in_body(&visit, "\"parameter\":\"pos\"");
    visit_expect_in_body(&visit, "\"parameter\":\"dim\"");
    visit_expect_in_body(&visit, "\"parameter\":\"heds\"");
    visit_expect_header(&visit, "Content-Type", "application/problem+json");
    visit_expect_header(&visit, "Cache-Control", "no-store");
    visit_expect_header(&visit, "X-Content-Type-Options", "nosniff");
    ck_assert(served_metric(visit.service, "posencd_cache_entries") == 0);
}
END_TEST

START_TEST(no_format_that_fits_is_406_with_what_there_is)
{
    visit_ask(&visit, "GET", "/v1/rope?pos=0:4&dim=8", "Accept: image/png\r\n");
    ck_assert_int_eq(visit.answer.status, 406);
    visit_expect_in_body(&visit, "\"available\":[\"application/json\"");
    visit_expect_in_body(&visit, "application/x-npy");
}
END_TEST

START_TEST(what_the_request_check_refuses_is_a_problem_and_closes)
{
    visit_ask(&visit, "GET", ROPE, "Host: twice\r\n");
    ck_assert_int_eq(visit.answer.status, 400);
    visit_expect_in_body(&visit, "bad-request");
    visit_expect_header(&visit, "Connection", "close");
    ck_assert(http_client_closed(visit.client));
}
END_TEST

static const struct suite_test tests[] = {
    TEST(an_answer_has_the_headers_of_the_contract),
    TEST(without_format_the_answer_varies_by_accept),
    TEST(a_pinned_revision_is_immutable),
    TEST(a_request_id_is_echoed_when_it_is_one),
    TEST(head_computes_and_caches_what_get_would),
    TEST(options_names_the_methods),
    TEST(other_methods_are_405_with_allow),
    TEST(an_unknown_path_is_404_with_a_suggestion),
    TEST(all_that_is_wrong_is_said_at_once),
    TEST(no_format_that_fits_is_406_with_what_there_is),
    TEST(what_the_request_check_refuses_is_a_problem_and_closes),
};

const struct suite response_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                     .timeout = 30};
