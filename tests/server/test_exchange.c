/* SPDX-License-Identifier: Apache-2.0
 * test_exchange.c - the roads of a request against a service in this process: both caches,
 * conditions, overload. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/service.h"
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

/* ---- caches -------------------------------------------------------------------------- */

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
    snprintf(tag, sizeof tag, "%s", http_answer_header(&answer, "ETag"));
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
    snprintf(tag, sizeof tag, "%s", http_answer_header(&answer, "ETag"));
    snprintf(line, sizeof line, "If-None-Match: \"x\", W/%s\r\n", tag);
    ask("GET", "/v1/rope?pos=0:1000000&dim=1024&out=cos&format=raw", line);
    ck_assert_int_eq(answer.status, 304);
    expect_header("ETag", tag);
    expect_header("Cache-Control", "public, max-age=86400, stale-while-revalidate=604800");
    ck_assert_ptr_nonnull(http_answer_header(&answer, "Content-Location"));
    expect_header("Content-Type", NULL);
    expect_header("Content-Length", "2048000000"); /* it follows from the shape */
    expect_header("Connection", NULL);
    ask("HEAD", "/v1/rope?pos=0:20000&dim=1024&out=cos&format=json", NULL);
    snprintf(line, sizeof line, "If-None-Match: %s\r\n", http_answer_header(&answer, "ETag"));
    http_client_free(client); /* that answer ended its connection */
    client = http_client_new(served_port(service));
    ask("GET", "/v1/rope?pos=0:20000&dim=1024&out=cos&format=json", line);
    ck_assert_int_eq(answer.status, 304);
    /* nobody has worked this length out: none is said, and no other framing either */
    expect_header("Content-Length", NULL);
    expect_header("Transfer-Encoding", NULL);
    expect_header("Connection", "close");
    ck_assert(served_metric(service, "posencd_compute_seconds_count") == 0);
}
END_TEST

/* The 304 is ready made from its second time on; the answer is computed when it is wanted. */
START_TEST(a_304_without_an_answer_gives_way_to_the_answer)
{
    char match[128], tag[64];

    ask("GET", ROPE, NULL);
    snprintf(tag, sizeof tag, "%s", http_answer_header(&answer, "ETag"));
    snprintf(match, sizeof match, "If-None-Match: %s\r\n", tag);
    stop();
    start(); /* another server, which has computed nothing */
    for (int times = 0; times < 3; times++) {
        ask("GET", ROPE, match);
        ck_assert_int_eq(answer.status, 304);
        expect_header("Content-Length", "192");
        expect_header("ETag", tag);
        ask("GET", ROPE, "If-None-Match: *\r\n");
        ck_assert_int_eq(answer.status, 304);
    }
    ck_assert(served_metric(service, "posencd_compute_seconds_count") == 0);
    for (int times = 0; times < 4; times++) {
        ask("GET", ROPE, times % 2 == 0 ? NULL : "If-None-Match: \"other\"\r\n");
        ck_assert_int_eq(answer.status, 200);
        ck_assert_uint_eq(answer.len, 192);
        ask("GET", ROPE, match);
        ck_assert_int_eq(answer.status, 304);
    }
    ck_assert(served_metric(service, "posencd_compute_seconds_count") == 1);
}
END_TEST

