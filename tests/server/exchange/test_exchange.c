/* SPDX-License-Identifier: Apache-2.0
 * test_exchange.c - what is kept under overload; exchange.scenarios has the other code paths of
 * a request. */
#include <stdio.h>
#include <string.h>

#include "server/net/inflight.h"
#include "server/net/overload.h"
#include "tests/support/suite.h"
#include "tests/support/visit.h"

/* Asks on a new connection: under overload responses have Connection: close. */
static void ask_anew(struct visit *visit, const char *target)
{
    visit_reconnect(visit);
    visit_ask(visit, "GET", target, NULL);
    ck_assert_int_eq(visit->answer.status, 200);
}

START_TEST(from_the_second_level_nothing_new_is_kept)
{
    struct visit visit = {.service = NULL};
    uint64_t taken;
    char target[64];
    bool kept = true;

    visit_begin(&visit, NULL);
    taken = visit.service->config.max_inflight / 100 * 86;
    ck_assert(inflight_reserve(visit.service, taken));
    overload_update(visit.service);
    for (int i = 1; i < 5000 && kept; i++) { /* until the loops' next tick */
        snprintf(target, sizeof target, "/v1/rope?pos=%d&dim=8", i);
        ask_anew(&visit, target);
        ask_anew(&visit, target);
        kept = strstr(http_answer_header(&visit.answer, "Server-Timing"), "hit") != NULL;
    }
    ck_assert(!kept);
    inflight_release(visit.service, taken);
    visit_end(&visit);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(from_the_second_level_nothing_new_is_kept),
};

const struct suite exchange_suite = {SUITE_TESTS(tests), .timeout = 30};
