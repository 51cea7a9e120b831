/* SPDX-License-Identifier: Apache-2.0
 * test_transport_head_space.c - however long target and header lines are, there is a response:
 * with a Content-Location while it fits, then without, then 431. The connection is closed
 * without a response only if libmicrohttpd cannot hold the head: its own 431 may be lost,
 * because it closes with bytes unread. */
#include <stdio.h>
#include <string.h>

#include "server/service.h"
#include "tests/support/http_client.h"
#include "tests/support/library.h"
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
    service = NULL;
}

/* Scattered positions, so that the canonical form is as long as the target. */
static void write_positions(char *out, size_t len)
{
    size_t at = (size_t)snprintf(out, 8, "0");

    for (unsigned i = 1; at + 5 < len; i++)
        at += (size_t)snprintf(out + at, 8, ",%u", i * i % 977);
}

/* `lines` header lines with values of `len` bytes. */
static void write_headers(char *out, size_t lines, size_t len)
{
    out[0] = '\0';
    for (size_t i = 0; i < lines; i++) {
        out += snprintf(out, 16, "X-%zu: ", i);
        memset(out, 'v', len);
        memcpy(out + len, "\r\n", 3);
        out += len + 2;
    }
}

static const struct {
    size_t lines, len;
} heads[] = {{0, 0}, {1, 1000}, {1, 7000}, {95, 1}, {95, 30}, {95, 60}, {50, 100}, {500, 1}};

/* Returns whether libmicrohttpd itself may end a request so: without an answer, or since 1.0.0,
 * which knows that the request line is too long, with 414. */
static bool may_refuse(int status)
{
    return status == 0 || (status == 414 && library_reads_strictly());
}

/* The head takes more than 15 of the 16 KiB, with 56 bytes for each line besides its text. */
static bool hopeless(const char *target, const char *headers, size_t lines)
{
    return strlen(target) + strlen(headers) + 56 * lines > 15 << 10;
}

START_TEST(there_is_always_a_response)
{
    static char headers[16384], target[8300], positions[8192];
    int with = 0, without = 0, refused = 0;

    write_headers(headers, heads[_i].lines, heads[_i].len);
    for (size_t len = 100; len < 8100; len += 250) {
        struct http_client *client = http_client_new(served_port(service));
        struct http_answer answer = {0};

        write_positions(positions, len);
        snprintf(target, sizeof target, "/v1/sinusoidal?dim=2&format=raw&pos=%s", positions);
        http_client_ask(client, &answer, "GET", target, headers, NULL);
        ck_assert_msg(
            answer.status == 200 || answer.status == 431 ||
                (may_refuse(answer.status) && hopeless(target, headers, heads[_i].lines)),
            "target of %zu, %zu lines: %d", len, heads[_i].lines, answer.status);
        if (answer.status != 200)
            refused++;
        else if (http_answer_header(&answer, "Content-Location"))
            with++;
        else
            without++;
        http_answer_fini(&answer);
        http_client_free(client);
    }
    ck_assert_int_eq(with > 0, heads[_i].lines < 100);
    ck_assert(heads[_i].lines < 100 || refused > 0);
    ck_assert(heads[_i].lines > 0 || (refused == 0 && without > 0));
}
END_TEST

START_TEST(a_query_has_a_location_while_it_fits)
{
    static char body[8300], positions[8192];
    bool fits = true;

    for (size_t len = 100; len < 8100; len += 500) {
        struct http_client *client = http_client_new(served_port(service));
        struct http_answer answer = {0};
        bool located;

        write_positions(positions, len);
        snprintf(body, sizeof body, "{\"dim\":2,\"format\":\"raw\",\"pos\":[%s]}", positions);
        for (int times = 0; times < 2; times++) {
            http_client_ask(client, &answer, "QUERY", "/v1/sinusoidal",
                            "Content-Type: application/json\r\n", body);
            ck_assert_msg(answer.status == 200, "body of %zu: %d", len, answer.status);
        }
        located = http_answer_header(&answer, "Content-Location") != NULL;
        ck_assert(!located || fits); /* a longer query has no Content-Location either */
        ck_assert(located || len > 5000);
        fits = located;
        http_answer_fini(&answer);
        http_client_free(client);
    }
    ck_assert(!fits);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(there_is_always_a_response, heads),
    TEST(a_query_has_a_location_while_it_fits),
};

const struct suite transport_head_space_suite = {SUITE_TESTS(tests), .setup = start,
                                                 .teardown = stop, .timeout = 30};