START_TEST(ready_made_answers_keep_to_conditions)
{
    char match[128], tag[64];

    for (int times = 0; times < 4; times++)
        ask("GET", ROPE, NULL);
    snprintf(tag, sizeof tag, "%s", http_answer_header(&answer, "ETag"));
    snprintf(match, sizeof match, "If-None-Match: %s\r\n", tag);
    for (int times = 0; times < 2; times++) {
        ask("GET", ROPE, match);
        ck_assert_int_eq(answer.status, 304);
        expect_header("ETag", tag);
        expect_header("Content-Length", "192"); /* the 200's (RFC 9110, 8.6) */
        ck_assert_ptr_nonnull(http_answer_header(&answer, "Content-Location"));
        ask("GET", ROPE, "If-None-Match: *\r\n");
        ck_assert_int_eq(answer.status, 304);
        expect_header("Content-Length", "192");
        ask("GET", ROPE, "If-None-Match: \"other\"\r\n");
        ck_assert_int_eq(answer.status, 200);
        ck_assert_uint_eq(answer.len, 192);
    }
    snprintf(match, sizeof match, "If-None-Match: %s\r\nX-Request-Id: me\r\n", tag);
    ask("GET", ROPE, match);
    ck_assert_int_eq(answer.status, 304);
    expect_header("X-Request-Id", "me");
    expect_header("Content-Length", "192");
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

/* ---- overload ------------------------------------------------------------------------ */

/* Bytes in flight set the ladder's level, here and at every tick of the loops. */
static uint64_t press(unsigned percent)
{
    uint64_t bytes = service->config.max_inflight / 100 * percent;

    ck_assert(service_reserve(service, bytes));
    service_press(service);
    return bytes;
}

/* Answers carry Connection: close under pressure. */
static void ask_anew(const char *target)
{
    http_client_free(client);
    client = http_client_new(served_port(service));
    ask("GET", target, NULL);
}

START_TEST(under_pressure_nothing_is_computed_but_what_is_there_is_served)
{
    uint64_t taken;

    ask("GET", ROPE, NULL);
    taken = press(96);
    ask_anew("/v1/rope?pos=0:5&dim=8&out=cos&format=npy");
    ck_assert_int_eq(answer.status, 503);
    expect_in_body("short of room for new answers");
    expect_header("Retry-After", "1");
    expect_header("Connection", "close");
    for (int times = 0; times < 3; times++) { /* hit, ready-made */
        ask_anew(ROPE);
        ck_assert_int_eq(answer.status, 200);
        expect_header("Server-Timing", "cache;desc=hit");
        expect_header("Connection", "close");
    }
    ask_anew("/livez");
    ck_assert_int_eq(answer.status, 200);
    ask_anew("/metrics");
    ck_assert_int_eq(answer.status, 200);
    ask_anew("/v1/encodings");
    ck_assert_int_eq(answer.status, 200);
    expect_header("Connection", "close");
    service_release(service, taken);
    service_press(service);
    ask_anew("/v1/rope?pos=0:5&dim=8&out=cos&format=npy");
    ck_assert_int_eq(answer.status, 200);
}
END_TEST

START_TEST(from_the_second_level_nothing_new_is_kept)
{
    uint64_t taken = press(86);
    char target[64];
    bool kept = true;

    for (int i = 1; i < 5000 && kept; i++) { /* until the loops' next tick */
        snprintf(target, sizeof target, "/v1/rope?pos=%d&dim=8", i);
        ask_anew(target);
        ck_assert_int_eq(answer.status, 200);
        ask_anew(target);
        kept = strstr(http_answer_header(&answer, "Server-Timing"), "hit") != NULL;
    }
    ck_assert(!kept);
    service_release(service, taken);
}
END_TEST

START_TEST(an_exhausted_budget_is_503)
{
    uint64_t all = service->config.max_inflight;

    ck_assert(service_reserve(service, all - 100));
    ask("GET", ROPE, NULL);
    ck_assert_int_eq(answer.status, 503);
    expect_header("Retry-After", "1");
    service_release(service, all - 100);
    service_press(service);
    ask_anew(ROPE);
    ck_assert_int_eq(answer.status, 200);
    for (int times = 0; times < 2000 && atomic_load(&service->inflight_bytes) > 0; times++)
        ask_anew("/livez"); /* bytes are given back when the answer is on its way */
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

Suite *exchange_suite(void)
{
    Suite *suite = suite_create("exchange");
    TCase *tcase = tcase_create("exchange");

    tcase_add_checked_fixture(tcase, start, stop);
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, the_second_answer_is_a_hit_and_the_third_ready_made);
    tcase_add_test(tcase, spellings_share_one_entry_and_one_tag);
    tcase_add_test(tcase, accept_decides_ready_made_answers_too);
    tcase_add_test(tcase, a_tag_that_matches_is_304_before_computing);
    tcase_add_test(tcase, a_304_without_an_answer_gives_way_to_the_answer);
    tcase_add_test(tcase, ready_made_answers_keep_to_conditions);
    tcase_add_test(tcase, any_tag_matches_only_what_would_be_answered);
    tcase_add_test(tcase, under_pressure_nothing_is_computed_but_what_is_there_is_served);
    tcase_add_test(tcase, from_the_second_level_nothing_new_is_kept);
    tcase_add_test(tcase, an_exhausted_budget_is_503);
    tcase_add_test(tcase, a_reload_drops_what_is_ready_made);
    suite_add_tcase(suite, tcase);
    return suite;
}
