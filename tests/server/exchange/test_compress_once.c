/* SPDX-License-Identifier: Apache-2.0
 * test_compress_once.c - gzip variants are made once, if time and memory allow; pages too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/net/inflight.h"
#include "server/service.h"
#include "tests/support/gunzip.h"
#include "tests/support/pool_block.h"
#include "tests/support/suite.h"
#include "tests/support/variant.h"
#include "tests/support/visit.h"

#define GZIP "Accept-Encoding: gzip\r\n"
#define NO_IDENTITY "Accept-Encoding: gzip, identity;q=0\r\n"
/* About 0.9 MB, which the pool compresses. */
#define LARGE "/v1/sinusoidal?dim=64&format=csv&pos=0:1150"

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

enum { CLIENTS = 8 };

static struct pool_block *block;

static void block_pool(void)
{
    block = pool_block_new();
}

static void release_pool(void)
{
    pool_block_free(block);
    block = NULL;
}

static void soon(struct config *config)
{
    config->threads = 2;
    config->work_timeout_ms = 50;
}

START_TEST(many_requests_compress_an_answer_once)
{
    struct http_client *clients[CLIENTS];
    struct variant_copy plain;

    stop();
    visit.service = served_start(NULL); /* two loops */
    visit.client = http_client_new(served_port(visit.service));
    plain = variant_copy_identity(visit.client, LARGE);
    for (int i = 0; i < CLIENTS; i++) {
        clients[i] = http_client_new(served_port(visit.service));
        http_client_request(clients[i], "GET", LARGE, GZIP, NULL);
    }
    for (int i = 0; i < CLIENTS; i++) {
        http_client_read(clients[i], &visit.answer, false, NULL, NULL);
        variant_expect_compressed(&visit.answer, &plain);
        http_client_free(clients[i]);
    }
    ck_assert(served_metric(visit.service, "posencd_gzip_bytes_total{coding=\"identity\"}") ==
              (double)plain.len);
    free(plain.bytes);
}
END_TEST

/* A variant that cannot be made now is a 503; one that does not exist would be a 406. */
static void expect_try_again(void)
{
    ck_assert_int_eq(visit.answer.status, 503);
    visit_expect_header(&visit, "Retry-After", "1");
    visit_expect_in_body(&visit, "the gzip answer could not be made now; try again");
}

START_TEST(an_answer_not_compressed_in_time_is_sent_as_identity)
{
    struct http_client *clients[CLIENTS];
    struct variant_copy plain;

    stop();
    visit_begin(&visit, soon);
    do /* on a slow machine the plain answer is late too, but it is still cached */
        visit_ask(&visit, "GET", LARGE, NULL);
    while (visit.answer.status == 503);
    plain = variant_copy_identity(visit.client, LARGE);
    block_pool();
    for (int i = 0; i < CLIENTS; i++) { /* one request compresses, the others wait for it */
        clients[i] = http_client_new(served_port(visit.service));
        http_client_request(clients[i], "GET", LARGE, GZIP, NULL);
    }
    for (int i = 0; i < CLIENTS; i++) {
        http_client_read(clients[i], &visit.answer, false, NULL, NULL);
        variant_expect(&visit.answer, false);
        ck_assert_uint_eq(visit.answer.len, plain.len);
        visit_expect_header(&visit, "ETag", plain.tag);
        http_client_free(clients[i]);
    }
    visit_ask(&visit, "GET", LARGE, NO_IDENTITY);
    expect_try_again();
    release_pool();
    ck_assert(served_metric_becomes(
        visit.service, "posencd_gzip_bytes_total{coding=\"identity\"}", (double)plain.len));
    visit_ask(&visit, "GET", LARGE, GZIP); /* the variant that was begun is not lost */
    variant_expect_compressed(&visit.answer, &plain);
    free(plain.bytes);
}
END_TEST

