/* SPDX-License-Identifier: Apache-2.0
 * test_exchange.c - the life of a request against a service in this process: statuses,
 * headers, conditions, both caches, single computation. */
#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/exchange_parts.h"
#include "tests/support/http_client.h"
#include "tests/support/served.h"

Suite *exchange_suite(void);

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

/* ---- headers ---------------------------------------------------------------------------- */

START_TEST(an_answer_has_the_headers_of_the_contract)
{
    ask("GET", ROPE, NULL);
    ck_assert_int_eq(answer.status, 200);
    ck_assert_uint_eq(answer.len, 128 + 4 * 4 * 4);
    expect_header("Content-Type", "application/x-npy");
    expect_header("Content-Length", "192");
    expect_header("Cache-Control", "public, max-age=86400, stale-while-revalidate=604800");
    expect_header("Vary", NULL);
    expect_header("Accept-Ranges", "none");
    expect_header("X-Content-Type-Options", "nosniff");
    expect_header("Link", "</openapi.json>; rel=\"service-desc\"");
    expect_header("X-Request-Id", NULL);
    expect_header("Posenc-Shape", "4,4");
    expect_header("Posenc-Dtype", "f32");
    ck_assert_uint_eq(strlen(http_answer_header(&answer, "ETag")), 34);
    ck_assert_ptr_nonnull(strstr(http_answer_header(&answer, "Content-Location"), "/v1/rope?"));
    ck_assert_ptr_nonnull(strstr(http_answer_header(&answer, "Server-Timing"),
                                 "cache;desc=miss, compute;dur="));
    ck_assert_ptr_nonnull(http_answer_header(&answer, "Content-Disposition"));
    ck_assert_ptr_nonnull(http_answer_header(&answer, "Date"));
}
END_TEST

START_TEST(without_format_the_answer_varies_by_accept)
{
    ask("GET", "/v1/rope?pos=0:4&dim=8", NULL);
    expect_header("Vary", "Accept");
    expect_header("Content-Type", "application/json");
    ask("GET", "/v1/rope?pos=0:4&dim=8&out=cos", "Accept: application/x-npy\r\n");
    expect_header("Vary", "Accept");
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

/* ---- caches -------------------------------------------------------------------------------- */

START_TEST(the_second_answer_is_a_hit_and_the_third_ready_made)
{
    char *first, *second;

    ask("GET", ROPE, NULL);
    first = strdup(answer.body);
    ck_assert_ptr_nonnull(strstr(http_answer_header(&answer, "Server-Timing"), "miss"));
    ask("GET", ROPE, NULL);
    expect_header("Server-Timing", "cache;desc=hit");
    second = strdup(strstr(answer.head, "Content-Type"));
    for (int times = 0; times < 3; times++) {
        ask("GET", ROPE, NULL);
        expect_header("Server-Timing", "cache;desc=hit");
        ck_assert_mem_eq(answer.body, first, 192 < strlen(first) ? 192 : strlen(first));
        ck_assert_ptr_nonnull(http_answer_header(&answer, "ETag"));
    }
    free(first);
    free(second);
    http_client_free(client);
    client = http_client_new(served_port(service)); /* perhaps on the other loop */
    ask("GET", ROPE, NULL);
    expect_header("Server-Timing", "cache;desc=hit");
    ck_assert(served_metric(service, "posencd_compute_seconds_count") == 1);
}
END_TEST

START_TEST(spellings_share_one_entry_and_one_tag)
{
    static const char *const spellings[] = {
        ROPE,
        "/v1/rope?format=npy&out=cos&dim=8&pos=0:4",
        "/v1/rope?pos=0:4:1&dim=8&out=cos&format=npy&base=1e4",
        "/v1/rop%65?pos=0%3A4&dim=8&out=cos&format=npy",
        "/v1/rope?pos=0:4&dim=8&out=cos&format=npy&rev=1",
    };
    char tag[64];

    ask("GET", ROPE, NULL);
    strcpy(tag, http_answer_header(&answer, "ETag"));
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        ask("GET", spellings[i], NULL);
        ck_assert_msg(answer.status == 200, "%s", answer.body);
        expect_header("ETag", tag);
        expect_header("Server-Timing", "cache;desc=hit");
    }
    ck_assert(served_metric(service, "posencd_compute_seconds_count") == 1);
}
END_TEST

START_TEST(accept_decides_ready_made_answers_too)
{
    static const char *const target = "/v1/sinusoidal?pos=0:4&dim=8";

    for (int times = 0; times < 4; times++) {
        ask("GET", target, "Accept: application/x-npy\r\n");
        expect_header("Content-Type", "application/x-npy");
        ask("GET", target, "Accept: text/csv\r\n");
        ck_assert_ptr_nonnull(strstr(http_answer_header(&answer, "Content-Type"), "text/csv"));
        ask("GET", target, NULL);
        expect_header("Content-Type", "application/json");
        ask("GET", target, "Accept: image/png\r\n");
        ck_assert_int_eq(answer.status, 406);
    }
}
END_TEST

