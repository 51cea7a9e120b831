/* SPDX-License-Identifier: Apache-2.0
 * test_warm.c - the targets of --warm are asked before the service says it is ready. */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/server/support/log_pipe.h"
#include "tests/support/http_client.h"
#include "tests/support/served.h"
#include "tests/support/suite.h"

enum { MANY = 20000, LINE = 8192 };

#define TARGET "/v1/sinusoidal?dim=4&pos=0:4"

static char path[] = "/tmp/posenc-warm-XXXXXX";
static const char *list; /* the path, or another */
static struct log_pipe lines;
static struct service *service;
static struct service_error error;

static void begin(void)
{
    int fd = mkstemp(path);

    ck_assert_int_ge(fd, 0);
    close(fd);
    list = path;
    service = NULL;
    log_pipe_open(&lines);
}

static void end(void)
{
    if (service)
        service_stop(service);
    log_pipe_close(&lines);
    unlink(path);
    memcpy(path + strlen(path) - 6, "XXXXXX", 6);
}

static void write_bytes(const char *bytes, size_t len)
{
    FILE *file = fopen(path, "w");

    fwrite(bytes, 1, len, file);
    fclose(file);
}

static void write_lines(const char *text)
{
    write_bytes(text, strlen(text));
}

/* More targets than can be requested during a test. */
static void write_many(void)
{
    FILE *file = fopen(path, "w");

    for (int i = 0; i < MANY; i++)
        fprintf(file, "/v1/sinusoidal?dim=1024&pos=%d:%d\n", i, i + 64);
    fclose(file);
}

static void use_list(struct config *config)
{
    config->warm = list;
}

static void start(void)
{
    service = served_try(use_list, lines.log, &error);
    ck_assert_msg(service != NULL, "%s", error.text);
}

START_TEST(a_warmed_target_is_a_hit_for_the_first_client)
{
    struct http_answer answer = {0};
    struct http_client *client;

    write_lines("# what we serve most\n\n" TARGET "\n/v1/rope?dim=8&pos=0:4\r\n");
    start();
    while (service_state(service) == SERVICE_LOADING)
        sched_yield();
    client = http_client_new(service_port(service, 0));
    http_client_get(client, &answer, "/readyz");
    ck_assert_int_eq(answer.status, 200);
    http_client_get(client, &answer, TARGET);
    ck_assert_int_eq(answer.status, 200);
    ck_assert_str_eq(http_answer_header(&answer, "Server-Timing"), "cache;desc=hit");
    http_answer_fini(&answer);
    http_client_free(client);
}
END_TEST

START_TEST(targets_that_fail_are_logged_and_the_service_becomes_ready)
{
    write_lines("/nothing\nnot a target\n" TARGET "\n");
    start();
    log_pipe_await(&lines, "\"event\":\"ready\"");
    ck_assert_int_eq(service_state(service), SERVICE_READY);
    log_pipe_expect(&lines, "\"event\":\"warm\",\"target\":\"/nothing\",\"status\":404");
    log_pipe_expect(&lines, "\"target\":\"not a target\",\"status\":");
    log_pipe_expect(&lines, "\"event\":\"warmed\",\"targets\":3,\"failed\":2");
}
END_TEST

START_TEST(a_line_that_is_too_long_is_one_target_that_fails)
{
    static const char last[] = "\n" TARGET; /* has no line feed at its end */
    char text[3 * LINE];

    memset(text, 'a', sizeof text);
    text[0] = '/';
    memcpy(text + 2 * LINE, last, sizeof last);
    write_lines(text);
    start();
    log_pipe_await(&lines, "\"event\":\"warmed\",\"targets\":2,\"failed\":1");
}
END_TEST

START_TEST(a_line_with_a_nul_is_one_target_that_fails)
{
    static const char text[] = TARGET "\0/nothing\n" TARGET "\n";

    write_bytes(text, sizeof text - 1);
    start();
    log_pipe_await(&lines, "\"event\":\"ready\"");
    log_pipe_expect(&lines, "\"event\":\"warmed\",\"targets\":2,\"failed\":1");
    log_pipe_expect(&lines, "\"status\":400");
}
END_TEST

static void refused(const char *file, const char *why)
{
    char text[300];

    list = file;
    ck_assert_ptr_null(served_try(use_list, NULL, &error));
    ck_assert_int_eq(error.exit_code, 78);
    snprintf(text, sizeof text, "--warm %s: %s", file, why);
    ck_assert_str_eq(error.text, text);
}

#define RULE "must be a regular file of at most 16 MiB"

START_TEST(a_file_that_cannot_be_read_is_a_configuration_error)
{
    unlink(path);
    refused(path, "No such file or directory");
}
END_TEST

START_TEST(an_irregular_file_is_refused_without_waiting_for_it)
{
    refused("/dev/zero", RULE); /* the file has no end */
    refused("/tmp", RULE);
    unlink(path);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    refused(path, RULE); /* the pipe has no writer */
}
END_TEST

START_TEST(a_file_without_bound_is_refused)
{
    ck_assert_int_eq(truncate(path, (16 << 20) + 1), 0);
    refused(path, RULE);
    ck_assert_int_eq(truncate(path, INT64_C(20) << 30), 0);
    refused(path, RULE);
}
END_TEST

START_TEST(a_drain_skips_the_rest_of_the_list)
{
    int targets = 0;

    write_many();
    start();
    service_drain(service, 3600000,
                  3600000); /* the delay is an hour, so the drain itself stops nothing */
    log_pipe_await(&lines, "\"event\":\"warmed\"");
    ck_assert_int_eq(sscanf(strstr(lines.text, "\"targets\":"), "\"targets\":%d", &targets), 1);
    ck_assert_int_lt(targets, MANY);
    ck_assert_ptr_null(strstr(lines.text, "\"event\":\"ready\""));
    ck_assert_int_eq(service_state(service), SERVICE_DRAINING);
}
END_TEST

START_TEST(stopping_does_not_wait_for_the_rest_of_the_list)
{
    write_many();
    start();
    service_stop(service);
    service = NULL;
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_warmed_target_is_a_hit_for_the_first_client),
    TEST(targets_that_fail_are_logged_and_the_service_becomes_ready),
    TEST(a_line_that_is_too_long_is_one_target_that_fails),
    TEST(a_file_that_cannot_be_read_is_a_configuration_error),
    TEST(an_irregular_file_is_refused_without_waiting_for_it),
    TEST(a_file_without_bound_is_refused),
    TEST(a_drain_skips_the_rest_of_the_list),
    TEST(a_line_with_a_nul_is_one_target_that_fails),
    TEST(stopping_does_not_wait_for_the_rest_of_the_list),
};

const struct suite warm_suite = {SUITE_TESTS(tests), .setup = begin, .teardown = end,
                                 .timeout = 30};
