/* SPDX-License-Identifier: Apache-2.0
 * test_compressed_body.c - bodies of every media type are read with Content-Encoding too. */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/http/inflate.h"
#include "server/exchange/body.h"
#include "server/exchange/internal.h"
#include "server/net/inflight.h"
#include "server/service.h"
#include "tests/support/core_random.h"
#include "tests/support/gunzip.h"
#include "tests/support/pool_block.h"
#include "tests/support/suite.h"
#include "tests/support/visit.h"

#define JSON "Content-Type: application/json\r\n"
#define OCTETS "Content-Type: application/octet-stream\r\n"
#define ROTATE "/v1/rope/apply?pos=0:64&in_dtype=f32&shape=64,128&format=raw"
enum { MAX_BODY = 3 << 20, X_BYTES = 64 * 128 * 4 };

static struct visit visit;

static void adjust(struct config *config)
{
    config->max_body = MAX_BODY;
    config->threads = 1;
}

static void start(void)
{
    visit_begin(&visit, adjust);
}

static void stop(void)
{
    ck_assert(served_metric_becomes(visit.service, "posencd_http_inflight_requests", 1));
    while (inflight_used(visit.service) >
           0) /* the page of metrics is sent, but not yet ended */
        sched_yield();
    visit_end(&visit);
}

static const struct {
    const char *header;
    enum gunzip_framing framing;
} codings[] = {{"Content-Encoding: gzip\r\n", GUNZIP_GZIP},
               {"Content-Encoding: Deflate\r\n", GUNZIP_ZLIB}};

/* Sends a POST of these bytes, with Content-Length or in two chunks. */
static void post(const char *target, const char *headers, const char *bytes, size_t len,
                 bool chunked)
{
    char head[600], size[32];
    size_t half = len / 2;

    snprintf(head, sizeof head, "POST %s HTTP/1.1\r\nHost: a\r\n%s", target, headers);
    http_client_send(visit.client, head, strlen(head));
    snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", len);
    if (chunked)
        snprintf(head, sizeof head, "Transfer-Encoding: chunked\r\n\r\n");
    http_client_send(visit.client, head, strlen(head));
    for (size_t at = 0; chunked && at < len; at += half, half = len - at) {
        snprintf(size, sizeof size, "%zx\r\n", half);
        http_client_send(visit.client, size, strlen(size));
        http_client_send(visit.client, bytes + at, half);
        http_client_send(visit.client, "\r\n", 2);
    }
    http_client_send(visit.client, chunked ? "0\r\n\r\n" : bytes, chunked ? 5 : len);
    http_client_read(visit.client, &visit.answer, false, NULL, NULL);
    if (chunked) /* the connection closes after a chunked request */
        visit_reconnect(&visit);
}

static void post_compressed(int coding, const char *target, const char *type, const char *bytes,
                            size_t len, bool chunked)
{
    char headers[300];
    size_t packed_len;
    char *packed = gunzip_pack(codings[coding].framing, bytes, len, &packed_len);

    snprintf(headers, sizeof headers, "%s%s", type, codings[coding].header);
    post(target, headers, packed, packed_len, chunked);
    free(packed);
}

/* The connection is still open. */
static void expect_open(void)
{
    http_client_get(visit.client, &visit.answer, "/livez");
    ck_assert_int_eq(visit.answer.status, 200);
}

START_TEST(a_compressed_body_is_read_as_the_body_inside)
{
    static const char json[] = "{\"dim\":8,\"pos\":\"0:4\",\"format\":\"csv\"}";
    static char x[X_BYTES];
    char *plain;
    size_t len;

    for (size_t i = 0; i < X_BYTES; i++)
        x[i] = (char)(i % 251 & 0x3f); /* every number is finite */
    post("/v1/sinusoidal", JSON, json, strlen(json), false);
    ck_assert_int_eq(visit.answer.status, 200);
    plain = strdup(visit.answer.body);
    for (int chunked = 0; chunked < 2; chunked++) {
        post_compressed(_i, "/v1/sinusoidal", JSON, json, strlen(json), chunked);
        visit_expect(&visit, 200, plain);
    }
    free(plain);
    post(ROTATE, OCTETS, x, X_BYTES, false);
    ck_assert_int_eq(visit.answer.status, 200);
    len = visit.answer.len;
    plain = malloc(len);
    memcpy(plain, visit.answer.body, len);
    for (int chunked = 0; chunked < 2; chunked++) {
        post_compressed(_i, ROTATE, OCTETS, x, X_BYTES, chunked);
        ck_assert_int_eq(visit.answer.status, 200);
        ck_assert_uint_eq(visit.answer.len, len);
        ck_assert_mem_eq(visit.answer.body, plain, len);
    }
    free(plain);
}
END_TEST

