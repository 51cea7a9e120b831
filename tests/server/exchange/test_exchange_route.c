/* SPDX-License-Identifier: Apache-2.0
 * test_exchange_route.c - requests are routed if their Host is an allowed name; all others are
 * misdirected. */
#include <stdio.h>
#include <string.h>

#include "tests/support/http_client.h"
#include "tests/support/served.h"
#include "tests/support/suite.h"

#define SMALL "/v1/sinusoidal?dim=4&pos=0:4"

static struct service *service;
static struct http_answer answer;

static void two_names(struct config *config)
{
    snprintf(config->allowed_hosts.item[0], CONFIG_ITEM_SIZE, "Posenc.example");
    snprintf(config->allowed_hosts.item[1], CONFIG_ITEM_SIZE, "[::1]");
    config->allowed_hosts.count = 2;
    snprintf(config->admin_listen.item[0], CONFIG_ITEM_SIZE, "127.0.0.1:0");
    config->admin_listen.count = 1;
}

static void start(void)
{
    service = served_start(two_names);
}

static void stop(void)
{
    http_answer_fini(&answer);
    served_stop(service);
}

/* Sends one request with this Host (NULL: none, HTTP/1.0) to the i-th listener. */
static int ask_at(size_t i, const char *method, const char *target, const char *host)
{
    struct http_client *client = http_client_new(service_port(service, i));
    char text[600];

    if (host)
        snprintf(text, sizeof text, "%s %s HTTP/1.1\r\nHost: %s\r\n\r\n", method, target, host);
    else
        snprintf(text, sizeof text, "%s %s HTTP/1.0\r\n\r\n", method, target);
    http_client_send(client, text, strlen(text));
    http_client_read(client, &answer, strcmp(method, "HEAD") == 0, NULL, NULL);
    http_client_free(client);
    return answer.status;
}

static int ask(const char *target, const char *host)
{
    return ask_at(0, "GET", target, host);
}

START_TEST(a_request_by_an_allowed_name_is_answered)
{
    static const char *const names[] = {
        "posenc.example",  "POSENC.EXAMPLE", "posenc.example:8080",
        "posenc.example:", "[::1]",          "[::1]:1"};

    for (int times = 0; times < 3; times++) /* miss, hit, response cache */
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            ck_assert_int_eq(ask(SMALL, names[i]), 200);
    ck_assert_int_eq(ask("http://posenc.example:80" SMALL, "posenc.example:80"), 200);
    ck_assert_int_eq(ask_at(0, "OPTIONS", SMALL, "posenc.example"), 204);
}
END_TEST

START_TEST(a_request_by_another_name_is_misdirected)
{
    static const char *const names[] = {"x",
                                        "127.0.0.1",
                                        "posenc.example.",
                                        "a.posenc.example",
                                        "posenc.exampl",
                                        "posenc.example2:80",
                                        "[::2]",
                                        "posenc.exampl%65"};
    char said[200];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ck_assert_int_eq(ask(SMALL, names[i]), 421);
        snprintf(said, sizeof said,
                 "\"detail\":\"the Host %s is not one of the names that this server answers "
                 "to (--allowed-host)\"",
                 names[i]);
        ck_assert_ptr_nonnull(strstr(answer.body, said));
        ck_assert_ptr_nonnull(strstr(answer.body, "/problems/misdirected-request"));
        ck_assert_str_eq(http_answer_header(&answer, "Cache-Control"), "no-store");
    }
    ck_assert_int_eq(ask("http://evil.example" SMALL, "evil.example"), 421);
    ck_assert_int_eq(ask("http://posenc.example" SMALL, "evil.example"), 400);
    ck_assert_int_eq(ask("/nowhere", "evil.example"), 421);
    ck_assert_int_eq(ask("/v1/encodings", "evil.example"), 421);
    ck_assert_int_eq(ask_at(0, "OPTIONS", SMALL, "evil.example"), 421);
    ck_assert_int_eq(ask_at(0, "OPTIONS", "*", "evil.example"), 421);
}
END_TEST

START_TEST(the_admin_address_is_asked_by_any_name_and_by_none)
{
    static const char *const names[] = {"10.0.0.7:8090", "posencd-admin.ns.svc:8090", "[::2]",
                                        NULL};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ck_assert_int_eq(ask_at(1, "GET", "/metrics", names[i]), 200);
        ck_assert_int_eq(ask_at(1, "GET", "/nowhere", names[i]), 404);
        ck_assert_int_eq(ask_at(0, "GET", "/metrics", names[i]), 421);
    }
    ck_assert_int_eq(ask_at(1, "DELETE", "/v1/tables/x", "evil.example"), 401);
}
END_TEST

START_TEST(a_request_without_host_is_told_to_name_one)
{
    ck_assert_int_eq(ask(SMALL, NULL), 421);
    ck_assert_ptr_nonnull(strstr(answer.body, "the Host header is missing"));
}
END_TEST

START_TEST(health_is_told_whatever_the_name)
{
    static const char *const targets[] = {"/livez", "/readyz", "/healthz"};

    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        ck_assert_int_eq(ask(targets[i], "10.0.0.7:8080"), 200);
        ck_assert_int_eq(ask(targets[i], NULL), 200);
        ck_assert_int_eq(ask_at(1, "GET", targets[i], "10.0.0.7"), 200);
    }
}
END_TEST

START_TEST(the_misdirected_are_counted)
{
    ask(SMALL, "evil.example");
    ask(SMALL, "evil.example");
    ck_assert_int_eq(ask_at(1, "GET", "/metrics", "posenc.example"), 200);
    ck_assert_ptr_nonnull(strstr(answer.body, "\nposencd_rejected_total{reason=\"host\"} 2\n"));
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_request_by_an_allowed_name_is_answered),
    TEST(a_request_by_another_name_is_misdirected),
    TEST(the_admin_address_is_asked_by_any_name_and_by_none),
    TEST(a_request_without_host_is_told_to_name_one),
    TEST(health_is_told_whatever_the_name),
    TEST(the_misdirected_are_counted),
};

const struct suite exchange_route_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                           .timeout = 30};
