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

static void start(void)
{
    bodies = body_budget_new(SHARE, SHARE);
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

START_TEST(undoing_a_take_of_nothing_changes_nothing)
{
    ck_assert(body_budget_take(bodies, &peers[0], 1));
    body_budget_undo(bodies, &peers[0], 0);
    ck_assert_uint_eq(peers[0].body_bytes, 1);
    body_budget_give_back(bodies, &peers[0], 1);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(each_peer_has_the_bytes_that_it_took),
    TEST(undoing_a_take_of_nothing_changes_nothing),
};

const struct suite body_budget_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
