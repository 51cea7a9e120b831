/* SPDX-License-Identifier: Apache-2.0
 * test_compress.c - gzip variants are made once, if time and memory allow; compress.scenarios
 * has the requests that are sent one. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/buffer.h"
#include "server/net/inflight.h"
#include "server/service.h"
#include "tests/support/pool_block.h"
#include "tests/support/suite.h"
#include "tests/support/variant.h"
#include "tests/support/visit.h"

#define GZIP "Accept-Encoding: gzip\r\n"
#define NO_IDENTITY "Accept-Encoding: gzip, identity;q=0\r\n"
#define BIAS "/v1/alibi?heads=4&len=64&format=npy"
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
    struct pool_block *block = pool_block_new(visit.service->lanes.quick);
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
    pool_block_free(block);
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
    while (inflight_used(visit.service) > 0) /* the page of metrics holds its bytes a while */
        sched_yield();
    free(plain.bytes);
}
END_TEST

START_TEST(a_service_ends_while_the_pool_compresses)
{
    struct http_client *other = http_client_new(served_port(visit.service));

    free(variant_copy_identity(visit.client, LARGE).bytes);
    struct pool_block *block = pool_block_new(visit.service->lanes.quick);
    http_client_request(other, "GET", LARGE, GZIP, NULL);
    visit_ask(&visit, "GET", "/livez", NULL); /* the one loop has read other's request by now */
    http_client_free(other);
    pool_block_free(block);
}
END_TEST

/* ---- one request ---------------------------------------------------------------------- */

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
    TEST(many_requests_compress_an_answer_once),
    TEST(an_answer_not_compressed_in_time_is_sent_as_identity),
    TEST(without_budget_the_identity_answer_is_sent),
    TEST(a_service_ends_while_the_pool_compresses),
    TEST(an_answer_that_is_not_cached_has_no_gzip_variant),
    TEST(a_range_is_of_the_identity_answer),
};

const struct suite compress_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                     .timeout = 60};