START_TEST(a_tag_that_matches_is_304_before_computing)
{
    char line[128], tag[64];

    ask("HEAD", "/v1/rope?pos=0:1000000&dim=1024&out=cos&format=raw", NULL);
    ck_assert_int_eq(answer.status, 200);
    expect_header("Content-Length", "2048000000");
    strcpy(tag, http_answer_header(&answer, "ETag"));
    snprintf(line, sizeof line, "If-None-Match: \"x\", W/%s\r\n", tag);
    ask("GET", "/v1/rope?pos=0:1000000&dim=1024&out=cos&format=raw", line);
    ck_assert_int_eq(answer.status, 304);
    expect_header("ETag", tag);
    expect_header("Cache-Control", "public, max-age=86400, stale-while-revalidate=604800");
    ck_assert_ptr_nonnull(http_answer_header(&answer, "Content-Location"));
    expect_header("Content-Type", NULL);
    ck_assert(served_metric(service, "posencd_compute_seconds_count") == 0);
}
END_TEST

START_TEST(ready_made_answers_keep_to_conditions)
{
    char match[128], tag[64];

    for (int times = 0; times < 4; times++)
        ask("GET", ROPE, NULL);
    strcpy(tag, http_answer_header(&answer, "ETag"));
    snprintf(match, sizeof match, "If-None-Match: %s\r\n", tag);
    for (int times = 0; times < 2; times++) {
        ask("GET", ROPE, match);
        ck_assert_int_eq(answer.status, 304);
        expect_header("ETag", tag);
        ck_assert_ptr_nonnull(http_answer_header(&answer, "Content-Location"));
        ask("GET", ROPE, "If-None-Match: *\r\n");
        ck_assert_int_eq(answer.status, 304);
        ask("GET", ROPE, "If-None-Match: \"other\"\r\n");
        ck_assert_int_eq(answer.status, 200);
        ck_assert_uint_eq(answer.len, 192);
    }
    snprintf(match, sizeof match, "If-None-Match: %s\r\nX-Request-Id: me\r\n", tag);
    ask("GET", ROPE, match);
    ck_assert_int_eq(answer.status, 304);
    expect_header("X-Request-Id", "me");
}
END_TEST

START_TEST(any_tag_matches_only_what_would_be_answered)
{
    ask("GET", ROPE, "If-None-Match: *\r\n");
    ck_assert_int_eq(answer.status, 304);
    ask("GET", "/v1/rope?pos=0:4&dim=7&out=cos&format=npy", "If-None-Match: *\r\n");
    ck_assert_int_eq(answer.status, 400);
    ask("GET", "/v1/rope?pos=0:1000000000000&dim=8&out=cos&format=npy", "If-None-Match: *\r\n");
    ck_assert_int_eq(answer.status, 400);
    expect_in_body("limit-exceeded");
}
END_TEST

/* ---- methods ---------------------------------------------------------------------------------- */

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

/* ---- problems ---------------------------------------------------------------------------------- */

