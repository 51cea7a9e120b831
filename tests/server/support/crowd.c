/* SPDX-License-Identifier: Apache-2.0
 * crowd.c - see crowd.h. */
#include "tests/server/support/crowd.h"

#include <check.h>
#include <sched.h>
#include <string.h>

void crowd_stop(struct crowd *crowd)
{
    for (int i = 0; i < CROWD; i++)
        crowd_leave(crowd, i);
    http_answer_fini(&crowd->answer);
    if (crowd->service)
        served_stop(crowd->service);
    *crowd = (struct crowd){.service = NULL};
}

void crowd_connect(struct crowd *crowd, int client)
{
    crowd->clients[client] = http_client_new(served_port(crowd->service));
}

void crowd_ask_at(struct crowd *crowd, int client, size_t listener, const char *target,
                  int status)
{
    crowd->clients[client] = http_client_new(service_port(crowd->service, listener));
    http_client_get(crowd->clients[client], &crowd->answer, target);
    ck_assert_msg(crowd->answer.status == status, "client %d, %s: %d", client, target,
                  crowd->answer.status);
}

void crowd_ask(struct crowd *crowd, int client, const char *target, int status)
{
    crowd_ask_at(crowd, client, 0, target, status);
}

void crowd_leave(struct crowd *crowd, int client)
{
    http_client_free(crowd->clients[client]);
    crowd->clients[client] = NULL;
}

void crowd_await(const struct crowd *crowd, unsigned connections)
{
    while (crowd->service->connections != connections)
        sched_yield();
}

void crowd_overload(struct crowd *crowd, bool overload)
{
    struct service *service = crowd->service;

    atomic_store(&service->inflight_bytes, overload ? service->config.max_inflight : 0);
    while (overload ? service->overload_level < 4 : service->overload_level > 0)
        sched_yield();
}

void crowd_expect_refusal(struct crowd *crowd, int client, const char *reason)
{
    struct http_answer *answer = &crowd->answer;

    ck_assert_int_eq(answer->status, 503);
    ck_assert_str_eq(http_answer_header(answer, "Retry-After"), "1");
    ck_assert_str_eq(http_answer_header(answer, "Connection"), "close");
    ck_assert_str_eq(http_answer_header(answer, "Content-Type"), "application/problem+json");
    ck_assert_msg(strstr(answer->body, reason) != NULL, "%s", answer->body);
    ck_assert(answer->whole);
    ck_assert(http_client_closed(crowd->clients[client]));
}
