/* SPDX-License-Identifier: Apache-2.0
 * test_exchange.c - the code paths of a request, against a service in this process: both
 * caches, conditions, overload. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/net/inflight.h"
#include "server/net/overload.h"
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

/* ---- caches -------------------------------------------------------------------------- */

START_TEST(the_second_answer_is_a_cache_hit_and_the_third_is_ready_made)
{
    char *first, *second;

    visit_ask(&visit, "GET", ROPE, NULL);
    first = strdup(visit.answer.body);
    ck_assert_ptr_nonnull(strstr(http_answer_header(&visit.answer, "Server-Timing"), "miss"));
    visit_ask(&visit, "GET", ROPE, NULL);
    visit_expect_header(&visit, "Server-Timing", "cache;desc=hit");
    second = strdup(strstr(visit.answer.head, "Content-Type"));
    for (int times = 0; times < 3; times++) {
        visit_ask(&visit, "GET", ROPE, NULL);
        visit_expect_header(&visit, "Server-Timing", "cache;desc=hit");
        ck_assert_mem_eq(visit.answer.body, first, 192 < strlen(first) ? 192 : strlen(first));
        ck_assert_ptr_nonnull(http_answer_header(&visit.answer, "ETag"));
    }
    free(first);
    free(second);
    visit_reconnect(&visit); /* perhaps on another loop */
    visit_ask(&visit, "GET", ROPE, NULL);
    visit_expect_header(&visit, "Server-Timing", "cache;desc=hit");
    ck_assert(served_metric(visit.service, "posencd_compute_seconds_count") == 1);
}
END_TEST

START_TEST(spellings_share_one_entry_and_one_tag)
{
    static const char *const spellings[] = {
        ROPE,
        "/v1/rope?format=npy&out=cos&dim=8&pos=0:4",
        "/v1/rope?pos=0:4:1&dim=8&out=cos&format=npy&base=1e4",
        "/v1/rop%65?pos=0%3A4&dim=8&out=cos&format=npy",
        "/v1/rope?pos=0:4&dim=8&out=cos&format=npy&rev=2",
    };
    char tag[64];

    visit_ask(&visit, "GET", ROPE, NULL);
    snprintf(tag, sizeof tag, "%s", http_answer_header(&visit.answer, "ETag"));
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        visit_ask(&visit, "GET", spellings[i], NULL);
        ck_assert_msg(visit.answer.status == 200, "%s", visit.answer.body);
        visit_expect_header(&visit, "ETag", tag);
        visit_expect_header(&visit, "Server-Timing", "cache;desc=hit");
    }
    ck_assert(served_metric(visit.service, "posencd_compute_seconds_count") == 1);
}
END_TEST

START_TEST(accept_decides_ready_made_answers_too)
{
    static const char *const target = "/v1/sinusoidal?pos=0:4&dim=8";

    for (int times = 0; times < 4; times++) {
        visit_ask(&visit, "GET", target, "Accept: application/x-npy\r\n");
        visit_expect_header(&visit, "Content-Type", "application/x-npy");
        visit_ask(&visit, "GET", target, "Accept: text/csv\r\n");
        ck_assert_ptr_nonnull(
            strstr(http_answer_header(&visit.answer, "Content-Type"), "text/csv"));
        visit_ask(&visit, "GET", target, NULL);
        visit_expect_header(&visit, "Content-Type", "application/json");
        visit_ask(&visit, "GET", target, "Accept: image/png\r\n");
        ck_assert_int_eq(visit.answer.status, 406);
    }
}
END_TEST

START_TEST(a_tag_that_matches_is_304_before_computing)
{
    char line[128], tag[64];

    visit_ask(&visit, "HEAD", "/v1/rope?pos=0:1000000&dim=1024&out=cos&format=raw", NULL);
    ck_assert_int_eq(visit.answer.status, 200);
    visit_expect_header(&visit, "Content-Length", "2048000000");
    snprintf(tag, sizeof tag, "%s", http_answer_header(&visit.answer, "ETag"));
    snprintf(line, sizeof line, "If-None-Match: \"x\", W/%s\r\n", tag);
    visit_ask(&visit, "GET", "/v1/rope?pos=0:1000000&dim=1024&out=cos&format=raw", line);
    ck_assert_int_eq(visit.answer.status, 304);
    visit_expect_header(&visit, "ETag", tag);
    visit_expect_header(&visit, "Cache-Control",
                        "public, max-age=86400, stale-while-revalidate=604800");
    ck_assert_ptr_nonnull(http_answer_header(&visit.answer, "Content-Location"));
    visit_expect_header(&visit, "Content-Type", NULL);
    visit_expect_header(&visit, "Content-Length", "2048000000"); /* known from the shape */
    visit_expect_header(&visit, "Connection", NULL);
    visit_ask(&visit, "HEAD", "/v1/rope?pos=0:20000&dim=1024&out=cos&format=json", NULL);
    snprintf(line, sizeof line, "If-None-Match: %s\r\n",
             http_answer_header(&visit.answer, "ETag"));
    http_client_free(visit.client); /* the response to HEAD closed the connection */
    visit.client = http_client_new(served_port(visit.service));
    visit_ask(&visit, "GET", "/v1/rope?pos=0:20000&dim=1024&out=cos&format=json", line);
    ck_assert_int_eq(visit.answer.status, 304);
    /* The length of text is not known without computing: the 304 has no framing header. */
    visit_expect_header(&visit, "Content-Length", NULL);
    visit_expect_header(&visit, "Transfer-Encoding", NULL);
    visit_expect_header(&visit, "Connection", "close");
    ck_assert(served_metric(visit.service, "posencd_compute_seconds_count") == 0);
}
END_TEST

