/* SPDX-License-Identifier: Apache-2.0
 * test_shortcuts_off.c - a service without any shortcut past libmicrohttpd's interface but the
 * bytes of heads: no response is sent twice (test_scenarios.c has those that are). */
#include <stdio.h>
#include <string.h>

#include "server/mhd/mhd_shortcut.h"
#include "server/service.h"
#include "tests/support/http_client.h"
#include "tests/support/served.h"
#include "tests/support/suite.h"

#define TARGET "/v1/sinusoidal?dim=64&pos=0:9&format=raw"

static struct service *service;
static struct http_client *client;
static struct http_answer answer;

static void start(void)
{
    served_refuse_shortcuts(SHORTCUTS_ALL & ~(1u << SHORTCUT_RAW_HEAD));
    service = served_start(NULL);
    served_refuse_shortcuts(0);
    client = http_client_new(served_port(service));
}

static void stop(void)
{
    http_answer_fini(&answer);
    http_client_free(client);
    served_stop(service);
}

START_TEST(each_answer_has_its_own_id_and_the_same_bytes)
{
    static const char *const ids[] = {"a", "bc", "de", "0123456789abcdef"};
    char etag[64], headers[100];

    for (int i = 0; i < 4; i++) {
        snprintf(headers, sizeof headers, "X-Request-Id: %s\r\n", ids[i]);
        http_client_ask(client, &answer, "GET", TARGET, headers, NULL);
        ck_assert_int_eq(answer.status, 200);
        ck_assert_uint_eq(answer.len, 64 * 9 * 4);
        ck_assert_str_eq(http_answer_header(&answer, "X-Request-Id"), ids[i]);
        ck_assert_str_eq(http_answer_header(&answer, "Content-Type"),
                         "application/octet-stream");
    }
    snprintf(etag, sizeof etag, "%s", http_answer_header(&answer, "ETag"));
    for (int i = 0; i < 3; i++) {
        snprintf(headers, sizeof headers, "X-Request-Id: %s\r\nIf-None-Match: %s\r\n", ids[i],
                 etag);
        http_client_ask(client, &answer, "GET", TARGET, headers, NULL);
        ck_assert_int_eq(answer.status, 304);
        ck_assert_str_eq(http_answer_header(&answer, "X-Request-Id"), ids[i]);
        ck_assert_str_eq(http_answer_header(&answer, "ETag"), etag);
    }
}
END_TEST

START_TEST(metrics_say_how_many_shortcuts_are_off)
{
    ck_assert(served_metric(service, "posencd_library_shortcuts_off") >= SHORTCUT_COUNT - 1);
}
END_TEST

static double off(const struct service *served)
{
    return served_metric(served, "posencd_library_shortcuts_off");
}

START_TEST(another_server_of_the_process_has_its_own_shortcuts)
{
    struct service *other = served_start(NULL), *third;
    const double of_other = off(other);

    ck_assert(of_other <= 1); /* RAW_HEAD, where the library reads strictly */
    ck_assert(off(service) >= SHORTCUT_COUNT - 1);
    third = served_start(NULL); /* whose self-test changes nothing for those that serve */
    ck_assert(off(service) >= SHORTCUT_COUNT - 1);
    ck_assert(off(other) == of_other);
    ck_assert(off(third) == of_other);
    served_stop(third);
    served_stop(other);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(each_answer_has_its_own_id_and_the_same_bytes),
    TEST(metrics_say_how_many_shortcuts_are_off),
    TEST(another_server_of_the_process_has_its_own_shortcuts),
};

const struct suite shortcuts_off_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
