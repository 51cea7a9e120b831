/* SPDX-License-Identifier: Apache-2.0
 * test_refused_clients.c - when all places are taken, health is answered, other requests get
 * 503, and the log counts them. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "server/sys/log.h"
#include "tests/server/support/crowd.h"
#include "tests/support/suite.h"

static struct crowd crowd;

static void stop(void)
{
    crowd_stop(&crowd);
}

static void ten_connections(struct config *config)
{
    config->max_connections = 10;
    config->source[CONFIG_MAX_CONNECTIONS] = CONFIG_FLAG;
}

/* Starts a service and connects clients that send nothing, of which ten are admitted. */
static void start_with(int clients)
{
    crowd.service = served_start(ten_connections);
    for (int i = 0; i < clients; i++)
        crowd_connect(&crowd, i);
    while (crowd.service->connections < 10)
        sched_yield();
}

START_TEST(health_is_answered_at_the_limit_of_connections)
{
    static const char *const asked[] = {"/livez", "/readyz?verbose", "/healthz", "/metrics"};

    start_with(30);
    for (int i = 30; i < CROWD; i++) {
        crowd_ask(&crowd, i, asked[i % 4], 200);
        ck_assert_str_eq(http_answer_header(&crowd.answer, "Connection"), "close");
        ck_assert(http_client_closed(crowd.clients[i]));
    }
    http_client_read(crowd.clients[12], &crowd.answer, false, NULL, NULL);
    ck_assert_int_eq(crowd.answer.status, 503); /* a client that waits is refused */
    while (crowd.service->guests > 0 || crowd.service->connections > 10)
        sched_yield();
}
END_TEST

START_TEST(a_path_that_ends_like_health_is_answered_503)
{
    start_with(10);
    crowd_ask(&crowd, 10, "/v1/encodings/metrics", 503);
    crowd_expect_refusal(&crowd, 10, "too many connections; try again");
    crowd_connect(&crowd, 11);
    http_client_ask(crowd.clients[11], &crowd.answer, "POST", "/livez",
                    "Content-Type: text/plain\r\n", "x");
    ck_assert_int_eq(crowd.answer.status, 405);
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

static void one_for_each_address(struct config *config)
{
    config->threads = config->workers = 1;
    config->max_per_address = 1;
    config->header_timeout_ms = 600000;
}

START_TEST(refusals_are_logged_once_a_second_for_each_reason)
{
    enum { FOR_ADDRESS = 8 };
    static const char *const reasons[] = {"address", "connections"};
    const unsigned long expected[] = {FOR_ADDRESS, CROWD - 1 - FOR_ADDRESS};
    struct service_error error;
    FILE *lines = tmpfile();
    struct log *log;
    uint64_t began = uv_hrtime();

    ck_assert_ptr_nonnull(lines);
    log = log_new(fileno(lines), LOG_WARN, true, 200);
    crowd.service = served_try(one_for_each_address, log, &error);
    ck_assert_msg(crowd.service != NULL, "%s", error.text);
    crowd_connect(&crowd, 0); /* sends no request, and stays */
    crowd_await(&crowd, 1);
    for (int i = 1; i < CROWD; i++) {
        if (i == 1 + FOR_ADDRESS)
            crowd_overload(&crowd, true);
        crowd_ask(&crowd, i, "/version", 503);
    }
    atomic_store(&crowd.service->inflight_bytes, 0);
    crowd_stop(&crowd);
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

const struct suite refused_clients_suite = {SUITE_TESTS(tests), .teardown = stop,
                                            .timeout = 30};
