/* SPDX-License-Identifier: Apache-2.0
 * test_warm.c - the targets of --warm are asked before the service says it is ready. */
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/sys/log.h"
#include "tests/support/http_client.h"
#include "tests/support/served.h"
#include "tests/support/suite.h"

enum { MANY = 20000 };

#define TARGET "/v1/sinusoidal?dim=4&pos=0:4"

static char path[] = "/tmp/posenc-warm-XXXXXX";

static void begin(void)
{
    int fd = mkstemp(path);

    ck_assert_int_ge(fd, 0);
    close(fd);
}

static void end(void)
{
    unlink(path);
    memcpy(path + strlen(path) - 6, "XXXXXX", 6);
}

static void write_lines(const char *lines)
{
    FILE *file = fopen(path, "w");

    fputs(lines, file);
    fclose(file);
}

/* More targets than can be requested during a test. */
static void write_many(void)
{
    FILE *file = fopen(path, "w");

    for (int i = 0; i < MANY; i++)
        fprintf(file, "/v1/sinusoidal?dim=1024&pos=%d:%d\n", i, i + 64);
    fclose(file);
}

static struct service *start_with(const char *list, struct log *log,
                                  struct service_error *error)
{
    struct config_error wrong;
    struct config config;

    config_defaults(&config);
    config.listen = (struct config_list){.item = {"127.0.0.1:0"}, .count = 1};
    config.threads = 2;
    config.warm = list;
    ck_assert_int_eq(config_check(&config, &wrong), CONFIG_OK);
    return service_start(&config, log, error);
}

static struct service *start(struct log *log, struct service_error *error)
{
    return start_with(path, log, error);
}

START_TEST(a_warmed_target_is_a_hit_for_the_first_client)
{
    struct service_error error;
    struct http_answer answer = {0};
    struct http_client *client;
    struct service *service;

    write_lines("# what we serve most\n\n" TARGET "\n/v1/rope?dim=8&pos=0:4\r\n");
    service = start(NULL, &error);
    ck_assert_msg(service != NULL, "%s", error.text);
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
    service_stop(service);
}
END_TEST

START_TEST(targets_that_fail_are_logged_and_the_service_becomes_ready)
{
    struct service_error error;
    struct service *service;
    struct log *log;
    char text[4096];
    ssize_t len;
    int ends[2];

    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    log = log_new(ends[1], LOG_INFO, true);
    write_lines("/nothing\nnot a target\n" TARGET "\n");
    service = start(log, &error);
    while (service_state(service) == SERVICE_LOADING)
        sched_yield();
    ck_assert_int_eq(service_state(service), SERVICE_READY);
    service_stop(service);
    len = read(ends[0], text, sizeof text - 1);
    ck_assert_int_gt(len, 0);
    text[len] = '\0';
    ck_assert_ptr_nonnull(
        strstr(text, "\"event\":\"warm\",\"target\":\"/nothing\",\"status\":404"));
    ck_assert_ptr_nonnull(strstr(text, "\"target\":\"not a target\",\"status\":"));
    ck_assert_ptr_nonnull(strstr(text, "\"event\":\"warmed\",\"targets\":3,\"failed\":2"));
    ck_assert_ptr_nonnull(strstr(text, "\"event\":\"ready\""));
    log_free(log);
    close(ends[0]);
    close(ends[1]);
}
END_TEST

START_TEST(a_line_that_is_too_long_is_one_target_that_fails)
{
    struct service_error error;
    struct service *service;
    struct log *log;
    char lines[3 * 8192], text[3 * 8192];
    ssize_t len;
    int ends[2];

    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    log = log_new(ends[1], LOG_INFO, true);
    memset(lines, 'a', sizeof lines);
    lines[0] = '/';
    memcpy(lines + 2 * 8192, "\n" TARGET,
           sizeof "\n" TARGET); /* the last line has no line feed */
    write_lines(lines);
    service = start(log, &error);
    ck_assert_ptr_nonnull(service);
    while (service_state(service) == SERVICE_LOADING)
        sched_yield();
    service_stop(service);
    len = read(ends[0], text, sizeof text - 1);
    ck_assert_int_gt(len, 0);
    text[len] = '\0';
    ck_assert_msg(strstr(text, "\"event\":\"warmed\",\"targets\":2,\"failed\":1") != NULL, "%s",
                  text);
    log_free(log);
    close(ends[0]);
    close(ends[1]);
}
END_TEST

