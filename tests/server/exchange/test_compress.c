/* SPDX-License-Identifier: Apache-2.0
 * test_compress.c - the requests that are sent a gzip variant, and its entity tag. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/buffer.h"
#include "server/service.h"
#include "tests/support/suite.h"
#include "tests/support/variant.h"
#include "tests/support/visit.h"

#define GZIP "Accept-Encoding: gzip\r\n"
#define NO_IDENTITY "Accept-Encoding: gzip, identity;q=0\r\n"
#define TEXT "/v1/sinusoidal?pos=0:64&dim=64"
#define BIAS "/v1/alibi?heads=4&len=64&format=npy"
#define FLOATS "/v1/rope?pos=0:64&dim=64&out=cos&format=npy"
#define SMALL "/v1/sinusoidal?pos=0:2&dim=4"
/* About 0.9 MB, which the pool compresses; and an answer too long for the cache. */
#define LARGE "/v1/sinusoidal?dim=64&format=csv&pos=0:1150"
#define LONG "/v1/sinusoidal?dim=64&format=csv&pos=0:9000"

static struct visit visit;

static void one_loop(struct config *config)
{
    config->threads = 1;
}

static void start(void)
{
    visit_begin(&visit, one_loop);
}

static void stop(void)
{
    visit_end(&visit);
}

/* ---- choice of the variant ----------------------------------------------------------- */

START_TEST(gzip_holds_the_bytes_of_the_identity_answer)
{
    static const char *const targets[] = {TEXT,
                                          TEXT "&format=csv",
                                          BIAS,
                                          LARGE,
                                          "/v1/causal-mask?len=100&format=raw",
                                          "/v1/beit-index?window=8x8&format=safetensors"};
    const char *target = targets[_i];
    struct variant_copy plain;

    visit_ask(&visit, "GET", target, GZIP); /* the first response is compressed already */
    variant_expect(&visit.answer, true);
    plain = variant_copy_identity(visit.client, target);
    for (int times = 0; times < 3; times++) { /* from the cache, then the response cache */
        visit_ask(&visit, "GET", target, GZIP);
        variant_expect_compressed(&visit.answer, &plain);
        visit_expect_header(&visit, "Server-Timing", "cache;desc=hit");
        visit_ask(&visit, "GET", target, NULL);
        variant_expect(&visit.answer, false);
        ck_assert_uint_eq(visit.answer.len, plain.len);
        visit_expect_header(&visit, "Server-Timing", "cache;desc=hit");
    }
    ck_assert(served_metric(visit.service, "posencd_cache_entries") == 2);
    ck_assert(served_metric(visit.service,
                            "posencd_cache_requests_total{result=\"response_cache_hit\"}") >=
              4);
    free(plain.bytes);
}
END_TEST

START_TEST(vary_names_the_headers_that_choose_the_variant)
{
    static const char *const asked[] = {NULL, GZIP};

    for (int i = 0; i < 2; i++) {
        visit_ask(&visit, "GET", BIAS, asked[i]);
        visit_expect_header(&visit, "Vary", "Accept-Encoding");
        visit_ask(&visit, "GET", TEXT, asked[i]);
        visit_expect_header(&visit, "Vary", "Accept, Accept-Encoding");
        visit_ask(&visit, "GET", FLOATS, asked[i]);
        visit_expect_header(&visit, "Vary", NULL);
        variant_expect(&visit.answer, false);
        visit_expect_header(&visit, "Accept-Ranges", "bytes");
    }
}
END_TEST

START_TEST(a_small_or_long_answer_is_sent_as_identity)
{
    for (int times = 0; times < 3; times++) {
        visit_ask(&visit, "GET", SMALL, GZIP);
        variant_expect(&visit.answer, false);
    }
    ck_assert(served_metric(visit.service,
                            "posencd_cache_requests_total{result=\"response_cache_hit\"}") ==
              1);
    visit_ask(&visit, "GET", LONG, GZIP);
    variant_expect(&visit.answer, false);
    ck_assert_uint_gt(visit.answer.len, 1 << 20);
    visit_expect_header(&visit, "Transfer-Encoding", "chunked");
    ck_assert(served_metric(visit.service, "posencd_gzip_bytes_total{coding=\"identity\"}") ==
              0);
}
END_TEST

