/* SPDX-License-Identifier: Apache-2.0
 * test_refused_clients.c - when all places are taken, health is answered, other requests get
 * 503, and the log counts them. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "server/service.h"
#include "server/sys/log.h"
#include "tests/support/http_client.h"
#include "tests/support/served.h"
#include "tests/support/suite.h"

enum { CROWD = 40 };

static struct service *service;
static struct http_client *clients[CROWD];
static struct http_answer answer;

static void stop(void)
{
    for (int i = 0; i < CROWD; i++) {
        http_client_free(clients[i]);
        clients[i] = NULL;
    }
    http_answer_fini(&answer);
    served_stop(service);
}

static void ten_connections(struct config *config)
{
    config->max_connections = 10;
    config->source[CONFIG_MAX_CONNECTIONS] = CONFIG_FLAG;
}

static void visit_for(int i, const char *target)
{
    clients[i] = http_client_new(service_port(service, 0));
    http_client_get(clients[i], &answer, target);
}

START_TEST(health_is_answered_at_the_limit_of_connections)
{
    static const char *const asked[] = {"/livez", "/readyz?verbose", "/healthz", "/metrics"};

    service = served_start(ten_connections);
    for (int i = 0; i < 30; i++) /* ten are admitted, twenty wait and send nothing */
        clients[i] = http_client_new(service_port(service, 0));
    while (service->connections < 10)
        sched_yield();
    for (int i = 30; i < CROWD; i++) {
        visit_for(i, asked[i % 4]);
        ck_assert_int_eq(answer.status, 200);
        ck_assert_str_eq(http_answer_header(&answer, "Connection"), "close");
        ck_assert(http_client_closed(clients[i]));
    }
    http_client_read(clients[12], &answer, false, NULL, NULL); /* a waiting client is refused */
    ck_assert_int_eq(answer.status, 503);
    while (service->guests > 0 || service->connections > 10)
        sched_yield();
    stop();
}
END_TEST

START_TEST(a_path_that_ends_like_health_is_answered_503)
{
    service = served_start(ten_connections);
    for (int i = 0; i < 10; i++)
        clients[i] = http_client_new(service_port(service, 0));
    while (service->connections < 10)
        sched_yield();
    visit_for(10, "/v1/encodings/metrics");
    ck_assert_int_eq(answer.status, 503);
    ck_assert_ptr_nonnull(strstr(answer.body, "too many connections; try again"));
    ck_assert_str_eq(http_answer_header(&answer, "Connection"), "close");
    clients[11] = http_client_new(service_port(service, 0));
    http_client_ask(clients[11], &answer, "POST", "/livez", "Content-Type: text/plain\r\n",
                    "x");
    ck_assert_int_eq(answer.status, 405);
    stop();
}
END_TEST

/* The sum of "count" in the log's lines about this reason; *told: the number of lines. */
static unsigned long count_refused(FILE *lines, const char *reason, long *told)
{
    unsigned long counted = 0;
    char line[1200], start[80];

    *told = 0;
    snprintf(start, sizeof start, "\"reason\":\"%s\",\"count\":", reason);
    rewind(lines);
    while (fgets(line, sizeof line, lines)) {
        const char *count = strstr(line, start);

        if (!strstr(line, "\"refused\"") || !count)
            continue;
        counted += strtoul(count + strlen(start), NULL, 10);
        ++*told;
    }
    return counted;
}

START_TEST(refusals_are_logged_once_a_second_for_each_reason)
{
    enum { FOR_ADDRESS = 8 };
    static const char *const reasons[] = {"address", "connections"};
    const unsigned long expected[] = {FOR_ADDRESS, CROWD - 1 - FOR_ADDRESS};
    struct service_error error = {0};
    struct config config;
    FILE *lines = tmpfile();
    struct log *log;
    uint64_t began = uv_hrtime();

    ck_assert_ptr_nonnull(lines);
    log = log_new(fileno(lines), LOG_WARN, true);
    config_defaults(&config);
    config.listen = (struct config_list){.item = {[0] = "127.0.0.1:0"}, .count = 1};
    config.threads = config.workers = 1;
    config.max_per_address = 1;
    config.header_timeout_ms = 600000;
    config.cgroup_root = NULL;
    service = service_start(&config, log, &error);
    ck_assert_msg(service != NULL, "%s", error.text);
    clients[0] = http_client_new(service_port(service, 0)); /* sends no request, and stays */
    while (service->connections < 1)
        sched_yield();
    for (int i = 1; i < CROWD; i++) {
        if (i == 1 + FOR_ADDRESS) {
            atomic_store(&service->inflight_bytes, service->config.max_inflight);
            while (service->overload_level < 4)
                sched_yield();
        }
        visit_for(i, "/version");
        ck_assert_int_eq(answer.status, 503);
    }
    atomic_store(&service->inflight_bytes, 0);
    stop();
    log_free(log);
    for (size_t i = 0; i < 2; i++) { /* each refusal counts once, for its own reason */
        long told;

        ck_assert_uint_eq(count_refused(lines, reasons[i], &told), expected[i]);
        ck_assert_int_ge(told, 1);
        ck_assert_int_le(told, (long)((uv_hrtime() - began) / 1000000000) + 3);
    }
    fclose(lines);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(health_is_answered_at_the_limit_of_connections),
    TEST(a_path_that_ends_like_health_is_answered_503),
    TEST(refusals_are_logged_once_a_second_for_each_reason),
};

const struct suite refused_clients_suite = {SUITE_TESTS(tests), .timeout = 30};