START_TEST(a_file_that_cannot_be_read_is_a_configuration_error)
{
    struct service_error error;

    unlink(path);
    ck_assert_ptr_null(start(NULL, &error));
    ck_assert_int_eq(error.exit_code, 78);
    ck_assert_ptr_nonnull(strstr(error.text, "--warm /tmp/"));
    ck_assert_ptr_nonnull(strstr(error.text, "No such file"));
    ck_assert_ptr_nonnull(strstr(error.text, path));
}
END_TEST

static void refused(const char *list)
{
    struct service_error error;
    char text[300];

    ck_assert_ptr_null(start_with(list, NULL, &error));
    ck_assert_int_eq(error.exit_code, 78);
    snprintf(text, sizeof text, "--warm %s: must be a regular file of at most 16 MiB", list);
    ck_assert_str_eq(error.text, text);
}

START_TEST(an_irregular_file_is_refused_without_waiting_for_it)
{
    refused("/dev/zero"); /* the file has no end */
    refused("/tmp");
    unlink(path);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    refused(path); /* the pipe has no writer */
}
END_TEST

START_TEST(a_file_without_bound_is_refused)
{
    ck_assert_int_eq(truncate(path, (16 << 20) + 1), 0);
    refused(path);
    ck_assert_int_eq(truncate(path, INT64_C(20) << 30), 0);
    refused(path);
}
END_TEST

/* Waits until the log has `event`, and returns the log. */
static void await(int fd, const char *event, char *text, size_t size)
{
    size_t len = 0;

    do {
        ssize_t got = read(fd, text + len, size - 1 - len);

        ck_assert_int_gt(got, 0);
        len += (size_t)got;
        text[len] = '\0';
    } while (!strstr(text, event) || text[len - 1] != '\n');
}

START_TEST(a_drain_skips_the_rest_of_the_list)
{
    struct service_error error;
    struct service *service;
    char text[8192];
    struct log *log;
    int ends[2], targets = 0;

    write_many();
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    log = log_new(ends[1], LOG_INFO, true);
    service = start(log, &error);
    ck_assert_ptr_nonnull(service);
    service_drain(service, 3600000,
                  3600000); /* the delay is an hour, so the drain itself stops nothing */
    await(ends[0], "\"event\":\"warmed\"", text, sizeof text);
    ck_assert_int_eq(sscanf(strstr(text, "\"targets\":"), "\"targets\":%d", &targets), 1);
    ck_assert_int_lt(targets, MANY);
    ck_assert_ptr_null(strstr(text, "\"event\":\"ready\""));
    ck_assert_int_eq(service_state(service), SERVICE_DRAINING);
    service_stop(service);
    log_free(log);
    close(ends[0]);
    close(ends[1]);
}
END_TEST

START_TEST(a_line_with_a_nul_is_one_target_that_fails)
{
    static const char lines[] = TARGET "\0/nothing\n" TARGET "\n";
    struct service_error error;
    struct service *service;
    struct log *log;
    FILE *file = fopen(path, "w");
    char text[8192];
    int ends[2];

    fwrite(lines, 1, sizeof lines - 1, file);
    fclose(file);
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    log = log_new(ends[1], LOG_INFO, true);
    service = start(log, &error);
    ck_assert_ptr_nonnull(service);
    await(ends[0], "\"event\":\"ready\"", text, sizeof text);
    ck_assert_msg(strstr(text, "\"event\":\"warmed\",\"targets\":2,\"failed\":1") != NULL, "%s",
                  text);
    ck_assert_ptr_nonnull(strstr(text, "\"status\":400"));
    service_stop(service);
    log_free(log);
    close(ends[0]);
    close(ends[1]);
}
END_TEST

START_TEST(stopping_does_not_wait_for_the_rest_of_the_list)
{
    struct service_error error;
    struct service *service;

    write_many();
    service = start(NULL, &error);
    ck_assert_ptr_nonnull(service);
    service_stop(service);
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
