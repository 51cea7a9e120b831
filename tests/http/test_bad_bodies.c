/* SPDX-License-Identifier: Apache-2.0
 * test_bad_bodies.c - bodies that are refused: where they are wrong, and with which status. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/black_box.h"
#include "tests/support/suite.h"

#define JSON_TYPE "Content-Type: application/json"
static const char *const json_headers[] = {JSON_TYPE, NULL};

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

/* Bodies that are not one JSON object, and where that shows. */
static const struct {
    const char *body, *place;
} malformed[] = {
    {"{", "line 1"},
    {"[1]", ""},
    {"8", ""},
    {"{\"dim\":8,}", "line 1, column 10"},
    {"{\"dim\":\n 08}", "line 2"},
    {"{\"dim\":8} x", "line 1"},
    {"{\"dim\":NaN}", "line 1"},
    {"{\"pos\":[1,2,]}", "line 1"},
    {"{\"dim\":8,\"dim\":8}", ""},
    {"{'dim':8}", "line 1"},
    {"  ", ""},
    {"{\"dim\":\"\\ud800\"}", "line 1"},
    {"{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":"
     "{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}}}}}}}}}}}}}}",
     ""},
};

START_TEST(malformed_json_is_400_with_its_place)
{
    struct answer answer = {0};

    send_body("POST", "/v1/rope", malformed[_i].body, &answer);
    json_t *problem = black_box_problem(&answer, 400, "malformed-json");
    ck_assert_msg(strstr(answer.body, malformed[_i].place) != NULL, "%s: %s",
                  malformed[_i].body, answer.body);
    json_decref(problem);
    answer_fini(&answer);
}
END_TEST

START_TEST(a_name_in_query_and_body_is_an_error)
{
    struct answer answer = {0};

    send_body("POST", "/v1/rope?dim=8", "{\"dim\":8,\"pos\":\"0:4\"}", &answer);
    ck_assert_int_eq(answer.status, 400);
    ck_assert_ptr_nonnull(strstr(answer.body, "dim"));
    answer_fini(&answer);
}
END_TEST

START_TEST(errors_in_a_body_are_pointed_at)
{
    static const struct {
        const char *body, *pointer;
    } cases[] = {
        {"{\"dim\":7,\"pos\":\"0:4\"}", "#/dim"},
        {"{\"dim\":8,\"pos\":[0,1,2,1e300]}", "#/pos/3"},
        {"{\"dim\":8,\"pos\":[0,1,2,\"x\"]}", "#/pos"},
        {"{\"dim\":8,\"pos\":\"0:4\",\"heds\":1}", "#/heds"},
        {"{\"dim\":null,\"pos\":\"0:4\"}", "#/dim"},
        {"{\"dim\":true,\"pos\":\"0:4\"}", "#/dim"},
        {"{\"dim\":8,\"pos\":{\"start\":0}}", "#/pos"},
        {"{\"dim\":8,\"pos\":{\"start\":0,\"stop\":4,\"stp\":1}}", "#/pos"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct answer answer = {0};
        size_t at = 0;
        json_t *entry = NULL;
        bool found = false;

        send_body("POST", "/v1/rope", cases[i].body, &answer);
        ck_assert_msg(answer.status == 400, "%s: %ld", cases[i].body, answer.status);
        json_t *problem = black_box_json(&answer);
        json_array_foreach(json_object_get(problem, "errors"), at, entry)
        {
            const char *pointer = json_string_value(json_object_get(entry, "pointer"));
            found |=
                pointer && strncmp(pointer, cases[i].pointer, strlen(cases[i].pointer)) == 0;
        }
        ck_assert_msg(found && at == 1, "%s: %s", cases[i].body, answer.body);
        json_decref(problem);
        answer_fini(&answer);
    }
}
END_TEST

START_TEST(a_get_with_a_body_is_refused)
{
    static const char *const safe[] = {"GET", "HEAD", "OPTIONS"};

    for (size_t i = 0; i < 3; i += 2) {
        struct answer answer = {0};

        send_body(safe[i], "/v1/rope?dim=8&pos=0:4", "{}", &answer);
        ck_assert_msg(answer.status == 400, "%s: %ld", safe[i], answer.status);
        ck_assert_str_eq(answer_header(&answer, "Connection"), "close");
        answer_fini(&answer);
    }
}
END_TEST

START_TEST(another_expectation_is_417)
{
    struct answer answer = {0};
    const char *const headers[] = {JSON_TYPE, "Expect: a-miracle", NULL};

    web_ask(
        black_box_web(),
        &(struct ask){.method = "POST", .target = "/v1/rope", .headers = headers, .body = "{}"},
        &answer);
    json_t *problem = black_box_problem(&answer, 417, "expectation-failed");
    json_decref(problem);
    answer_fini(&answer);
}
END_TEST

START_TEST(other_media_types_are_415)
{
    static const char *const types[] = {
        "Content-Type: text/plain", "Content-Type: application/x-www-form-urlencoded",
        "Content-Type: application/jsonp", "Content-Type: */*", "X-None: 1"};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        struct answer answer = {0};
        const char *const headers[] = {types[i], NULL};

        web_ask(black_box_web(),
                &(struct ask){.method = "POST",
                              .target = "/v1/rope",
                              .headers = headers,
                              .body = "{\"dim\":8,\"pos\":\"0:4\"}"},
                &answer);
        json_t *problem = black_box_problem(&answer, 415, "unsupported-media-type");
        ck_assert_ptr_nonnull(strstr(answer.body, "application/json"));
        json_decref(problem);
        answer_fini(&answer);
    }
}
END_TEST

START_TEST(a_body_in_an_unknown_coding_is_415)
{
    struct answer answer = {0};
    const char *const headers[] = {JSON_TYPE, "Content-Encoding: br", NULL};

    web_ask(
        black_box_web(),
        &(struct ask){.method = "POST", .target = "/v1/rope", .headers = headers, .body = "{}"},
        &answer);
    json_t *problem = black_box_problem(&answer, 415, "unsupported-media-type");
    json_decref(problem);
    answer_fini(&answer);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(malformed_json_is_400_with_its_place, malformed),
    TEST(a_name_in_query_and_body_is_an_error),
    TEST(errors_in_a_body_are_pointed_at),
    TEST(a_get_with_a_body_is_refused),
    TEST(another_expectation_is_417),
    TEST(other_media_types_are_415),
    TEST(a_body_in_an_unknown_coding_is_415),
};

const struct suite bad_bodies_suite = {SUITE_TESTS(tests), BLACK_BOX};