START_TEST(a_client_without_identity_is_sent_gzip_or_406)
{
    static const char *const never[] = {FLOATS, LONG,
                                        "/v1/sinusoidal/apply?pos=0&x=1,2&format=npy"};

    visit_ask(&visit, "GET", SMALL, GZIP);
    visit_ask(&visit, "GET", SMALL, GZIP);
    visit_ask(&visit, "GET", SMALL, NO_IDENTITY); /* though the plain response is ready-made */
    variant_expect(&visit.answer, true);
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++)
        for (int times = 0; times < 2; times++) {
            visit_ask(&visit, "GET", never[i], NULL);
            visit_ask(&visit, "GET", never[i], NO_IDENTITY);
            ck_assert_int_eq(visit.answer.status, 406);
            ck_assert_ptr_nonnull(
                strstr(visit.answer.body, "let Accept-Encoding admit identity"));
            ck_assert_ptr_null(strstr(visit.answer.body, "available"));
        }
    visit_ask(&visit, "GET", TEXT, "Accept-Encoding: *;q=0\r\n");
    ck_assert_int_eq(visit.answer.status, 406);
    visit_ask(&visit, "GET", "/version", "Accept-Encoding: identity;q=0\r\n");
    ck_assert_int_eq(visit.answer.status, 406);
    visit_ask(&visit, "GET", "/v1/models", "Accept-Encoding: identity;q=0\r\n");
    ck_assert_int_eq(visit.answer.status, 406);
    visit_ask(&visit, "GET", "/livez",
              "Accept-Encoding: identity;q=0\r\n"); /* health is answered uncompressed */
    variant_expect(&visit.answer, false);
}
END_TEST

START_TEST(head_has_the_headers_of_get)
{
    char length[32];

    visit_ask(&visit, "GET", BIAS, GZIP);
    snprintf(length, sizeof length, "%zu", visit.answer.len);
    visit_ask(&visit, "HEAD", BIAS, GZIP);
    variant_expect(&visit.answer, true);
    visit_expect_header(&visit, "Content-Length", length);
    visit_ask(&visit, "HEAD", TEXT, GZIP); /* HEAD causes the computation */
    variant_expect(&visit.answer, true);
    ck_assert_ptr_nonnull(http_answer_header(&visit.answer, "Content-Length"));
}
END_TEST

START_TEST(post_and_query_are_compressed_too)
{
    static const char *const methods[] = {"POST", "QUERY"};
    struct variant_copy plain = variant_copy_identity(visit.client, TEXT);

    for (int i = 0; i < 2; i++) {
        http_client_ask(visit.client, &visit.answer, methods[i], "/v1/sinusoidal",
                        GZIP "Content-Type: application/json\r\n",
                        "{\"pos\":\"0:64\",\"dim\":64}");
        variant_expect(&visit.answer, true);
        if (i == 1)
            variant_expect_compressed(&visit.answer, &plain);
        else
            visit_expect_header(&visit, "ETag", NULL);
    }
    http_client_ask(visit.client, &visit.answer, "POST", "/v1/sinusoidal/apply?pos=0",
                    GZIP "Content-Type: application/json\r\n", "{\"x\":[1,2]}");
    variant_expect(&visit.answer, false);
    free(plain.bytes);
}
END_TEST

/* A request with a list that is too long for the cache's key. */
static void query_uncached(const char *headers)
{
    enum { COUNT = (1 << 20) / sizeof(double) + 1 };
    struct buffer body = {0};

    buffer_add_text(&body, "{\"q\":\"0:1\",\"attention_mask\":[1");
    for (size_t i = 1; i < COUNT; i++)
        buffer_add_text(&body, i % 2 == 0 ? ",0" : ",1");
    buffer_add_text(&body, "]}");
    http_client_ask(visit.client, &visit.answer, "QUERY",
                    "/v1/padding-mask?out=fully_masked_rows", headers, body.bytes);
    buffer_fini(&body);
}

START_TEST(an_answer_that_is_not_cached_has_no_gzip_variant)
{
    char tag[64];

    query_uncached("Content-Type: application/json\r\n");
    snprintf(tag, sizeof tag, "%s", http_answer_header(&visit.answer, "ETag"));
    query_uncached(GZIP "Content-Type: application/json\r\n");
    variant_expect(&visit.answer, false);
    visit_expect_header(&visit, "ETag", tag);
}
END_TEST

/* ---- conditions and ranges ----------------------------------------------------------- */

