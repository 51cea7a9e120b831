/* SPDX-License-Identifier: Apache-2.0
 * test_body_budget.c - bytes are counted in the peer that holds them; body_budget.txt has the
 * shares. */
#include <stdint.h>

#include "server/net/body_budget.h"
#include "server/net/peers.h"
#include "tests/support/suite.h"

enum { SHARE = 8000, PEERS = 64 };

static struct body_budget *bodies;
static struct peer peers[PEERS];

static uint64_t source_bytes; /* that bodies may still take of the budget that they share */

static bool take(struct service *service, uint64_t bytes)
{
    const bool enough = bytes <= source_bytes;

    source_bytes -= enough ? bytes : 0;
    return enough;
}

static void give(struct service *service, uint64_t bytes)
{
    source_bytes += bytes;
}

static void start(void)
{
    source_bytes = 1 << 20;
    bodies = body_budget_new(SHARE, SHARE, (struct body_budget_source){take, give, NULL});
    ck_assert_ptr_nonnull(bodies);
}

static void stop(void)
{
    body_budget_free(bodies);
}

START_TEST(each_peer_has_the_bytes_that_it_took)
{
    for (uint64_t i = 0; i < PEERS; i++)
        ck_assert(body_budget_take(bodies, &peers[i], i + 1));
    for (uint64_t i = 0; i < PEERS; i++)
        ck_assert_uint_eq(peers[i].body_bytes, i + 1);
    for (uint64_t i = 0; i < PEERS; i++)
        body_budget_give_back(bodies, &peers[i], i + 1); /* asserts that it has so many */
    ck_assert_uint_eq(body_budget_held(bodies), 0);
}
END_TEST

START_TEST(what_the_source_lacks_is_not_counted)
{
    source_bytes = 1;
    ck_assert(!body_budget_take(bodies, &peers[0], 2));
    ck_assert_uint_eq(source_bytes, 1);
    ck_assert(body_budget_take(bodies, &peers[0], 1));
    ck_assert_uint_eq(peers[0].body_bytes, 1);
    ck_assert(!body_budget_take(bodies, &peers[0], 1));
    ck_assert_uint_eq(peers[0].body_bytes, 1);
    body_budget_give_back(bodies, &peers[0], 1);
    ck_assert_uint_eq(body_budget_held(bodies), 0);
    ck_assert_uint_eq(source_bytes, 1);
}
END_TEST

START_TEST(what_the_share_lacks_is_not_taken_of_the_source)
{
    source_bytes = 2 * SHARE;
    ck_assert(!body_budget_take(bodies, &peers[0], SHARE + 1));
    ck_assert_uint_eq(source_bytes, 2 * SHARE);
}
END_TEST

START_TEST(taking_nothing_changes_nothing)
{
    source_bytes = 0;
    ck_assert(body_budget_take(bodies, &peers[0], 0));
    ck_assert_uint_eq(peers[0].body_bytes, 0);
    body_budget_give_back(bodies, &peers[0], 0);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(each_peer_has_the_bytes_that_it_took),
    TEST(what_the_source_lacks_is_not_counted),
    TEST(what_the_share_lacks_is_not_taken_of_the_source),
    TEST(taking_nothing_changes_nothing),
};

const struct suite body_budget_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