START_TEST(an_unknown_path_is_404_with_a_suggestion)
{
    ask("GET", "/v1/roep?pos=0:4", NULL);
    ck_assert_int_eq(answer.status, 404);
    expect_in_body("did you mean /v1/rope?");
    expect_header("Cache-Control", "max-age=5");
    ask("GET", "/v1/encodings/ropee", NULL);
    ck_assert_int_eq(answer.status, 404);
    expect_in_body("did you mean rope?");
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

/* ---- overload --------------------------------------------------------------------------------- */

static void press(int level)
{
    atomic_store(&service->pressure, level);
}

/* The loops set the level anew every 100 ms: from the connections there are. */
static void full(struct config *config)
{
    config->max_connections = 1;
}

START_TEST(under_pressure_hits_and_health_are_served_and_nothing_is_computed)
{
    ask("GET", ROPE, NULL);
    served_stop(service);
    http_client_free(client);
    service = served_start(full);
    client = http_client_new(served_port(service));
    press(3);
    ask("GET", ROPE, NULL);
    ck_assert_int_eq(answer.status, 503);
    expect_in_body("overloaded");
    expect_header("Retry-After", "1");
    expect_header("Connection", "close");
}
END_TEST

START_TEST(an_exhausted_budget_is_503)
{
    uint64_t all = service->config.max_inflight;

    ck_assert(service_reserve(service, all - 100));
    press(0);
    ask("GET", ROPE, NULL);
    ck_assert_int_eq(answer.status, 503);
    expect_header("Retry-After", "1");
    service_release(service, all - 100);
    http_client_free(client);
    client = http_client_new(served_port(service));
    press(0);
    ask("GET", ROPE, NULL);
    ck_assert_int_eq(answer.status, 200);
    http_client_free(client);
    client = http_client_new(served_port(service));
    ck_assert_uint_eq(atomic_load(&service->inflight_bytes), 0);
}
END_TEST

START_TEST(a_reload_drops_what_is_ready_made)
{
    for (int times = 0; times < 3; times++)
        ask("GET", ROPE, NULL);
    service_reload(service);
    ask("GET", ROPE, NULL);
    ck_assert_int_eq(answer.status, 200);
    ck_assert_uint_eq(answer.len, 192);
}
END_TEST

/* ---- single computation -------------------------------------------------------------------------- */

enum { CLIENTS = 200 };

struct crowd {
    pthread_barrier_t start;
    unsigned port;
    const char *target;
    int right;
    size_t len;
    pthread_mutex_t lock;
};

static void *crowd_member(void *cls)
{
    struct crowd *crowd = cls;
    struct http_client *own = http_client_new(crowd->port);
    struct http_answer mine = {0};

    pthread_barrier_wait(&crowd->start);
    http_client_get(own, &mine, crowd->target);
    pthread_mutex_lock(&crowd->lock);
    if (mine.status == 200 && (crowd->len == 0 || mine.len == crowd->len))
        crowd->right++;
    crowd->len = mine.len;
    pthread_mutex_unlock(&crowd->lock);
    http_answer_fini(&mine);
    http_client_free(own);
    return NULL;
}

static void ask_as_a_crowd(const char *target)
{
    struct crowd crowd = {.port = served_port(service), .target = target};
    pthread_t threads[CLIENTS];
    pthread_attr_t small;

    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 256 << 10);
    pthread_mutex_init(&crowd.lock, NULL);
    pthread_barrier_init(&crowd.start, NULL, CLIENTS);
    for (int i = 0; i < CLIENTS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], &small, crowd_member, &crowd), 0);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(threads[i], NULL);
    ck_assert_int_eq(crowd.right, CLIENTS);
    pthread_barrier_destroy(&crowd.start);
    pthread_mutex_destroy(&crowd.lock);
    pthread_attr_destroy(&small);
}

static const char *const cold[] = {
    "/v1/sinusoidal?dim=4&pos=0:4",                 /* inline, cheaper than a suspension */
    "/v1/sinusoidal?dim=256&pos=7:1031&format=raw", /* 1 MiB exactly */
    "/v1/sinusoidal?dim=64&pos=7:707&dtype=f64",    /* 0.9 MB of text: the pool */
};

START_TEST(clients_with_one_cold_question_cause_one_computation)
{
    ask_as_a_crowd(cold[_i]);
    ck_assert_msg(served_metric(service, "posencd_compute_seconds_count") == 1, "%s: %g", cold[_i],
                  served_metric(service, "posencd_compute_seconds_count"));
}
END_TEST

static void add_tests(TCase *tcase)
{
    tcase_add_test(tcase, an_answer_has_the_headers_of_the_contract);
    tcase_add_test(tcase, without_format_the_answer_varies_by_accept);
    tcase_add_test(tcase, a_pinned_revision_is_immutable);
    tcase_add_test(tcase, a_request_id_is_echoed_when_it_is_one);
    tcase_add_test(tcase, the_second_answer_is_a_hit_and_the_third_ready_made);
    tcase_add_test(tcase, spellings_share_one_entry_and_one_tag);
    tcase_add_test(tcase, accept_decides_ready_made_answers_too);
    tcase_add_test(tcase, a_tag_that_matches_is_304_before_computing);
    tcase_add_test(tcase, ready_made_answers_keep_to_conditions);
    tcase_add_test(tcase, any_tag_matches_only_what_would_be_answered);
    tcase_add_test(tcase, head_computes_and_caches_what_get_would);
    tcase_add_test(tcase, options_names_the_methods);
    tcase_add_test(tcase, other_methods_are_405_with_allow);
    tcase_add_test(tcase, an_unknown_path_is_404_with_a_suggestion);
    tcase_add_test(tcase, all_that_is_wrong_is_said_at_once);
    tcase_add_test(tcase, no_format_that_fits_is_406_with_what_there_is);
    tcase_add_test(tcase, what_the_gate_refuses_is_a_problem_and_closes);
    tcase_add_test(tcase, under_pressure_hits_and_health_are_served_and_nothing_is_computed);
    tcase_add_test(tcase, an_exhausted_budget_is_503);
    tcase_add_test(tcase, a_reload_drops_what_is_ready_made);
}

Suite *exchange_suite(void)
{
    Suite *suite = suite_create("exchange");
    TCase *tcase = tcase_create("exchange"), *crowds = tcase_create("crowds");

    tcase_add_checked_fixture(tcase, start, stop);
    tcase_set_timeout(tcase, 30);
    add_tests(tcase);
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(crowds, start, stop);
    tcase_set_timeout(crowds, 60);
    tcase_add_loop_test(crowds, clients_with_one_cold_question_cause_one_computation, 0,
                        sizeof cold / sizeof cold[0]);
    suite_add_tcase(suite, crowds);
    return suite;
}
