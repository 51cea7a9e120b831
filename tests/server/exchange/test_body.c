/* SPDX-License-Identifier: Apache-2.0
 * test_body.c - bodies of POST and QUERY are read, refused at their head or refused midway. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "server/exchange/body.h"
#include "server/net/inflight.h"
#include "server/service.h"
#include "tests/support/suite.h"
#include "tests/support/visit.h"

#define JSON "Content-Type: application/json\r\n"
enum { MAX_BODY = 100000 };

static struct visit visit;

static void adjust(struct config *config)
{
    config->max_body = MAX_BODY;
}

static void start(void)
{
    visit_begin(&visit, adjust);
}

static void stop(void)
{
    visit_end(&visit);
}

/* The connection serves the next request. */
static void expect_open(void)
{
    ck_assert_ptr_null(http_answer_header(&visit.answer, "Connection"));
    http_client_get(visit.client, &visit.answer, "/livez");
    ck_assert_int_eq(visit.answer.status, 200);
}

static void expect_closed(void)
{
    ck_assert_str_eq(http_answer_header(&visit.answer, "Connection"), "close");
    ck_assert(http_client_closed(visit.client));
}

START_TEST(a_body_has_the_names_of_a_query)
{
    static const char *const methods[] = {"POST", "QUERY"};
    char *by_get;

    http_client_get(visit.client, &visit.answer, "/v1/rope?dim=8&pos=0:4&format=csv&out=sin");
    by_get = strdup(visit.answer.body);
    for (size_t i = 0; i < 2; i++) {
        http_client_ask(visit.client, &visit.answer, methods[i], "/v1/rope?format=csv", JSON,
                        "{\"dim\":8,\"pos\":[0,1,2,3],\"out\":\"sin\"}");
        visit_expect(&visit, 200, by_get);
        ck_assert_str_eq(http_answer_header(&visit.answer, "Server-Timing"), "cache;desc=hit");
    }
    ck_assert_ptr_nonnull(http_answer_header(&visit.answer, "ETag"));
    ck_assert_ptr_nonnull(http_answer_header(&visit.answer, "Content-Location"));
    free(by_get);
}
END_TEST

START_TEST(post_is_not_stored_and_has_no_tag)
{
    http_client_ask(visit.client, &visit.answer, "POST", "/v1/rope", JSON,
                    "{\"dim\":8,\"pos\":\"0:4\"}");
    visit_expect(&visit, 200, "cos");
    ck_assert_str_eq(http_answer_header(&visit.answer, "Cache-Control"), "no-store");
    ck_assert_ptr_null(http_answer_header(&visit.answer, "ETag"));
    http_client_ask(visit.client, &visit.answer, "POST", "/v1/rope",
                    JSON "If-None-Match: *\r\n", "{\"dim\":8,\"pos\":\"0:4\"}");
    visit_expect(&visit, 200, "cos");
}
END_TEST

START_TEST(query_is_conditional)
{
    char header[256];

    http_client_ask(visit.client, &visit.answer, "QUERY", "/v1/rope", JSON,
                    "{\"dim\":8,\"pos\":\"0:4\"}");
    snprintf(header, sizeof header, JSON "If-None-Match: %s\r\n",
             http_answer_header(&visit.answer, "ETag"));
    http_client_ask(visit.client, &visit.answer, "QUERY", "/v1/rope", header,
                    "{\"dim\":8,\"pos\":\"0:4\"}");
    ck_assert_int_eq(visit.answer.status, 304);
}
END_TEST

START_TEST(a_post_without_a_body_is_its_query)
{
    http_client_ask(visit.client, &visit.answer, "POST", "/v1/rope?dim=8&pos=0:4", NULL, NULL);
    visit_expect(&visit, 200, "cos");
    http_client_ask(visit.client, &visit.answer, "POST", "/v1/rope?dim=8&pos=0:4",
                    "Content-Length: 0\r\n", NULL);
    visit_expect(&visit, 200, "cos");
    expect_open();
}
END_TEST

START_TEST(a_name_in_both_is_an_error)
{
    http_client_ask(visit.client, &visit.answer, "POST", "/v1/rope?dim=8", JSON,
                    "{\"dim\":8,\"pos\":\"0:4\"}");
    visit_expect(&visit, 400, "dim");
    expect_open();
}
END_TEST