START_TEST(a_wrong_body_inside_is_refused_as_when_sent_as_it_is)
{
    static const char wrong[] = "{\"dim\":8,\n\"pos\":}", model[] = "{\"model_type\":1}";

    post_compressed(_i, "/v1/rope", JSON, wrong, strlen(wrong), false);
    visit_expect(&visit, 400, "malformed-json");
    visit_expect(&visit, 400, "line 2");
    post_compressed(_i, "/v1/models/resolve", JSON, model, strlen(model), false);
    visit_expect(&visit, 400, "model_type");
    post_compressed(_i, "/v1/rope", "Content-Type: text/plain\r\n", "x", 1, false);
    visit_expect(&visit, 415, "send application/json");
    expect_open();
}
END_TEST

START_TEST(a_broken_stream_is_400_and_the_connection_lives)
{
    static const char json[] = "{\"dim\":8,\"pos\":\"0:4\"}";
    char headers[200], *packed;
    size_t len;

    snprintf(headers, sizeof headers, JSON "%s", codings[_i].header);
    packed = gunzip_pack(codings[_i].framing, json, strlen(json), &len);
    post("/v1/rope", headers, packed, len - 1, false);
    visit_expect(&visit, 400, "invalid-body");
    visit_expect(&visit, 400, "it ends too early");
    post("/v1/models/resolve", headers, packed, len - 1, true);
    visit_expect(&visit, 400, "it ends too early");
    packed[len - 1] ^= 1;
    post("/v1/rope", headers, packed, len, false);
    visit_expect(&visit, 400, "incorrect");
    post("/v1/rope", headers, json, strlen(json), false);
    visit_expect(&visit, 400, "as its Content-Encoding says: incorrect header check");
    post("/v1/rope", headers, packed, 0, true);
    visit_expect(&visit, 400, "it ends too early");
    packed[len - 1] ^= 1;
    packed = realloc(packed, len + 4);
    memcpy(packed + len, "more", 4);
    post("/v1/rope", headers, packed, len + 4, false);
    visit_expect(&visit, 400,
                 _i == 0 ? "the bytes behind its end are no other member"
                         : "bytes follow its end");
    expect_open();
    free(packed);
}
END_TEST

START_TEST(a_body_that_inflates_beyond_the_limit_is_413)
{
    static char numbers[MAX_BODY + (1 << 20)];
    char *zeros = calloc(1, MAX_BODY);

    for (size_t i = 0; i < sizeof numbers; i++)
        numbers[i] = (char)('0' + (i * 2654435761u >> 13) % 10);
    post_compressed(_i, ROTATE, OCTETS, numbers, sizeof numbers, false);
    visit_expect(&visit, 413, "body-too-large");
    ck_assert(http_client_closed(visit.client));
    visit_reconnect(&visit);
    post_compressed(_i, ROTATE "&seq_axis=0", OCTETS, zeros, MAX_BODY,
                    true); /* a small zip bomb */
    visit_expect(&visit, 413, "body-too-large");
    visit_reconnect(&visit);
    expect_open();
    free(zeros);
}
END_TEST

START_TEST(a_compressed_body_without_budget_is_503)
{
    static const char json[] = "{\"dim\":8,\"pos\":\"0:4\"}";
    uint64_t most = visit.service->config.max_inflight;

    ck_assert(inflight_reserve(visit.service, most - 1000));
    post_compressed(_i, "/v1/rope", JSON, json, strlen(json), false);
    visit_expect(&visit, 503, "overloaded");
    inflight_release(visit.service, most - 1000);
    post_compressed(_i, "/v1/rope", JSON, json, strlen(json), false);
    ck_assert_int_eq(visit.answer.status, 200);
}
END_TEST

static uint64_t inflight(void)
{
    return inflight_used(visit.service);
}

