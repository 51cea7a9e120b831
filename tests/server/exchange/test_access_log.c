/* SPDX-License-Identifier: Apache-2.0
 * test_access_log.c - the access log has a line for each request, with request and trace id. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/exchange/access_log.h"
#include "tests/support/http_client.h"
#include "tests/support/served.h"
#include "tests/support/suite.h"

/* ---- lines ------------------------------------------------------------------------------ */

static struct service *service;
static struct log *log_to_pipe;
static FILE *lines;
static int log_end;

static void start(int access_log)
{
    struct service_error error = {0};
    struct config config;
    int ends[2];

    ck_assert_int_eq(pipe(ends), 0);
    lines = fdopen(ends[0], "r");
    log_end = ends[1];
    log_to_pipe = log_new(log_end, LOG_INFO, true, 200);
    config_defaults(&config);
    config.listen = (struct config_list){.item = {[0] = "127.0.0.1:0"}, .count = 1};
    config.threads = 1;
    config.access_log = access_log;
    service = service_start(&config, log_to_pipe, &error);
    ck_assert_msg(service != NULL, "%s", error.text);
}

static void stop(void)
{
    service_stop(service);
    log_free(log_to_pipe);
    close(log_end);
    fclose(lines);
}

/* Reads the next line of event "request". */
static json_t *next_line(void)
{
    char text[2048];
    json_t *line = NULL;

    do {
        json_decref(line);
        ck_assert_ptr_nonnull(fgets(text, sizeof text, lines));
        line = json_loads(text, 0, NULL);
        ck_assert_msg(line != NULL, "%s", text);
    } while (strcmp(json_string_value(json_object_get(line, "event")), "request") != 0);
    return line;
}

static const char *field(const json_t *line, const char *name)
{
    return json_string_value(json_object_get(line, name));
}

static void ask(const char *target, const char *headers)
{
    struct http_client *client = http_client_new(served_port(service));
    struct http_answer answer = {0};

    http_client_ask(client, &answer, "GET", target, headers, NULL);
    http_answer_fini(&answer);
    http_client_free(client);
}

START_TEST(every_request_has_a_line_when_all_are_wanted)
{
    static const char *const caches[] = {"miss", "hit", "hit"};
    json_t *line;

    start(CONFIG_ACCESS_ALL);
    for (int i = 0; i < 3; i++) {
        ask("/v1/rope?pos=0:4&dim=8",
            "X-Request-Id: me.1\r\n"
            "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n");
        line = next_line();
        ck_assert_str_eq(field(line, "method"), "GET");
        ck_assert_str_eq(field(line, "target"), "/v1/rope?pos=0:4&dim=8");
        ck_assert_int_eq(json_integer_value(json_object_get(line, "status")), 200);
        ck_assert_int_gt(json_integer_value(json_object_get(line, "bytes")), 100);
        ck_assert_str_eq(field(line, "cache"), caches[i]);
        ck_assert_str_eq(field(line, "request_id"), "me.1");
        ck_assert_str_eq(field(line, "trace_id"), "0af7651916cd43dd8448eb211c80319c");
        ck_assert_str_eq(field(line, "end"), "ok");
        json_decref(line);
    }
    ask("/livez", "traceparent: 00-xyz\r\n");
    line = next_line();
    ck_assert_ptr_null(field(line, "trace_id"));
    ck_assert_uint_eq(strlen(field(line, "request_id")), 16);
    json_decref(line);
    stop();
}
END_TEST

START_TEST(only_errors_have_lines_when_those_are_wanted)
{
    json_t *line;

    start(CONFIG_ACCESS_ERRORS);
    ask("/v1/rope?pos=0:4&dim=8", NULL);
    ask("/nowhere?\x22", NULL);
    ask("/nowhere", NULL);
    line = next_line();
    ck_assert_int_ge(json_integer_value(json_object_get(line, "status")), 400);
    json_decref(line);
    line = next_line();
    ck_assert_int_eq(json_integer_value(json_object_get(line, "status")), 404);
    json_decref(line);
    stop();
}
END_TEST

static const struct suite_test tests[] = {
    TEST(every_request_has_a_line_when_all_are_wanted),
    TEST(only_errors_have_lines_when_those_are_wanted),
};

const struct suite access_log_suite = {SUITE_TESTS(tests), .timeout = 30};
