/* SPDX-License-Identifier: Apache-2.0
 * test_request_check.c - the rules between the fields of a head, each with its status and
 * sentence, as a client of a service in this process sees them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/http_client.h"
#include "tests/support/served.h"
#include "tests/support/suite.h"

static struct service *service;

static void small_bodies(struct config *config)
{
    config->max_body = 1 << 20;
}

static void start(void)
{
    service = served_start(small_bodies);
}

static void stop(void)
{
    served_stop(service);
}

#define GET "GET /livez HTTP/1.1\r\nHost: x\r\n"
#define POST "POST /v1/rope HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
#define NEXT "GET /version HTTP/1.1\r\nHost: x\r\n\r\n"
#define BYTES(TEXT) TEXT, sizeof(TEXT) - 1

static const struct refusal {
    const char *bytes;
    size_t len;
    int status;
    const char *said;
} refusals[] = {
    {BYTES("GET  /livez HTTP/1.1\r\nHost: x\r\n\r\n"), 400,
     "one space between them and no NUL"},
    {BYTES("GET /livez\0x HTTP/1.1\r\nHost: x\r\n\r\n"), 400,
     "one space between them and no NUL"},
    {BYTES("GET /livez HTTP/1.2\r\nHost: x\r\n\r\n"), 505, "must be HTTP/1.1 or HTTP/1.0"},
    {BYTES("GET /livez HTTP/1.1\nHost: x\r\n\r\n"), 400, "must end with CR LF"},
    {BYTES("GET livez HTTP/1.1\r\nHost: x\r\n\r\n"), 400, "a path that starts with /"},
    {BYTES("GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n"), 400, "two hexadecimal digits"},
    {BYTES("GET * HTTP/1.1\r\nHost: x\r\n\r\n"), 400, "* is for OPTIONS only"},
    {BYTES("G/T /livez HTTP/1.1\r\nHost: x\r\n\r\n"), 501, "not a token"},
    {BYTES("FROB /livez HTTP/1.1\r\nHost: x\r\n\r\n"), 405,
     "none of GET, HEAD, POST, QUERY, OPTIONS, PUT, DELETE"},
    {BYTES(GET "Host: x\r\n\r\n"), 400, "must have Host, once"},
    {BYTES("GET /livez HTTP/1.1\r\nHost: a/b\r\n\r\n"), 400, "Host must be NAME or NAME:PORT"},
    {BYTES("GET /livez HTTP/1.0\r\nHost: a/b\r\n\r\n"), 400, "Host must be NAME or NAME:PORT"},
    {BYTES("GET http://y/livez HTTP/1.1\r\nHost: x\r\n\r\n"), 400, "must be the same"},
    {BYTES("GET http://xx/livez HTTP/1.1\r\nHost: x\r\n\r\n"), 400, "must be the same"},
    {BYTES("GET http://x/livez HTTP/1.0\r\n\r\n"), 400, "must be the same"},
    {BYTES(GET "X-A : 1\r\n\r\n"), 400, "a header line must be NAME: VALUE"},
    {BYTES(GET "X: y\n:\r\n"), 400, "a header line must be NAME: VALUE, ended by CR LF"},
    {BYTES(POST "Content-Length: 1\r\nContent-Length: 1\r\n\r\nx"), 400, "may be given once"},
    {BYTES(POST "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
     400, "may be given once"},
    {BYTES(POST "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 400,
     "exclude each other"},
    {BYTES("POST /v1/rope HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 400,
     "needs HTTP/1.1"},
    {BYTES(POST "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"), 501,
     "must be chunked and nothing else"},
    {BYTES(POST "Content-Length: 1048577\r\n\r\n"), 413, "longer than this server takes"},
    {BYTES(POST "Content-Length: 18446744073709551615\r\n\r\n"), 413,
     "longer than this server takes"},
    {BYTES(GET "Content-Length: 1\r\n\r\nx"), 400, "only POST, QUERY and PUT may have a body"},
    {BYTES(GET "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 400,
     "only POST, QUERY and PUT may have a body"},
    {BYTES(POST "Content-Length: 1\r\nExpect: more\r\n\r\nx"), 417,
     "Expect must be 100-continue"},
    {BYTES(POST "Content-Length: 1\r\nExpect: 100-continue\r\nExpect: 100-continue\r\n\r\nx"),
     417, "Expect must be 100-continue"},
};

START_TEST(a_refusal_has_a_reason_closes_and_carries_nothing_out)
{
    const struct refusal *refusal = &refusals[_i];
    struct http_client *client = http_client_new(service_port(service, 0));
    struct http_answer answer = {0};

    http_client_send(client, refusal->bytes, refusal->len);
    http_client_send(client, BYTES(NEXT));
    http_client_read(client, &answer, false, NULL, NULL);
    ck_assert_msg(answer.status == refusal->status, "%d: %s", answer.status, answer.body);
    ck_assert_str_eq(http_answer_header(&answer, "Content-Type"), "application/problem+json");
    ck_assert_str_eq(http_answer_header(&answer, "Connection"), "close");
    ck_assert_msg(strstr(answer.body, refusal->said) != NULL, "%s", answer.body);
    if (refusal->status == 405)
        ck_assert_str_eq(http_answer_header(&answer, "Allow"), "GET, HEAD, OPTIONS");
    ck_assert(http_client_closed(client));
    http_client_free(client);
    ck_assert_int_eq(
        (int)served_metric(service, "posencd_rejected_total{reason=\"request_check\"}"), 1);
    http_answer_fini(&answer);
}
END_TEST

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

START_TEST(legal_requests_pass)
{
    static const char *const legal[] = {
        "GET http://x/livez HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET HTTP://X:80/livez HTTP/1.1\r\nHost: x:80\r\n\r\n",
        "GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost: x\r\nAccept: text/plain\r\nAccept: */*\r\n\r\n",
    };
    struct http_client *client = http_client_new(service_port(service, 0));
    struct http_answer answer = {0};

    for (size_t i = 0; i < sizeof legal / sizeof *legal; i++) {
        http_client_send(client, legal[i], strlen(legal[i]));
        http_client_read(client, &answer, false, NULL, NULL);
        ck_assert_msg(answer.status == 200, "%s%s", legal[i], answer.body);
    }
    http_answer_fini(&answer);
    http_client_free(client);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_RANGE(a_refusal_has_a_reason_closes_and_carries_nothing_out, 0,
               (sizeof refusals / sizeof *refusals)),
    TEST(a_head_may_have_100_lines_in_8192_bytes),
    TEST(libmicrohttpd_never_sees_a_query),
    TEST(legal_requests_pass),
};

const struct suite request_check_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                          .timeout = 30};
