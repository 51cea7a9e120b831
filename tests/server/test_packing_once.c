/* SPDX-License-Identifier: Apache-2.0
 * test_packing_once.c - gzip variants are made once, and not at any price; pages have them. */
#include <check.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "server/service.h"
#include "tests/support/gunzip.h"
#include "tests/support/http_client.h"
#include "tests/support/served.h"
#include "tests/support/variant.h"

Suite *packing_once_suite(void);

#define GZIP "Accept-Encoding: gzip\r\n"
#define NOT_PLAIN "Accept-Encoding: gzip, identity;q=0\r\n"
/* About 0.9 MB: for the pool. */
#define LARGE "/v1/sinusoidal?dim=64&format=csv&pos=0:1150"

static struct service *service;
static struct http_client *client;
static struct http_answer answer;

static void one_loop(struct config *config)
{
    config->threads = 1;
}

static void start(void)
{
    service = served_start(one_loop);
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

static void ask_if_none_match(const char *target, const char *tag, const char *more)
{
    char headers[300];

    snprintf(headers, sizeof headers, "If-None-Match: %s\r\n%s", tag, more);
    ask("GET", target, headers);
}

enum { BLOCKS = 128, CLIENTS = 8 };

/* Tasks that hold every thread of libuv's pool until they are released. */
static struct {
    uv_loop_t uv;
    uv_work_t works[BLOCKS];
    sem_t go;
} block;

static void wait_for_go(uv_work_t *work)
{
    (void)work;
    sem_wait(&block.go);
}

static void ignore(uv_work_t *work, int status)
{
    (void)work;
    (void)status;
}

static void block_pool(void)
{
    ck_assert_int_eq(uv_loop_init(&block.uv), 0);
    sem_init(&block.go, 0, 0);
    for (int i = 0; i < BLOCKS; i++)
        ck_assert_int_eq(uv_queue_work(&block.uv, &block.works[i], wait_for_go, ignore), 0);
}

static void release_pool(void)
{
    for (int i = 0; i < BLOCKS; i++)
        sem_post(&block.go);
    uv_run(&block.uv, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&block.uv), 0);
    sem_destroy(&block.go);
}

static void soon(struct config *config)
{
    config->threads = 2;
    config->work_timeout_ms = 50;
}

START_TEST(it_is_packed_once_however_many_ask)
{
    struct http_client *clients[CLIENTS];
    struct variant_copy plain;

    stop();
    service = served_start(NULL); /* two loops */
    client = http_client_new(served_port(service));
    plain = variant_copy_plain(client, LARGE);
    for (int i = 0; i < CLIENTS; i++) {
        clients[i] = http_client_new(served_port(service));
        http_client_request(clients[i], "GET", LARGE, GZIP, NULL);
    }
    for (int i = 0; i < CLIENTS; i++) {
        http_client_read(clients[i], &answer, false, NULL, NULL);
        variant_expect_packed(&answer, &plain);
        http_client_free(clients[i]);
    }
    ck_assert(served_metric(service, "posencd_gzip_bytes_total{coding=\"plain\"}") ==
              (double)plain.len);
    free(plain.bytes);
}
END_TEST

START_TEST(what_is_not_packed_in_time_is_sent_as_it_is)
{
    struct http_client *clients[CLIENTS];
    struct variant_copy plain;

    stop();
    service = served_start(soon);
    client = http_client_new(served_port(service));
    do /* on a slow machine the plain answer is late as well; it is kept all the same */
        ask("GET", LARGE, NULL);
    while (answer.status == 503);
    plain = variant_copy_plain(client, LARGE);
    block_pool();
    for (int i = 0; i < CLIENTS; i++) { /* one packs, the others wait for it */
        clients[i] = http_client_new(served_port(service));
        http_client_request(clients[i], "GET", LARGE, GZIP, NULL);
    }
    for (int i = 0; i < CLIENTS; i++) {
        http_client_read(clients[i], &answer, false, NULL, NULL);
        variant_expect(&answer, false);
        ck_assert_uint_eq(answer.len, plain.len);
        expect_header("ETag", plain.tag);
        http_client_free(clients[i]);
    }
    ask("GET", LARGE, NOT_PLAIN);
    ck_assert_int_eq(answer.status, 406);
    release_pool();
    ck_assert(served_metric_becomes(service, "posencd_gzip_bytes_total{coding=\"plain\"}",
                                    (double)plain.len));
    ask("GET", LARGE, GZIP); /* what was begun is not lost */
    variant_expect_packed(&answer, &plain);
    free(plain.bytes);
}
END_TEST