START_TEST(malformed_json_tells_its_place)
{
    http_client_ask(visit.client, &visit.answer, "POST", "/v1/rope", JSON,
                    "{\"dim\":8,\n\"pos\":]}");
    visit_expect(&visit, 400, "malformed-json");
    visit_expect(&visit, 400, "line 2");
    expect_open();
}
END_TEST

static const struct {
    const char *headers, *says;
} refused[] = {
    {"Content-Type: text/plain\r\n", "send application/json; got text/plain"},
    {"Content-Type: application/x-www-form-urlencoded\r\n", "send application/json"},
    {"Content-Type: application/jsonx\r\n", "send application/json"},
    {"", "the body has no Content-Type"},
    {JSON "Content-Encoding: br\r\n", "Content-Encoding of gzip, deflate; got br"},
    {JSON "Content-Encoding: gzip, gzip\r\n", "one Content-Encoding of gzip, deflate"},
    {JSON "Content-Encoding: \r\n", "one Content-Encoding of gzip, deflate"},
};

START_TEST(another_kind_of_body_is_415)
{
    http_client_ask(visit.client, &visit.answer, "POST", "/v1/rope", refused[_i].headers,
                    "{\"dim\":8,\"pos\":\"0:4\"}");
    visit_expect(&visit, 415, refused[_i].says);
    visit_expect(&visit, 415, "unsupported-media-type");
    ck_assert_str_eq(http_answer_header(&visit.answer, "Accept"), "application/json");
    ck_assert_str_eq(http_answer_header(&visit.answer, "Accept-Encoding"), "gzip, deflate");
    expect_open(); /* a short refused body is read to its end */
}
END_TEST

START_TEST(parameters_and_case_of_the_type_do_not_matter)
{
    http_client_ask(visit.client, &visit.answer, "POST", "/v1/rope",
                    "Content-Type: Application/JSON; charset=utf-8\r\n"
                    "Content-Encoding: identity\r\n",
                    "{\"dim\":8,\"pos\":\"0:4\"}");
    visit_expect(&visit, 200, "cos");
}
END_TEST

START_TEST(a_length_above_the_limit_is_413_before_a_byte_is_sent)
{
    char head[256];

    snprintf(head, sizeof head,
             "POST /v1/rope HTTP/1.1\r\nHost: a\r\n" JSON "Content-Length: %d\r\n\r\n",
             MAX_BODY + 1);
    http_client_send(visit.client, head, strlen(head));
    http_client_read(visit.client, &visit.answer, false, NULL, NULL);
    visit_expect(&visit, 413, "body-too-large");
    expect_closed();
}
END_TEST

START_TEST(a_long_body_to_nowhere_is_refused_before_it_is_sent)
{
    static const char *const heads[] = {
        "POST /nowhere HTTP/1.1\r\nHost: a\r\n" JSON "Content-Length: 90000\r\n\r\n",
        "POST /v1/rope HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n\r\n",
        "POST /version HTTP/1.1\r\nHost: a\r\n" JSON "Transfer-Encoding: chunked\r\n\r\n",
    };
    static const int statuses[] = {404, 415, 405};

    for (size_t i = 0; i < 3; i++) {
        struct http_client *other = http_client_new(served_port(visit.service));

        http_client_send(other, heads[i], strlen(heads[i]));
        http_client_read(other, &visit.answer, false, NULL, NULL);
        ck_assert_int_eq(visit.answer.status, statuses[i]);
        ck_assert_str_eq(http_answer_header(&visit.answer, "Connection"), "close");
        http_client_free(other);
    }
}
END_TEST

START_TEST(a_short_body_to_nowhere_keeps_the_connection)
{
    http_client_ask(visit.client, &visit.answer, "POST", "/nowhere", JSON, "{}");
    visit_expect(&visit, 404, "not-found");
    expect_open();
}
END_TEST