/* The second 304 is ready-made; the answer is computed when a client wants it. */
START_TEST(a_304_without_an_answer_gives_way_to_the_answer)
{
    char match[128], tag[64];

    visit_ask(&visit, "GET", ROPE, NULL);
    snprintf(tag, sizeof tag, "%s", http_answer_header(&visit.answer, "ETag"));
    snprintf(match, sizeof match, "If-None-Match: %s\r\n", tag);
    stop();
    start(); /* a new server, which has computed nothing */
    for (int times = 0; times < 3; times++) {
        visit_ask(&visit, "GET", ROPE, match);
        ck_assert_int_eq(visit.answer.status, 304);
        visit_expect_header(&visit, "Content-Length", "192");
        visit_expect_header(&visit, "ETag", tag);
        visit_ask(&visit, "GET", ROPE, "If-None-Match: *\r\n");
        ck_assert_int_eq(visit.answer.status, 304);
    }
    ck_assert(served_metric(visit.service, "posencd_compute_seconds_count") == 0);
    for (int times = 0; times < 4; times++) {
        visit_ask(&visit, "GET", ROPE, times % 2 == 0 ? NULL : "If-None-Match: \"other\"\r\n");
        ck_assert_int_eq(visit.answer.status, 200);
        ck_assert_uint_eq(visit.answer.len, 192);
        visit_ask(&visit, "GET", ROPE, match);
        ck_assert_int_eq(visit.answer.status, 304);
    }
    ck_assert(served_metric(visit.service, "posencd_compute_seconds_count") == 1);
}
END_TEST

START_TEST(ready_made_answers_keep_to_conditions)
{
    char match[128], tag[64];

    for (int times = 0; times < 4; times++)
        visit_ask(&visit, "GET", ROPE, NULL);
    snprintf(tag, sizeof tag, "%s", http_answer_header(&visit.answer, "ETag"));
    snprintf(match, sizeof match, "If-None-Match: %s\r\n", tag);
    for (int times = 0; times < 2; times++) {
        visit_ask(&visit, "GET", ROPE, match);
        ck_assert_int_eq(visit.answer.status, 304);
        visit_expect_header(&visit, "ETag", tag);
        visit_expect_header(&visit, "Content-Length", "192"); /* as in a 200 (RFC 9110, 8.6) */
        ck_assert_ptr_nonnull(http_answer_header(&visit.answer, "Content-Location"));
        visit_ask(&visit, "GET", ROPE, "If-None-Match: *\r\n");
        ck_assert_int_eq(visit.answer.status, 304);
        visit_expect_header(&visit, "Content-Length", "192");
        visit_ask(&visit, "GET", ROPE, "If-None-Match: \"other\"\r\n");
        ck_assert_int_eq(visit.answer.status, 200);
        ck_assert_uint_eq(visit.answer.len, 192);
    }
    snprintf(match, sizeof match, "If-None-Match: %s\r\nX-Request-Id: me\r\n", tag);
    visit_ask(&visit, "GET", ROPE, match);
    ck_assert_int_eq(visit.answer.status, 304);
    visit_expect_header(&visit, "X-Request-Id", "me");
    visit_expect_header(&visit, "Content-Length", "192");
}
END_TEST

