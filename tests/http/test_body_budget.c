/* SPDX-License-Identifier: Apache-2.0
 * test_body_budget.c - the same names as JSON, by POST and QUERY. */
#include <stdlib.h>
#include <string.h>

#include "proto/text/buffer.h"
#include "tests/support/black_box.h"
#include "tests/support/suite.h"

#define JSON_TYPE "Content-Type: application/json"
static const char *const json_headers[] = {JSON_TYPE, NULL};
static const char *const methods[] = {"POST", "QUERY"};

static void send_body(const char *method, const char *target, const char *body,
                      struct answer *answer)
{
    web_ask(black_box_web(),
            &(struct ask){.method = method,
                          .target = target,
                          .headers = json_headers,
                          .body = body},
            answer);
}

/* A GET and the bodies that mean the same. */
static const struct {
    const char *get, *target, *body;
} pairs[] = {
    {"/v1/rope?dim=8&pos=0:4", "/v1/rope", "{\"dim\": 8, \"pos\": \"0:4\"}"},
    {"/v1/rope?dim=8&pos=0:4", "/v1/rope", "{\"dim\": \"8\", \"pos\": [0, 1, 2, 3]}"},
    {"/v1/rope?dim=8&pos=0:4", "/v1/rope",
     "{\"pos\": {\"start\": 0, \"stop\": 4, \"step\": 1}, \"dim\": 8}"},
    {"/v1/rope?dim=8&pos=0:4", "/v1/rope?dim=8", "{\"pos\": \"0:4\"}"},
    {"/v1/rope?dim=8&pos=0:4", "/v1/rope?pos=0:4&dim=8", "{}"},
    {"/v1/rope?dim=8&pos=0:4&base=500000&dtype=f64", "/v1/rope",
     "{\"dim\":8,\"pos\":\"0:4\",\"base\":5e5,\"dtype\":\"f64\"}"},
    {"/v1/rope?dim=8&pos=0:4&format=npy&out=cos", "/v1/rope",
     "{\"dim\":8,\"pos\":\"0:4\",\"format\":\"npy\",\"out\":\"cos\"}"},
    {"/v1/alibi?heads=4&len=8&causal=1&mask_value=-inf", "/v1/alibi",
     "{\"heads\":4,\"len\":8,\"causal\":true,\"mask_value\":\"-inf\"}"},
    {"/v1/sinusoidal?dim=4&pos=0.5,-1,3&pretty=1", "/v1/sinusoidal",
     " \r\n{\"dim\":4, \"pos\":[0.5,-1,3.0], \"pretty\":true}\t"},
};

START_TEST(a_body_is_the_query_by_other_means)
{
    struct answer get = {0}, answer = {0};

    web_get(black_box_web(), pairs[_i].get, &get);
    ck_assert_msg(get.status == 200, "%s", get.body);
    for (size_t m = 0; m < 2; m++) {
        send_body(methods[m], pairs[_i].target, pairs[_i].body, &answer);
        ck_assert_msg(answer.status == 200, "%s %s: %s", methods[m], pairs[_i].body,
                      answer.body);
        ck_assert_uint_eq(answer.len, get.len);
        ck_assert_mem_eq(answer.body, get.body, get.len);
    }
    answer_fini(&get);
    answer_fini(&answer);
}
END_TEST

START_TEST(params_of_an_answer_make_a_body_for_the_same_answer)
{
    static const char *const targets[] = {
        "/v1/rope?dim=8&pos=0:4&scaling=linear&factor=4",
        "/v1/alibi?heads=6&len=4&causal=1",
        "/v1/sinusoidal?dim=6&pos=3,1,2&preset=tensor2tensor",
        "/v1/alibi?heads=12&out=slopes",
        "/v1/sinusoidal?dim=4&pos=0.1&dtype=f64",
        "/v1/rope?dim=10&out=inv_freq",
    };
    struct answer get = {0}, post = {0};

    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        web_get(black_box_web(), targets[i], &get);
        ck_assert_msg(get.status == 200, "%s", get.body);
        json_t *root = black_box_json(&get);
        char *params = json_dumps(json_object_get(root, "params"), JSON_COMPACT);
        char target[64];
        snprintf(target, sizeof target, "/v1/%s",
                 json_string_value(json_object_get(root, "encoding")));
        send_body("POST", target, params, &post);
        ck_assert_msg(post.status == 200, "%s: %s", params, post.body);
        ck_assert_str_eq(post.body, get.body);
        free(params);
        json_decref(root);
    }
    answer_fini(&get);
    answer_fini(&post);
}
END_TEST

START_TEST(query_is_cacheable_and_post_is_not)
{
    struct answer get = {0}, answer = {0};
    const char *body = "{\"dim\":8,\"pos\":\"0:4\"}";

    web_get(black_box_web(), "/v1/rope?dim=8&pos=0:4&format=json", &get);
    char *etag = strdup(answer_header(&get, "ETag"));
    char *location = strdup(answer_header(&get, "Content-Location"));
    send_body("QUERY", "/v1/rope", body, &answer);
    ck_assert_int_eq(answer.status, 200);
    ck_assert_str_eq(answer_header(&answer, "ETag"), etag);
    ck_assert_str_eq(answer_header(&answer, "Content-Location"), location);
    ck_assert_ptr_nonnull(strstr(answer_header(&answer, "Cache-Control"), "max-age=3600"));
    char line[256];
    snprintf(line, sizeof line, "If-None-Match: %s", etag);
    const char *const headers[] = {JSON_TYPE, line, NULL};
    struct ask ask = {.method = "QUERY",
                      .target = "/v1/rope",
                      .headers = headers,
                      .body = body};
    web_ask(black_box_web(), &ask, &answer);
    ck_assert_int_eq(answer.status, 304);
    ask.method = "POST";
    web_ask(black_box_web(), &ask, &answer);
    ck_assert_int_eq(answer.status, 200);
    ck_assert_str_eq(answer_header(&answer, "Cache-Control"), "no-store");
    ck_assert_ptr_null(answer_header(&answer, "ETag"));
    free(etag);
    free(location);
    answer_fini(&get);
    answer_fini(&answer);
}
END_TEST