START_TEST(bodies_count_against_the_budget)
{
    uint64_t all = visit.service->config.max_inflight;
    struct http_client *other = http_client_new(served_port(visit.service));

    static const char head[] =
        "POST /v1/rope HTTP/1.1\r\nHost: a\r\n" JSON "Content-Length: 50000\r\n\r\n{\"pos\":[";

    ck_assert(inflight_reserve(visit.service, all - 1000));
    http_client_send(visit.client, head, sizeof head - 1);
    for (int i = 0; i < 12000; i++)
        http_client_send(visit.client, "123,", 4);
    http_client_read(visit.client, &visit.answer, false, NULL, NULL);
    visit_expect(&visit, 503, "overloaded");
    ck_assert_str_eq(http_answer_header(&visit.answer, "Retry-After"), "1");
    inflight_release(visit.service, all - 1000);
    http_client_free(visit.client);
    visit.client = other;
    for (int times = 0; times < 2000 && atomic_load(&visit.service->inflight_bytes) > 0;
         times++)
        http_client_get(visit.client, &visit.answer, "/livez");
    ck_assert_uint_eq(atomic_load(&visit.service->inflight_bytes), 0);
}
END_TEST

START_TEST(a_body_that_never_ends_leaves_nothing_behind)
{
    struct http_client *other = http_client_new(served_port(visit.service));
    static const char head[] = "POST /v1/rope HTTP/1.1\r\nHost: a\r\n" JSON
                               "Content-Length: 50000\r\n\r\n{\"pos\":[1,2,3";

    http_client_send(other, head, sizeof head - 1);
    /* The bytes are read first: a FIN that comes with them is only noticed at the deadline. */
    for (int times = 0; times < 2000 && atomic_load(&visit.service->inflight_bytes) == 0;
         times++)
        http_client_get(visit.client, &visit.answer, "/livez");
    ck_assert_uint_gt(atomic_load(&visit.service->inflight_bytes), 0);
    http_client_free(other);
    for (int times = 0; times < 2000 && atomic_load(&visit.service->connections) > 1; times++)
        http_client_get(visit.client, &visit.answer, "/livez");
    ck_assert_uint_eq(atomic_load(&visit.service->connections), 1);
    ck_assert_uint_eq(atomic_load(&visit.service->inflight_bytes), 0);
}
END_TEST

START_TEST(a_refusal_does_not_ask_for_the_body_it_refuses)
{
    http_client_request(visit.client, "POST", "/v1/nothing",
                        JSON "Content-Length: 9\r\nExpect: 100-continue\r\n", NULL);
    http_client_read(visit.client, &visit.answer, false, NULL, NULL);
    visit_expect(&visit, 404, "nothing");
    expect_closed();
}
END_TEST

START_TEST(a_request_that_expects_100_continue_gets_it)
{
    static const char head[] = "POST /v1/rope HTTP/1.1\r\nHost: a\r\n" JSON
                               "Expect: 100-continue\r\nContent-Length: 23\r\n\r\n";
    char line[25];

    http_client_send(visit.client, head, sizeof head - 1);
    ck_assert_int_eq((int)recv(http_client_fd(visit.client), line, sizeof line, MSG_WAITALL),
                     25);
    ck_assert_mem_eq(line, "HTTP/1.1 100 Continue\r\n\r\n", 25);
    http_client_send(visit.client, "{\"dim\":8, \"pos\":\"0:4\"}", 22);
    http_client_send(visit.client, " ", 1);
    http_client_read(visit.client, &visit.answer, false, NULL, NULL);
    visit_expect(&visit, 200, "cos");
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_body_has_the_names_of_a_query),
    TEST(post_is_not_stored_and_has_no_tag),
    TEST(query_is_conditional),
    TEST(a_post_without_a_body_is_its_query),
    TEST(a_name_in_both_is_an_error),
    TEST(malformed_json_tells_its_place),
    TEST_EACH(another_kind_of_body_is_415, refused),
    TEST(parameters_and_case_of_the_type_do_not_matter),
    TEST(a_length_above_the_limit_is_413_before_a_byte_is_sent),
    TEST(a_long_body_to_nowhere_is_refused_before_it_is_sent),
    TEST(a_short_body_to_nowhere_keeps_the_connection),
    TEST(bodies_count_against_the_budget),
    TEST(a_body_that_never_ends_leaves_nothing_behind),
    TEST(a_refusal_does_not_ask_for_the_body_it_refuses),
    TEST(a_request_that_expects_100_continue_gets_it),
};

const struct suite body_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                 .timeout = 30};
