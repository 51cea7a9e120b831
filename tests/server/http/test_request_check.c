/* SPDX-License-Identifier: Apache-2.0
 * test_request_check.c - the longest head, and what libmicrohttpd does not see of a request;
 * request_check.txt has the rules between the fields of a head. */
#include <stdio.h>
#include <string.h>

#include "tests/support/http_client.h"
#include "tests/support/served.h"
#include "tests/support/suite.h"

static struct service *service;

static void start(void)
{
    service = served_start(NULL);
}

static void stop(void)
{
    served_stop(service);
}

/* `lines` header lines whose head is `size` bytes from the line after the request line on. */
static int answer_to_head(size_t lines, size_t size)
{
    struct http_client *client = http_client_new(service_port(service, 0));
    struct http_answer answer = {0};
    char head[20000];
    size_t len = (size_t)snprintf(head, sizeof head, "GET /livez HTTP/1.1\r\n"), start = len;
    int status;

    len += (size_t)snprintf(head + len, sizeof head - len, "Host: x\r\n");
    for (size_t i = 2; i < lines; i++)
        len += (size_t)snprintf(head + len, sizeof head - len, "A: b\r\n");
    len += (size_t)snprintf(head + len, sizeof head - len, "C: ");
    while (len - start + 4 < size)
        head[len++] = 'd';
    memcpy(head + len, "\r\n\r\n", 4);
    http_client_send(client, head, len + 4);
    http_client_read(client, &answer, false, NULL, NULL);
    status = answer.status;
    if (status == 431)
        ck_assert_ptr_nonnull(strstr(answer.body, "at most 100 lines in 8192 bytes"));
    http_answer_fini(&answer);
    http_client_free(client);
    return status;
}

START_TEST(a_head_may_have_100_lines_in_8192_bytes)
{
    ck_assert_int_eq(answer_to_head(100, 0), 200);
    ck_assert_int_eq(answer_to_head(101, 0), 431);
    ck_assert_int_eq(answer_to_head(2, 8192), 200);
    ck_assert_int_eq(answer_to_head(2, 8193), 431);
}
END_TEST

START_TEST(libmicrohttpd_never_sees_a_query)
{
    struct http_client *client = http_client_new(service_port(service, 0));
    struct http_answer answer = {0};
    char target[8192] = "/v1/rope?";
    size_t len = strlen(target);

    while (len + 8 < sizeof target) /* 2,000 arguments would exhaust its pool and hang */
        len += (size_t)snprintf(target + len, sizeof target - len, "&a%zu", len % 10);
    http_client_get(client, &answer, target);
    ck_assert_int_eq(answer.status, 400);
    http_client_get(client, &answer, "/livez?a=1&b");
    ck_assert_int_eq(answer.status, 200);
    http_answer_fini(&answer);
    http_client_free(client);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_head_may_have_100_lines_in_8192_bytes),
    TEST(libmicrohttpd_never_sees_a_query),
};

const struct suite request_check_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                          .timeout = 30};