START_TEST(a_chunked_body_is_read)
{
    struct answer whole = {0}, chunked = {0};
    const char *body = "{\"dim\":8,\"pos\":[0,1,2,3]}";
    struct ask ask = {.method = "POST",
                      .target = "/v1/rope",
                      .headers = json_headers,
                      .body = body};

    web_ask(black_box_web(), &ask, &whole);
    ask.chunked = true;
    web_ask(black_box_web(), &ask, &chunked);
    ck_assert_msg(chunked.status == 200, "%s", chunked.body);
    ck_assert_str_eq(chunked.body, whole.body);
    answer_fini(&whole);
    answer_fini(&chunked);
}
END_TEST

/* {"dim":2, members, "pos":[scattered positions]} */
static void add_positions(struct buffer *body, const char *members, unsigned count,
                          unsigned step)
{
    buffer_add_format(body, "{\"dim\":2,%s,\"pos\":[", members);
    for (unsigned i = 0; i < count; i++)
        buffer_add_format(body, "%s%u", i == 0 ? "" : ",", i * step % 9999991u);
    buffer_add_text(body, "]}");
    ck_assert(!body->failed);
}

START_TEST(a_large_list_of_positions_is_read)
{
    /* 200,000 scattered positions: more than a query or a small document may hold. */
    enum { COUNT = 200000 };
    struct buffer body = {0};
    add_positions(&body, "\"out\":\"rows\",\"format\":\"raw\"", COUNT, 2654435761u);
    struct answer answer = {0};
    for (int chunked = 0; chunked < 2; chunked++) {
        web_ask(black_box_web(),
                &(struct ask){.method = "POST",
                              .target = "/v1/sinusoidal",
                              .headers = json_headers,
                              .body = body.bytes,
                              .chunked = chunked != 0},
                &answer);
        ck_assert_msg(answer.status == 200, "%.500s", answer.body);
        ck_assert_uint_eq(answer.len, COUNT * 8);
    }
    buffer_fini(&body);
    answer_fini(&answer);
}
END_TEST

START_TEST(a_query_too_long_for_a_url_has_no_content_location)
{
    enum { COUNT = 3000 };
    struct buffer body = {0};
    add_positions(&body, "\"out\":\"rows\"", COUNT, 2654435761u);
    struct answer answer = {0};
    send_body("QUERY", "/v1/sinusoidal", body.bytes, &answer);
    ck_assert_int_eq(answer.status, 200);
    ck_assert_ptr_nonnull(answer_header(&answer, "ETag"));
    ck_assert_ptr_null(answer_header(&answer, "Content-Location"));
    buffer_fini(&body);
    answer_fini(&answer);
}
END_TEST

START_TEST(a_client_that_expects_100_continue_gets_it)
{
    struct answer answer = {0};
    const char *const headers[] = {JSON_TYPE, "Expect: 100-continue", NULL};

    web_ask(black_box_web(),
            &(struct ask){.method = "POST",
                          .target = "/v1/rope",
                          .headers = headers,
                          .body = "{\"dim\":8,\"pos\":\"0:4\"}"},
            &answer);
    ck_assert_int_eq(answer.status, 200);
    answer_fini(&answer);
}
END_TEST

START_TEST(a_charset_and_case_do_not_matter)
{
    static const char *const types[] = {"Content-Type: application/json; charset=utf-8",
                                        "content-type: Application/JSON"};

    for (size_t i = 0; i < 2; i++) {
        struct answer answer = {0};
        const char *const headers[] = {types[i], NULL};

        web_ask(black_box_web(),
                &(struct ask){.method = "POST",
                              .target = "/v1/rope",
                              .headers = headers,
                              .body = "{\"dim\":8,\"pos\":\"0:4\"}"},
                &answer);
        ck_assert_msg(answer.status == 200, "%s: %s", types[i], answer.body);
        answer_fini(&answer);
    }
}
END_TEST

START_TEST(an_empty_body_gives_no_names)
{
    struct answer get = {0}, answer = {0};

    send_body("POST", "/v1/rope", "", &answer);
    json_t *problem = black_box_problem(&answer, 400, "missing-parameter");
    json_decref(problem);
    web_get(black_box_web(), "/v1/rope?dim=8&pos=0:4", &get);
    send_body("POST", "/v1/rope?dim=8&pos=0:4", "", &answer);
    ck_assert_int_eq(answer.status, 200);
    ck_assert_str_eq(answer.body, get.body);
    answer_fini(&get);
    answer_fini(&answer);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(a_body_is_the_query_by_other_means, pairs),
    TEST(params_of_an_answer_make_a_body_for_the_same_answer),
    TEST(query_is_cacheable_and_post_is_not),
    TEST(a_chunked_body_is_read),
    TEST(a_large_list_of_positions_is_read),
    TEST(a_query_too_long_for_a_url_has_no_content_location),
    TEST(a_client_that_expects_100_continue_gets_it),
    TEST(a_charset_and_case_do_not_matter),
    TEST(an_empty_body_gives_no_names),
};

const struct suite body_budget_suite = {SUITE_TESTS(tests), BLACK_BOX};