/* The tensors of a bad body are freed in its middle, the decompressor only at its end. */
START_TEST(a_decompressor_is_counted_until_the_body_ends)
{
    static char body[4096]; /* not a .npy file; more than the decompressor waits for */
    struct core_random random = {7};
    struct http_client *other = http_client_new(served_port(visit.service));
    char head[300];
    size_t len;
    char *packed;

    for (size_t i = 0; i < sizeof body; i++)
        body[i] = (char)core_random_whole(&random, 1, 127);
    packed = gunzip_pack(codings[_i].framing, body, sizeof body, &len);
    snprintf(head, sizeof head,
             "POST %s HTTP/1.1\r\nHost: a\r\n%sContent-Type: application/x-npy\r\n"
             "Content-Length: %zu\r\n\r\n",
             ROTATE, codings[_i].header, len);
    http_client_send(visit.client, head, strlen(head));
    http_client_send(visit.client, packed, len - 1);
    while (inflight() < INFLATE_MEMORY)
        sched_yield();
    for (int i = 0; i < 3; i++) { /* the one loop reads the body's bytes meanwhile */
        http_client_get(other, &visit.answer, "/livez");
        ck_assert_uint_ge(inflight(), INFLATE_MEMORY);
    }
    http_client_send(visit.client, packed + len - 1, 1);
    http_client_read(visit.client, &visit.answer, false, NULL, NULL);
    visit_expect(&visit, 400, "invalid-body");
    http_client_free(other);
    free(packed);
}
END_TEST

/* The bytes in flight while a body's answer waits for the pool, which is blocked. */
static uint64_t held_while_computing(int first, bool packed)
{
    struct pool_block *block = pool_block_new(visit.service->lanes.quick);
    char json[80], head[300];
    size_t len;
    uint64_t held;
    char *body;

    snprintf(json, sizeof json, "{\"dim\":64,\"pos\":\"%d:%d\",\"format\":\"csv\"}", first,
             first + 1150);
    body = packed ? gunzip_pack(GUNZIP_GZIP, json, strlen(json), &len) : strdup(json);
    len = packed ? len : strlen(json);
    snprintf(head, sizeof head,
             "POST /v1/sinusoidal HTTP/1.1\r\nHost: a\r\n%s" JSON "Content-Length: %zu\r\n\r\n",
             packed ? codings[0].header : "", len);
    http_client_send(visit.client, head, strlen(head));
    http_client_send(visit.client, body, len);
    while (inflight() < EXCHANGE_CACHEABLE / 2) /* until bytes are reserved for the answer */
        sched_yield();
    held = inflight();
    pool_block_free(block);
    http_client_read(visit.client, &visit.answer, false, NULL, NULL);
    ck_assert_int_eq(visit.answer.status, 200);
    while (inflight() > 0)
        sched_yield();
    free(body);
    return held;
}

START_TEST(a_decompressor_is_freed_when_the_body_is_whole)
{
    ck_assert_uint_eq(held_while_computing(1000, false), held_while_computing(1001, true));
}
END_TEST

static bool take_all(void *context, const char *bytes, size_t len)
{
    (void)context, (void)bytes, (void)len;
    return true;
}

/* The last bytes of a body, however few, have those inflated that waited for them. */
START_TEST(the_work_of_bytes_includes_those_that_wait_before_them)
{
    struct inflate *inflater = inflate_new("gzip", MAX_BODY, take_all, NULL);
    const struct exchange ex = {.body.inflater = inflater};
    const double alone = body_inflate_operations(&ex, 13);
    size_t len;
    char *packed = gunzip_pack(GUNZIP_GZIP, "[1,2]", 5, &len);

    ck_assert_double_gt(alone, 0);
    ck_assert_int_eq(inflate_add(inflater, packed, len), INFLATE_OK);
    ck_assert_double_eq(body_inflate_operations(&ex, 13), alone * (double)(len + 13) / 13);
    ck_assert_double_eq(body_inflate_operations(&ex, 0), 0);
    ck_assert_double_eq(body_inflate_operations(&ex, SIZE_MAX / 2), BODY_TURN_NS);
    ck_assert_int_eq(inflate_finish(inflater), INFLATE_OK);
    ck_assert_double_eq(body_inflate_operations(&ex, 13), alone);
    free(packed);
    inflate_free(inflater);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(a_compressed_body_is_read_as_the_body_inside, codings),
    TEST_EACH(a_wrong_body_inside_is_refused_as_when_sent_as_it_is, codings),
    TEST_EACH(a_broken_stream_is_400_and_the_connection_lives, codings),
    TEST_EACH(a_body_that_inflates_beyond_the_limit_is_413, codings),
    TEST_EACH(a_compressed_body_without_budget_is_503, codings),
    TEST_EACH(a_decompressor_is_counted_until_the_body_ends, codings),
    TEST(a_decompressor_is_freed_when_the_body_is_whole),
    TEST(the_work_of_bytes_includes_those_that_wait_before_them),
};

const struct suite compressed_body_suite = {SUITE_TESTS(tests), .setup = start,
                                            .teardown = stop, .timeout = 60};