START_TEST(without_budget_the_identity_answer_is_sent)
{
    struct variant_copy plain = variant_copy_identity(visit.client, LARGE);
    uint64_t most = visit.service->config.max_inflight;

    ck_assert(inflight_reserve(visit.service, most - 1000));
    visit_ask(&visit, "GET", LARGE, GZIP);
    variant_expect(&visit.answer, false);
    ck_assert_uint_eq(visit.answer.len, plain.len);
    visit_ask(&visit, "GET", LARGE, NO_IDENTITY);
    expect_try_again();
    inflight_release(visit.service, most - 1000);
    visit_ask(&visit, "GET", LARGE, GZIP);
    variant_expect_compressed(&visit.answer, &plain);
    ck_assert(served_metric_becomes(visit.service, "posencd_http_inflight_requests", 1));
    ck_assert(atomic_load(&visit.service->inflight_bytes) == 0);
    free(plain.bytes);
}
END_TEST

START_TEST(a_service_ends_while_the_pool_packs)
{
    struct http_client *other = http_client_new(served_port(visit.service));

    free(variant_copy_identity(visit.client, LARGE).bytes);
    block_pool();
    http_client_request(other, "GET", LARGE, GZIP, NULL);
    visit_ask(&visit, "GET", "/livez", NULL); /* the one loop has read other's request by now */
    http_client_free(other);
    release_pool();
}
END_TEST

/* ---- pages --------------------------------------------------------------------------- */

START_TEST(pages_have_it_too)
{
    static const char *const pages[] = {"/v1/encodings", "/openapi.json", "/v1/models",
                                        "/v1/encodings/rope", "/v1/models/llama-3.1-8b"};
    const char *page = pages[_i];
    struct variant_copy plain = variant_copy_identity(visit.client, page);
    char packed[120];

    for (int times = 0; times < 2; times++) {
        size_t len;
        char *bytes;

        visit_ask(&visit, "GET", page, GZIP);
        variant_expect(&visit.answer, true);
        visit_expect_header(&visit, "Vary", "Accept-Encoding");
        bytes = gunzip(visit.answer.body, visit.answer.len, &len);
        ck_assert_uint_eq(len, plain.len);
        ck_assert_mem_eq(bytes, plain.bytes, len);
        free(bytes);
        snprintf(packed, sizeof packed, "%s", http_answer_header(&visit.answer, "ETag"));
        ck_assert_str_ne(packed, plain.tag);
        visit_ask_if_none_match(&visit, page, packed, GZIP);
        ck_assert_int_eq(visit.answer.status, 304);
        visit_expect_header(&visit, "ETag", packed);
        visit_ask_if_none_match(&visit, page, plain.tag, GZIP);
        ck_assert_int_eq(visit.answer.status, 304);
        visit_expect_header(&visit, "ETag", plain.tag);
        visit_ask_if_none_match(&visit, page, packed, "");
        variant_expect(&visit.answer, false);
        visit_expect_header(&visit, "Vary", "Accept-Encoding");
    }
    free(plain.bytes);
}
END_TEST

START_TEST(metrics_are_compressed_if_the_scraper_accepts_gzip)
{
    size_t len;
    char *bytes;

    visit_ask(&visit, "GET", "/metrics", GZIP);
    variant_expect(&visit.answer, true);
    bytes = gunzip(visit.answer.body, visit.answer.len, &len);
    ck_assert_ptr_nonnull(strstr(bytes, "posencd_build_info"));
    free(bytes);
    visit_ask(&visit, "GET", "/readyz", GZIP);
    variant_expect(&visit.answer, false);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(many_requests_compress_an_answer_once),
    TEST(an_answer_not_compressed_in_time_is_sent_as_identity),
    TEST(without_budget_the_identity_answer_is_sent),
    TEST(a_service_ends_while_the_pool_packs),
    TEST_RANGE(pages_have_it_too, 0, 5),
    TEST(metrics_are_compressed_if_the_scraper_accepts_gzip),
};

const struct suite compress_once_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                          .timeout = 60};