START_TEST(any_tag_matches_only_what_would_be_answered)
{
    visit_ask(&visit, "GET", ROPE, "If-None-Match: *\r\n");
    ck_assert_int_eq(visit.answer.status, 304);
    visit_ask(&visit, "GET", "/v1/rope?pos=0:4&dim=7&out=cos&format=npy",
              "If-None-Match: *\r\n");
    ck_assert_int_eq(visit.answer.status, 400);
    visit_ask(&visit, "GET", "/v1/rope?pos=0:1000000000000&dim=8&out=cos&format=npy",
              "If-None-Match: *\r\n");
    ck_assert_int_eq(visit.answer.status, 400);
    visit_expect_in_body(&visit, "limit-exceeded");
}
END_TEST

/* ---- overload ------------------------------------------------------------------------ */

/* Reserves bytes: they set the overload level, here and at every tick of the loops. */
static uint64_t press(unsigned percent)
{
    uint64_t bytes = visit.service->config.max_inflight / 100 * percent;

    ck_assert(inflight_reserve(visit.service, bytes));
    overload_update(visit.service);
    return bytes;
}

/* Asks on a new connection: under overload responses have Connection: close. */
static void ask_anew(const char *target)
{
    visit_reconnect(&visit);
    visit_ask(&visit, "GET", target, NULL);
}

START_TEST(under_pressure_nothing_is_computed_but_what_is_there_is_served)
{
    uint64_t taken;

    visit_ask(&visit, "GET", ROPE, NULL);
    taken = press(96);
    ask_anew("/v1/rope?pos=0:5&dim=8&out=cos&format=npy");
    ck_assert_int_eq(visit.answer.status, 503);
    visit_expect_in_body(&visit, "overloaded and computes no new responses");
    visit_expect_header(&visit, "Retry-After", "1");
    visit_expect_header(&visit, "Connection", "close");
    for (int times = 0; times < 3; times++) { /* from the cache, then the response cache */
        ask_anew(ROPE);
        ck_assert_int_eq(visit.answer.status, 200);
        visit_expect_header(&visit, "Server-Timing", "cache;desc=hit");
        visit_expect_header(&visit, "Connection", "close");
    }
    ask_anew("/livez");
    ck_assert_int_eq(visit.answer.status, 200);
    ask_anew("/metrics");
    ck_assert_int_eq(visit.answer.status, 200);
    ask_anew("/v1/encodings");
    ck_assert_int_eq(visit.answer.status, 200);
    visit_expect_header(&visit, "Connection", "close");
    inflight_release(visit.service, taken);
    overload_update(visit.service);
    ask_anew("/v1/rope?pos=0:5&dim=8&out=cos&format=npy");
    ck_assert_int_eq(visit.answer.status, 200);
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
        ck_assert_int_eq(visit.answer.status, 200);
        ask_anew(target);
        kept = strstr(http_answer_header(&visit.answer, "Server-Timing"), "hit") != NULL;
    }
    ck_assert(!kept);
    inflight_release(visit.service, taken);
}
END_TEST

START_TEST(an_exhausted_budget_is_503)
{
    uint64_t all = visit.service->config.max_inflight;

    ck_assert(inflight_reserve(visit.service, all - 100));
    visit_ask(&visit, "GET", ROPE, NULL);
    ck_assert_int_eq(visit.answer.status, 503);
    visit_expect_header(&visit, "Retry-After", "1");
    inflight_release(visit.service, all - 100);
    overload_update(visit.service);
    ask_anew(ROPE);
    ck_assert_int_eq(visit.answer.status, 200);
    for (int times = 0; times < 2000 && atomic_load(&visit.service->inflight_bytes) > 0;
         times++)
        ask_anew("/livez"); /* bytes are released only after the response was queued */
    ck_assert_uint_eq(atomic_load(&visit.service->inflight_bytes), 0);
}
END_TEST

START_TEST(a_reload_drops_what_is_ready_made)
{
    for (int times = 0; times < 3; times++)
        visit_ask(&visit, "GET", ROPE, NULL);
    service_reload(visit.service);
    visit_ask(&visit, "GET", ROPE, NULL);
    ck_assert_int_eq(visit.answer.status, 200);
    ck_assert_uint_eq(visit.answer.len, 192);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(the_second_answer_is_a_cache_hit_and_the_third_is_ready_made),
    TEST(spellings_share_one_entry_and_one_tag),
    TEST(accept_decides_ready_made_answers_too),
    TEST(a_tag_that_matches_is_304_before_computing),
    TEST(a_304_without_an_answer_gives_way_to_the_answer),
    TEST(ready_made_answers_keep_to_conditions),
    TEST(any_tag_matches_only_what_would_be_answered),
    TEST(under_pressure_nothing_is_computed_but_what_is_there_is_served),
    TEST(from_the_second_level_nothing_new_is_kept),
    TEST(an_exhausted_budget_is_503),
    TEST(a_reload_drops_what_is_ready_made),
};

const struct suite exchange_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                     .timeout = 30};