START_TEST(either_tag_is_a_304_of_its_variant)
{
    static const char *const targets[] = {TEXT, BIAS};
    const char *target = targets[_i];
    struct variant_copy plain = variant_copy_identity(visit.client, target);
    char packed[120];

    visit_ask(&visit, "GET", target, GZIP);
    snprintf(packed, sizeof packed, "%s", http_answer_header(&visit.answer, "ETag"));
    ck_assert_str_ne(packed, plain.tag);
    for (int times = 0; times < 3; times++) { /* the later responses are ready-made */
        visit_ask_if_none_match(&visit, target, packed, GZIP);
        ck_assert_int_eq(visit.answer.status, 304);
        visit_expect_header(&visit, "ETag", packed);
        visit_ask_if_none_match(&visit, target, plain.tag, GZIP);
        ck_assert_int_eq(visit.answer.status, 304);
        visit_expect_header(&visit, "ETag", plain.tag);
        visit_expect_header(&visit, "Vary",
                            _i == 0 ? "Accept, Accept-Encoding" : "Accept-Encoding");
        visit_ask_if_none_match(&visit, target, plain.tag, "");
        ck_assert_int_eq(visit.answer.status, 304);
        visit_expect_header(&visit, "ETag", plain.tag);
        visit_ask_if_none_match(&visit, target, packed,
                                ""); /* a 304 could let a cache send gzip */
        ck_assert_int_eq(visit.answer.status, 200);
        variant_expect(&visit.answer, false);
        visit_ask_if_none_match(&visit, target, plain.tag, NO_IDENTITY);
        ck_assert_int_eq(visit.answer.status, 200);
        variant_expect_compressed(&visit.answer, &plain);
        visit_ask(&visit, "GET", target, GZIP); /* the plain answer's 304 does not hide it */
        variant_expect_compressed(&visit.answer, &plain);
    }
    visit_ask_if_none_match(&visit, target, "*", GZIP);
    ck_assert_int_eq(visit.answer.status, 304);
    free(plain.bytes);
}
END_TEST

START_TEST(a_304_costs_no_computing)
{
    char tag[120];

    visit_ask(&visit, "GET", TEXT, GZIP);
    snprintf(tag, sizeof tag, "%s", http_answer_header(&visit.answer, "ETag"));
    stop();
    start();
    visit_ask_if_none_match(&visit, TEXT, tag, GZIP);
    ck_assert_int_eq(visit.answer.status, 304);
    visit_expect_header(&visit, "ETag", tag);
    ck_assert(served_metric(visit.service, "posencd_compute_seconds_count") == 0);
    ck_assert(served_metric(visit.service, "posencd_gzip_bytes_total") == 0);
}
END_TEST

START_TEST(a_range_is_of_the_identity_answer)
{
    struct variant_copy plain = variant_copy_identity(visit.client, BIAS);

    for (int times = 0; times < 3; times++) {
        visit_ask(&visit, "GET", BIAS, GZIP "Range: bytes=100-199\r\n");
        ck_assert_int_eq(visit.answer.status, 206);
        visit_expect_header(&visit, "Content-Encoding", NULL);
        visit_expect_header(&visit, "ETag", plain.tag);
        ck_assert_uint_eq(visit.answer.len, 100);
        ck_assert_mem_eq(visit.answer.body, plain.bytes + 100, 100);
        visit_ask(&visit, "GET", BIAS, GZIP);
        variant_expect_compressed(&visit.answer, &plain);
        visit_ask(&visit, "GET", BIAS, NO_IDENTITY "Range: bytes=100-199\r\n");
        variant_expect_compressed(&visit.answer, &plain);
    }
    free(plain.bytes);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_RANGE(gzip_holds_the_bytes_of_the_identity_answer, 0, 6),
    TEST(vary_names_the_headers_that_choose_the_variant),
    TEST(a_small_or_long_answer_is_sent_as_identity),
    TEST(a_client_without_identity_is_sent_gzip_or_406),
    TEST(head_has_the_headers_of_get),
    TEST(post_and_query_are_compressed_too),
    TEST(an_answer_that_is_not_cached_has_no_gzip_variant),
    TEST_RANGE(either_tag_is_a_304_of_its_variant, 0, 2),
    TEST(a_304_costs_no_computing),
    TEST(a_range_is_of_the_identity_answer),
};

const struct suite compress_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                     .timeout = 60};
