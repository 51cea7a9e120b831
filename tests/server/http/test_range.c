/* SPDX-License-Identifier: Apache-2.0
 * test_range.c - parts of every kind of response: ready-made, cached, just computed, streamed;
 * range.txt has the values of Range and If-Range. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/service.h"
#include "tests/support/suite.h"
#include "tests/support/visit.h"

static const struct {
    const char *target;
    size_t len;
} targets[] = {
    {"/v1/rope?pos=0:4&dim=8&out=cos&format=npy", 128 + 4 * 4 * 4},
    {"/v1/rope?pos=0:40&dim=8&out=cos&format=raw&dtype=bf16", 40 * 4 * 2},
    {"/v1/rope?pos=0:30000&dim=128&out=sin&format=npy", 128 + 30000 * 64 * 4},
    {"/v1/sinusoidal?pos=0:20001&dim=34&format=raw&dtype=f64", 20001 * 34 * 8},
    {"/v1/alibi?heads=4&len=600&format=npy&dtype=f16", 128 + 4 * 600 * 600 * 2},
};
enum { TARGETS = sizeof targets / sizeof targets[0] };
#define SHORT targets[0].target
#define LONG targets[2].target

static struct visit visit;
static struct http_answer whole;

static void start(void)
{
    visit_begin(&visit, NULL);
}

static void stop(void)
{
    http_answer_fini(&whole);
    visit_end(&visit);
}

/* Requests [first, last] and compares the response with that part of `whole`. */
static void expect_part(const char *target, size_t first, size_t last)
{
    char line[96], range[96];

    snprintf(line, sizeof line, "Range: bytes=%zu-%zu\r\n", first, last);
    snprintf(range, sizeof range, "bytes %zu-%zu/%zu", first, last, whole.len);
    visit_ask(&visit, "GET", target, line);
    ck_assert_msg(visit.answer.status == 206, "%s %s: %d", target, line, visit.answer.status);
    visit_expect_header(&visit, "Content-Range", range);
    ck_assert_uint_eq(visit.answer.len, last - first + 1);
    ck_assert_msg(memcmp(visit.answer.body, whole.body + first, visit.answer.len) == 0, "%s %s",
                  target, line);
}

START_TEST(a_part_has_these_bytes_of_the_whole_response)
{
    const char *target = targets[_i].target;
    size_t len = targets[_i].len;
    uint64_t seed = (uint64_t)_i + 1;

    http_client_get(visit.client, &whole, target);
    ck_assert_uint_eq(whole.len, len);
    expect_part(target, 0, 0);
    expect_part(target, len - 1, len - 1);
    expect_part(target, 0, len - 1);
    for (int times = 0; times < 30; times++) {
        size_t first, last;

        seed = seed * 6364136223846793005u + 1442695040888963407u;
        first = (size_t)(seed >> 33) % len;
        last = first + (size_t)(seed >> 11) % (times % 2 == 0 ? 200 : 200000);
        expect_part(target, first, last < len ? last : len - 1);
    }
}
END_TEST

START_TEST(a_part_has_the_header_fields_of_the_whole_response)
{
    static const char *const names[] = {"ETag",         "Cache-Control", "Content-Location",
                                        "Content-Type", "Posenc-Shape",  "Posenc-Dtype",
                                        "Vary",         "Accept-Ranges"};
    const char *target = targets[_i].target;

    http_client_get(visit.client, &whole, target);
    for (int times = 0; times < 3; times++) { /* cached, ready-made */
        expect_part(target, 2, 5);
        visit_expect_header(&visit, "Content-Length", "4");
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            visit_expect_header(&visit, names[i], http_answer_header(&whole, names[i]));
        visit_ask(&visit, "GET", target, NULL);
        ck_assert_int_eq(visit.answer.status, 200);
    }
}
END_TEST

START_TEST(a_response_computed_for_a_part_is_cached_whole)
{
    visit_ask(&visit, "GET", SHORT, "Range: bytes=-4\r\n");
    ck_assert_int_eq(visit.answer.status, 206);
    visit_expect_header(&visit, "Content-Range", "bytes 188-191/192");
    visit_ask(&visit, "GET", SHORT, NULL);
    ck_assert_int_eq(visit.answer.status, 200);
    visit_expect_header(&visit, "Server-Timing", "cache;desc=hit");
    ck_assert_uint_eq(visit.answer.len, 192);
}
END_TEST

