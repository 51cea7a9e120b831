/* SPDX-License-Identifier: Apache-2.0
 * test_cors.c - the origins that may read responses, on every code path of a response. */
#include <stdio.h>
#include <string.h>

#include "tests/support/suite.h"
#include "tests/support/visit.h"

#define SMALL "/v1/sinusoidal?dim=4&pos=0:4&format=raw"
#define APP "https://app.example"
#define LOCAL "http://localhost:3000"
#define ALLOW_ORIGIN "Access-Control-Allow-Origin"

static struct visit visit;

static void add_origin(struct config *config, const char *origin)
{
    snprintf(config->cors_origins.item[config->cors_origins.count++], CONFIG_ITEM_SIZE, "%s",
             origin);
}

static void two_origins(struct config *config)
{
    add_origin(config, APP);
    add_origin(config, LOCAL);
    snprintf(config->admin_listen.item[0], CONFIG_ITEM_SIZE, "127.0.0.1:0");
    config->admin_listen.count = 1;
}

static void anybody(struct config *config)
{
    add_origin(config, "*");
}

static void start(void (*adjust)(struct config *config))
{
    visit_begin(&visit, adjust);
}

static void stop(void)
{
    visit_end(&visit);
}

static int ask(const char *method, const char *target, const char *headers)
{
    http_client_ask(visit.client, &visit.answer, method, target, headers, NULL);
    if (http_answer_header(&visit.answer, "Connection"))
        visit_reconnect(&visit);
    return visit.answer.status;
}

static void expect(const char *name, const char *value)
{
    const char *got = http_answer_header(&visit.answer, name);

    if (value)
        ck_assert_msg(got && strcmp(got, value) == 0, "no %s: %s in\n%s", name, value,
                      visit.answer.head);
    else
        ck_assert_msg(!got, "%s is there:\n%s", name, visit.answer.head);
}

/* A page of `origin` (NULL: no page) may read the response; Vary says that Origin matters. */
static void expect_read_by(const char *origin)
{
    expect(ALLOW_ORIGIN, origin);
    expect("Access-Control-Expose-Headers", origin ? "*" : NULL);
    expect("Access-Control-Allow-Credentials", NULL);
    ck_assert_ptr_nonnull(strstr(http_answer_header(&visit.answer, "Vary"), "Origin"));
}

/* One target a code path: ready-made, with Accept, pages, stream, problems, list, health. */
static const struct {
    const char *target;
    int status;
    const char *vary;
} code_paths[] = {
    {SMALL, 200, "Origin"},
    {"/v1/sinusoidal?dim=4&pos=0:4", 200, "Accept, Accept-Encoding, Origin"},
    {"/version", 200, "Accept-Encoding, Origin"},
    {"/v1/encodings/rope", 200, "Accept-Encoding, Origin"},
    {"/v1/models/llama-3.1-8b", 200, "Accept-Encoding, Origin"},
    {"/v1/sinusoidal?dim=512&pos=0:4096&format=raw", 200, "Origin"},
    {"/v1/sinusoidal?dim=4&poss=0:4", 400, "Origin"},
    {"/nowhere", 404, "Origin"},
    {"/v1/models", 200, "Accept-Encoding, Origin"},
    {"/livez", 200, "Origin"},
};

/* The value of Vary where the response does not depend on Origin; NULL: no Vary. */
static const char *vary_of_all(const char *vary)
{
    static char names[64];

    snprintf(names, sizeof names, "%.*s", (int)(strlen(vary) - strlen("Origin")), vary);
    if (!*names)
        return NULL;
    names[strlen(names) - strlen(", ")] = '\0';
    return names;
}

START_TEST(a_listed_origin_reads_every_answer)
{
    start(two_origins);
    for (int times = 0; times < 3; times++) /* miss, hit, response cache */
        for (size_t i = 0; i < sizeof code_paths / sizeof *code_paths; i++) {
            ck_assert_int_eq(ask("GET", code_paths[i].target, NULL), code_paths[i].status);
            expect("Vary", code_paths[i].vary);
            expect_read_by(NULL);
            ck_assert_int_eq(ask("GET", code_paths[i].target, "Origin: " APP "\r\n"),
                             code_paths[i].status);
            expect("Vary", code_paths[i].vary);
            expect_read_by(APP);
            ask("GET", code_paths[i].target, "Origin: " LOCAL "\r\n");
            expect_read_by(LOCAL);
        }
    stop();
}
END_TEST

START_TEST(an_origin_is_compared_whole)
{
    static const char *const others[] = {"https://app.example.evil",
                                         "https://app.exampl",
                                         "http://app.example",
                                         "https://APP.example",
                                         "https://app.example:8443",
                                         "https://app.example/",
                                         "http://localhost",
                                         "null",
                                         "*",
                                         "https://x.app.example",
                                         APP ", " LOCAL,
                                         ""};
    char line[200];

    start(two_origins);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(line, sizeof line, "Origin: %s\r\n", others[i]);
        ck_assert_int_eq(ask("GET", SMALL, line), 200);
        expect_read_by(NULL);
        ck_assert_int_eq(ask("OPTIONS", SMALL, line), 204);
        expect("Access-Control-Allow-Methods", NULL);
    }
    ck_assert_int_eq(ask("GET", SMALL, "Origin: " APP "\r\nOrigin: " APP "\r\n"), 200);
    expect_read_by(NULL);
    stop();
}
END_TEST

