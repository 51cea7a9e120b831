/* SPDX-License-Identifier: Apache-2.0
 * test_body_budget.c - as many peers as fit; body_budget.txt has their shares. */
#include <stdint.h>

#include "server/net/body_budget.h"
#include "tests/support/suite.h"

enum { SHARE = 8000, PEERS = 64 };

static struct body_budget *bodies;

static void start(void)
{
    bodies = body_budget_new(PEERS, SHARE, SHARE);
    ck_assert_ptr_nonnull(bodies);
}

static void stop(void)
{
    body_budget_free(bodies);
}

START_TEST(peers_whose_numbers_collide_stay_apart)
{
    enum { STEP = 128 }; /* every multiple hashes to the first slot */

    for (uint64_t i = 0; i < PEERS; i++)
        ck_assert(body_budget_take(bodies, i * STEP, i + 1));
    ck_assert(!body_budget_take(bodies, UINT64_MAX, 1)); /* one peer more than fit */
    for (uint64_t i = 0; i < PEERS; i += 2)
        body_budget_give_back(bodies, i * STEP, i + 1);
    for (uint64_t i = 1; i < PEERS; i += 2)
        body_budget_give_back(bodies, i * STEP, i + 1); /* asserts that the peer has so many */
    ck_assert_uint_eq(body_budget_held(bodies), 0);
}
END_TEST

START_TEST(undoing_a_take_of_nothing_forgets_no_peer)
{
    for (uint64_t i = 0; i < PEERS; i++)
        ck_assert(body_budget_take(bodies, i, 1));
    body_budget_undo(bodies, PEERS, 0);
    ck_assert(!body_budget_take(bodies, PEERS, 1));
    for (uint64_t i = 0; i < PEERS; i++)
        body_budget_give_back(bodies, i, 1);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(peers_whose_numbers_collide_stay_apart),
    TEST(undoing_a_take_of_nothing_forgets_no_peer),
};

const struct suite body_budget_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
