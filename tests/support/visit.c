/* SPDX-License-Identifier: Apache-2.0
 * visit.c - see visit.h. */
#include "tests/support/visit.h"

#include <check.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "server/net/loop.h"
#include "server/service.h"

void visit_begin(struct visit *visit, void (*adjust)(struct config *config))
{
    visit->service = served_start(adjust);
    visit->client = http_client_new(served_port(visit->service));
}

void visit_end(struct visit *visit)
{
    http_answer_fini(&visit->answer);
    http_client_free(visit->client);
    served_stop(visit->service);
    visit->service = NULL;
    visit->client = NULL;
}

int visit_connect_narrow(const struct visit *visit)
{
    const struct sockaddr local = {.sa_family = AF_UNIX};
    const int narrow = 4096;
    int pair[2];

    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &narrow, sizeof narrow);
    loop_give(visit->service->loops[0], pair[1], &local, sizeof local.sa_family,
              LISTENER_KIND_PUBLIC);
    return pair[0];
}

void visit_reconnect(struct visit *visit)
{
    http_client_free(visit->client);
    visit->client = http_client_new(served_port(visit->service));
}

void visit_get(struct visit *visit, const char *target, int status, const char *words)
{
    http_client_get(visit->client, &visit->answer, target);
    ck_assert_msg(visit->answer.status == status && strstr(visit->answer.body, words),
                  "%s: %d %s", target, visit->answer.status, visit->answer.body);
}

void visit_ask(struct visit *visit, const char *method, const char *target, const char *headers)
{
    http_client_ask(visit->client, &visit->answer, method, target, headers, NULL);
}

void visit_ask_if_none_match(struct visit *visit, const char *target, const char *tag,
                             const char *more)
{
    char headers[300];

    snprintf(headers, sizeof headers, "If-None-Match: %s\r\n%s", tag, more);
    visit_ask(visit, "GET", target, headers);
}

void visit_expect(const struct visit *visit, int status, const char *words)
{
    ck_assert_msg(visit->answer.status == status && strstr(visit->answer.body, words), "%d: %s",
                  visit->answer.status, visit->answer.body);
}

void visit_expect_header(struct visit *visit, const char *name, const char *value)
{
    const char *got = http_answer_header(&visit->answer, name);

    if (value)
        ck_assert_msg(got && strcmp(got, value) == 0, "%s: %s\n%s", name, value,
                      visit->answer.head);
    else
        ck_assert_msg(!got, "%s is there: %s", name, visit->answer.head);
}

void visit_expect_in_body(const struct visit *visit, const char *text)
{
    ck_assert_msg(strstr(visit->answer.body, text) != NULL, "no %s in %s", text,
                  visit->answer.body);
}