START_TEST(a_range_beyond_the_end_is_416)
{
    const char *target = targets[_i].target;
    char range[64];

    snprintf(range, sizeof range, "bytes */%zu", targets[_i].len);
    for (int times = 0; times < 3; times++) {
        visit_ask(&visit, "GET", target, "Range: bytes=99999999999-\r\n");
        ck_assert_int_eq(visit.answer.status, 416);
        visit_expect_header(&visit, "Content-Range", range);
        visit_expect_header(&visit, "Content-Type", "application/problem+json");
        visit_expect_header(&visit, "Cache-Control", "no-store");
        ck_assert_ptr_nonnull(strstr(visit.answer.body, "range-not-satisfiable"));
        visit_ask(&visit, "GET", target,
                  "Range: bytes=0-1\r\n"); /* the connection stays open */
        ck_assert_int_eq(visit.answer.status, 206);
    }
}
END_TEST

START_TEST(if_range_with_another_tag_gets_the_whole_response)
{
    const char *target = targets[_i].target;
    char line[160];

    http_client_get(visit.client, &whole, target);
    snprintf(line, sizeof line, "Range: bytes=1-3\r\nIf-Range: %s\r\n",
             http_answer_header(&whole, "ETag"));
    visit_ask(&visit, "GET", target, line);
    ck_assert_int_eq(visit.answer.status, 206);
    snprintf(line, sizeof line, "Range: bytes=1-3\r\nIf-Range: W/%s\r\n",
             http_answer_header(&whole, "ETag"));
    visit_ask(&visit, "GET", target, line);
    ck_assert_int_eq(visit.answer.status, 200);
    ck_assert_uint_eq(visit.answer.len, whole.len);
    visit_ask(&visit, "GET", target, "Range: bytes=99999999999-\r\nIf-Range: \"other\"\r\n");
    ck_assert_int_eq(visit.answer.status, 200);
    visit_expect_header(&visit, "Content-Range", NULL);
    snprintf(line, sizeof line, "Range: bytes=1-3\r\nIf-None-Match: %s\r\n",
             http_answer_header(&whole, "ETag"));
    visit_ask(&visit, "GET", target, line); /* If-None-Match has precedence */
    ck_assert_int_eq(visit.answer.status, 304);
}
END_TEST

START_TEST(a_response_without_parts_is_sent_whole)
{
    static const char *const texts[] = {"/v1/rope?pos=0:4&dim=8&format=json",
                                        "/v1/rope?pos=0:4&dim=8&out=cos&format=csv",
                                        "/v1/rope?pos=0:20000&dim=64&format=json"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        visit_ask(&visit, "GET", texts[i], "Range: bytes=0-1\r\n");
        ck_assert_int_eq(visit.answer.status, 200);
        visit_expect_header(&visit, "Accept-Ranges", "none");
    }
    visit_ask(&visit, "GET", "/version", "Range: bytes=0-1\r\n");
    ck_assert_int_eq(visit.answer.status, 200);
}
END_TEST

START_TEST(several_ranges_and_other_methods_get_the_whole_response)
{
    for (size_t i = 0; i < TARGETS; i++) {
        char len[32];

        snprintf(len, sizeof len, "%zu", targets[i].len);
        visit_ask(&visit, "GET", targets[i].target, "Range: bytes=0-1,4-5\r\n");
        ck_assert_int_eq(visit.answer.status, 200);
        visit_expect_header(&visit, "Content-Length", len);
        visit_ask(&visit, "GET", targets[i].target, "Range: bytes=0-1\r\nRange: bytes=4-5\r\n");
        ck_assert_int_eq(visit.answer.status, 200);
        visit_ask(&visit, "HEAD", targets[i].target, "Range: bytes=0-1\r\n");
        ck_assert_int_eq(visit.answer.status, 200);
        visit_expect_header(&visit, "Content-Length", len);
        visit_expect_header(&visit, "Accept-Ranges", "bytes");
        http_client_ask(visit.client, &visit.answer, "POST", "/v1/rope?format=npy&out=cos",
                        "Content-Type: application/json\r\nRange: bytes=0-1\r\n",
                        "{\"pos\":\"0:4\",\"dim\":8}");
        ck_assert_int_eq(visit.answer.status, 200);
        ck_assert_uint_eq(visit.answer.len, 192);
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST_RANGE(a_part_has_these_bytes_of_the_whole_response, 0, TARGETS),
    TEST_RANGE(a_part_has_the_header_fields_of_the_whole_response, 0, TARGETS),
    TEST(a_response_computed_for_a_part_is_cached_whole),
    TEST_RANGE(a_range_beyond_the_end_is_416, 0, TARGETS),
    TEST_RANGE(if_range_with_another_tag_gets_the_whole_response, 0, TARGETS),
    TEST(a_response_without_parts_is_sent_whole),
    TEST(several_ranges_and_other_methods_get_the_whole_response),
};

const struct suite range_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                  .timeout = 60};