START_TEST(without_room_for_it_the_plain_answer_is_sent)
{
    struct variant_copy plain = variant_copy_plain(client, LARGE);
    uint64_t most = service->config.max_inflight;

    ck_assert(service_reserve(service, most - 1000));
    ask("GET", LARGE, GZIP);
    variant_expect(&answer, false);
    ck_assert_uint_eq(answer.len, plain.len);
    service_release(service, most - 1000);
    ask("GET", LARGE, GZIP);
    variant_expect_packed(&answer, &plain);
    ck_assert(served_metric_becomes(service, "posencd_http_inflight_requests", 1));
    ck_assert(atomic_load(&service->inflight_bytes) == 0);
    free(plain.bytes);
}
END_TEST

START_TEST(a_service_ends_while_the_pool_packs)
{
    struct http_client *other = http_client_new(served_port(service));

    free(variant_copy_plain(client, LARGE).bytes);
    block_pool();
    http_client_request(other, "GET", LARGE, GZIP, NULL);
    ask("GET", "/livez", NULL); /* it has come by now: there is one loop */
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
    struct variant_copy plain = variant_copy_plain(client, page);
    char packed[120];

    for (int times = 0; times < 2; times++) {
        size_t len;
        char *bytes;

        ask("GET", page, GZIP);
        variant_expect(&answer, true);
        expect_header("Vary", "Accept-Encoding");
        bytes = gunzip(answer.body, answer.len, &len);
        ck_assert_uint_eq(len, plain.len);
        ck_assert_mem_eq(bytes, plain.bytes, len);
        free(bytes);
        snprintf(packed, sizeof packed, "%s", http_answer_header(&answer, "ETag"));
        ck_assert_str_ne(packed, plain.tag);
        ask_if_none_match(page, packed, GZIP);
        ck_assert_int_eq(answer.status, 304);
        expect_header("ETag", packed);
        ask_if_none_match(page, plain.tag, GZIP);
        ck_assert_int_eq(answer.status, 304);
        expect_header("ETag", plain.tag);
        ask_if_none_match(page, packed, "");
        variant_expect(&answer, false);
        expect_header("Vary", "Accept-Encoding");
    }
    free(plain.bytes);
}
END_TEST

START_TEST(metrics_are_packed_for_who_scrapes_so)
{
    size_t len;
    char *bytes;

    ask("GET", "/metrics", GZIP);
    variant_expect(&answer, true);
    bytes = gunzip(answer.body, answer.len, &len);
    ck_assert_ptr_nonnull(strstr(bytes, "posencd_build_info"));
    free(bytes);
    ask("GET", "/readyz", GZIP);
    variant_expect(&answer, false);
}
END_TEST

Suite *packing_once_suite(void)
{
    Suite *suite = suite_create("packing_once");
    TCase *tcase = tcase_create("packing_once");

    tcase_add_checked_fixture(tcase, start, stop);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, it_is_packed_once_however_many_ask);
    tcase_add_test(tcase, what_is_not_packed_in_time_is_sent_as_it_is);
    tcase_add_test(tcase, without_room_for_it_the_plain_answer_is_sent);
    tcase_add_test(tcase, a_service_ends_while_the_pool_packs);
    tcase_add_loop_test(tcase, pages_have_it_too, 0, 5);
    tcase_add_test(tcase, metrics_are_packed_for_who_scrapes_so);
    suite_add_tcase(suite, tcase);
    return suite;
}
