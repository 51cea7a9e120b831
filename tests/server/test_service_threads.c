/* SPDX-License-Identifier: Apache-2.0
 * test_service_threads.c - a service that may start fewer threads than it has loops, or fewer
 * than its limits had promised. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/service.h"
#include "server/sys/resources.h"
#include "tests/server/support/log_pipe.h"
#include "tests/support/http_client.h"
#include "tests/support/suite.h"
#include "tests/support/thread_limit.h"

static struct config config;
static struct service_error error;

static void begin(void)
{
    config_defaults(&config);
    config.cgroup_root = NULL;
    config.listen = (struct config_list){.item = {"127.0.0.1:0"}, .count = 1};
    error = (struct service_error){0};
}

static void end(void)
{
    thread_limit_lift();
}

static void check_under(size_t threads)
{
    struct config_error wrong = {{0}};

    thread_limit_set(threads);
    ck_assert_msg(config_check(&config, &wrong) == CONFIG_OK, "%s", wrong.text);
}

START_TEST(with_fewer_threads_the_service_runs_and_logs_it)
{
    struct http_answer answer = {0};
    struct http_client *client;
    struct service *service;
    struct log_pipe lines;

    config.threads = config.workers = 8;
    check_under(7);
    log_pipe_open(&lines);
    service = service_start(&config, lines.log, &error);
    ck_assert_msg(service != NULL, "%s", error.text);
    client = http_client_new(service_port(service, 0));
    http_client_get(client, &answer, "/v1/sinusoidal?dim=4&pos=0:4");
    ck_assert_int_eq(answer.status, 200);
    http_answer_fini(&answer);
    http_client_free(client);
    service_stop(service);
    log_pipe_await(&lines, "\"event\":\"ready\"");
    log_pipe_expect(&lines, "\"level\":\"warn\",\"event\":\"fewer loops and workers: no more "
                            "threads are allowed\",\"loops\":2,\"workers\":2,\"short\":12");
    log_pipe_close(&lines);
}
END_TEST

/* Another process took the threads that config_check had found. */
START_TEST(threads_that_another_process_took_are_reported_as_the_limit_of_threads)
{
    config.threads = 3;
    check_under(100);
    for (size_t left = 0; left < 3; left++) {
        thread_limit_set(left);
        ck_assert_ptr_null(service_new(&config, NULL, &error));
        ck_assert_int_eq(error.exit_code, 78);
        ck_assert_str_eq(error.text, resources_no_thread);
    }
    ck_assert_ptr_nonnull(strstr(resources_no_thread, "RLIMIT_NPROC"));
    ck_assert_ptr_nonnull(strstr(resources_no_thread, "pids.max"));
}
END_TEST

START_TEST(the_list_of_warm_needs_a_thread_too)
{
    char path[] = "/tmp/posenc-warm-XXXXXX", text[400];
    int fd = mkstemp(path);

    ck_assert_int_ge(fd, 0);
    config.threads = config.workers = 1;
    config.warm = path;
    check_under(6); /* a loop, two of the pool, libuv's, signals, the list */
    ck_assert_uint_eq(config.threads_short, 0);
    thread_limit_set(1); /* of the loop */
    ck_assert_ptr_null(service_new(&config, NULL, &error));
    ck_assert_int_eq(error.exit_code, 78);
    snprintf(text, sizeof text, "--warm %s: %s", path, resources_no_thread);
    ck_assert_str_eq(error.text, text);
    close(fd);
    unlink(path);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(with_fewer_threads_the_service_runs_and_logs_it),
    TEST(threads_that_another_process_took_are_reported_as_the_limit_of_threads),
    TEST(the_list_of_warm_needs_a_thread_too),
};

const struct suite service_threads_suite = {SUITE_TESTS(tests), .setup = begin, .teardown = end,
                                            .timeout = 30};