START_TEST(a_listed_origin_reads_304_206_and_416)
{
    char line[200];

    start(two_origins);
    for (int times = 0; times < 3; times++) {
        ask("GET", SMALL, NULL);
        snprintf(line, sizeof line, "Origin: " APP "\r\nIf-None-Match: %s\r\n",
                 http_answer_header(&visit.answer, "ETag"));
        ck_assert_int_eq(ask("GET", SMALL, line), 304);
        expect_read_by(APP);
        ck_assert_int_eq(ask("GET", SMALL, "Origin: " APP "\r\nRange: bytes=0-7\r\n"), 206);
        expect_read_by(APP);
        ck_assert_int_eq(ask("GET", SMALL, "Origin: " APP "\r\nRange: bytes=999-\r\n"), 416);
        expect_read_by(APP);
    }
    stop();
}
END_TEST

START_TEST(a_listed_origin_reads_what_the_request_check_refuses)
{
    start(two_origins);
    ck_assert_int_eq(ask("GET", SMALL, "Origin: " APP "\r\nExpect: more\r\n"), 417);
    expect_read_by(APP);
    stop();
}
END_TEST

START_TEST(a_preflight_says_what_may_be_sent)
{
    start(two_origins);
    ck_assert_int_eq(ask("OPTIONS", SMALL,
                         "Origin: " APP "\r\nAccess-Control-Request-Method: POST\r\n"
                         "Access-Control-Request-Headers: authorization,content-type\r\n"),
                     204);
    expect_read_by(APP);
    expect("Access-Control-Allow-Methods", "GET, HEAD, POST, QUERY");
    expect("Access-Control-Allow-Headers",
           "Authorization, Content-Encoding, Content-Type, If-None-Match, If-Range, Range, "
           "X-Request-Id, traceparent");
    expect("Access-Control-Max-Age", "7200");
    expect("Allow", "GET, HEAD, POST, QUERY, OPTIONS");
    ck_assert_int_eq(ask("OPTIONS", SMALL, NULL), 204);
    expect_read_by(NULL);
    expect("Access-Control-Allow-Methods", NULL);
    stop();
}
END_TEST

START_TEST(the_admin_listener_has_no_cors_headers)
{
    start(two_origins);
    http_client_free(visit.client);
    visit.client = http_client_new(service_port(visit.service, 1));
    http_client_ask(visit.client, &visit.answer, "GET", "/metrics", "Origin: " APP "\r\n",
                    NULL);
    ck_assert_int_eq(visit.answer.status, 200);
    expect(ALLOW_ORIGIN, NULL);
    expect("Vary", NULL);
    stop();
}
END_TEST

START_TEST(any_origin_reads_with_a_star)
{
    start(anybody);
    for (int times = 0; times < 3; times++)
        for (size_t i = 0; i < sizeof code_paths / sizeof *code_paths; i++) {
            static const char *const origins[] = {NULL, "Origin: https://x.example\r\n",
                                                  "Origin: null\r\n"};

            ck_assert_int_eq(ask("GET", code_paths[i].target, origins[times]),
                             code_paths[i].status);
            expect(ALLOW_ORIGIN, "*");
            expect("Access-Control-Expose-Headers", "*");
            expect("Vary", vary_of_all(code_paths[i].vary));
        }
    ck_assert_int_eq(ask("OPTIONS", SMALL, "Origin: https://x.example\r\n"), 204);
    expect("Access-Control-Allow-Methods", "GET, HEAD, POST, QUERY");
    stop();
}
END_TEST

START_TEST(without_the_flag_no_origin_reads)
{
    start(NULL);
    for (int times = 0; times < 3; times++) {
        ask("GET", SMALL, "Origin: " APP "\r\n");
        expect(ALLOW_ORIGIN, NULL);
        expect("Vary", NULL);
    }
    ck_assert_int_eq(ask("OPTIONS", SMALL, "Origin: " APP "\r\n"), 204);
    expect(ALLOW_ORIGIN, NULL);
    expect("Access-Control-Allow-Methods", NULL);
    stop();
}
END_TEST

/* The longest values in a response's head, tested with the longest head of a request. */
static char long_origin[CONFIG_ITEM_SIZE], long_prefix[CONFIG_PREFIX_MAX];

static void all_at_its_longest(struct config *config)
{
    memset(long_origin, 'o', sizeof long_origin - 1);
    memcpy(long_origin, "https://", 8);
    memset(long_prefix, 'p', sizeof long_prefix - 1);
    long_prefix[0] = '/';
    add_origin(config, long_origin);
    config->path_prefix = long_prefix;
}

START_TEST(the_longest_response_heads_fit)
{
    static char target[2000], headers[9000];
    char *end;
    size_t lines = 3; /* header lines so far, with Host */

    start(all_at_its_longest);
    end = target + snprintf(target, sizeof target, "%s/v1/rope?dim=8&format=npy&out=cos&pos=0",
                            long_prefix);
    for (unsigned i = 1; i < 90; i++)
        end += snprintf(end, 16, ",%u", i * i % 977);
    end = headers + snprintf(headers, sizeof headers, "Origin: %s\r\nX-Request-Id: %064d\r\n",
                             long_origin, 7);
    for (; lines < 100; lines++)
        end += snprintf(end, 64, "A%zu: %050d\r\n", lines, 0);
    for (int times = 0; times < 3; times++) {
        ck_assert_int_eq(ask("GET", target, headers), 200);
        expect(ALLOW_ORIGIN, long_origin);
    }
    stop();
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_listed_origin_reads_every_answer),
    TEST(an_origin_is_compared_whole),
    TEST(a_listed_origin_reads_304_206_and_416),
    TEST(a_listed_origin_reads_what_the_request_check_refuses),
    TEST(a_preflight_says_what_may_be_sent),
    TEST(the_admin_listener_has_no_cors_headers),
    TEST(any_origin_reads_with_a_star),
    TEST(without_the_flag_no_origin_reads),
    TEST(the_longest_response_heads_fit),
};

const struct suite cors_suite = {SUITE_TESTS(tests), .timeout = 30};
