/* SPDX-License-Identifier: Apache-2.0
 * test_body_budget.c - the share of all bodies, each peer's eighth, and bytes to give back. */
#include <stdint.h>

#include "server/net/body_budget.h"
#include "tests/support/suite.h"

enum { SHARE = 8000, OWN = SHARE / 8, PEERS = 64 };

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

START_TEST(a_peer_alone_may_have_the_whole_share_and_no_more)
{
    ck_assert(body_budget_take(bodies, 1, SHARE));
    ck_assert(!body_budget_take(bodies, 1, 1));
    ck_assert_uint_eq(body_budget_held(bodies), SHARE);
    ck_assert_uint_eq(body_budget_beyond(bodies, 1), SHARE - OWN);
    ck_assert_uint_eq(body_budget_wanted(bodies), 0); /* no other peer wants bytes */
    body_budget_give_back(bodies, 1, SHARE);
    ck_assert_uint_eq(body_budget_held(bodies), 0);
    ck_assert_uint_eq(body_budget_beyond(bodies, 1), 0);
}
END_TEST

START_TEST(a_peer_within_its_eighth_gets_bytes_from_peers_beyond_theirs)
{
    ck_assert(body_budget_take(bodies, 1, SHARE));
    ck_assert(body_budget_take(bodies, 2, OWN));
    ck_assert_uint_eq(body_budget_wanted(bodies), OWN);
    ck_assert_uint_eq(body_budget_beyond(bodies, 2), 0);
    ck_assert(!body_budget_take(bodies, 2, 1)); /* beyond its eighth, and nothing is free */
    body_budget_give_back(bodies, 1, SHARE);
    ck_assert_uint_eq(body_budget_wanted(bodies), 0);
    ck_assert(body_budget_take(bodies, 2, 1));
    body_budget_give_back(bodies, 2, OWN + 1);
}
END_TEST

START_TEST(eighths_add_up_to_the_share_and_missing_bytes_are_wanted)
{
    for (uint64_t peer = 1; peer <= 8; peer++)
        ck_assert(body_budget_take(bodies, peer, OWN));
    ck_assert(!body_budget_take(bodies, 9, 10));
    ck_assert_uint_eq(body_budget_wanted(bodies), 10);
    ck_assert(body_budget_are_crowded(bodies));
    body_budget_give_back(bodies, 3, OWN);
    ck_assert(!body_budget_are_crowded(bodies));
    ck_assert_uint_eq(body_budget_wanted(bodies), 0);
    ck_assert(body_budget_take(bodies, 9, 10));
    body_budget_give_back(bodies, 9, 10);
    for (uint64_t peer = 1; peer <= 8; peer++)
        body_budget_give_back(bodies, peer, peer == 3 ? 0 : OWN);
    ck_assert_uint_eq(body_budget_held(bodies), 0);
}
END_TEST

START_TEST(bytes_beyond_the_share_are_given_back_when_others_want_them)
{
    struct body_budget *lent = body_budget_new(PEERS, SHARE, 2 * SHARE);

    ck_assert(body_budget_take(lent, 1, 2 * SHARE - 1));
    ck_assert(!body_budget_take(lent, 1, 2));
    ck_assert_uint_eq(body_budget_wanted(lent), 0);
    body_budget_want(lent, 77);
    ck_assert_uint_eq(body_budget_wanted(lent), 77);
    ck_assert(!body_budget_are_crowded(lent)); /* a peer within its eighth keeps its bytes */
    body_budget_give_back(lent, 1, 2 * SHARE - 1 - OWN);
    ck_assert_uint_eq(body_budget_wanted(lent), 0);
    body_budget_want(lent, 77); /* no peer has bytes beyond its eighth */
    ck_assert_uint_eq(body_budget_wanted(lent), 0);
    body_budget_give_back(lent, 1, OWN);
    body_budget_free(lent);
}
END_TEST

START_TEST(sizes_are_checked_for_overflow)
{
    ck_assert(body_budget_take(bodies, 1, 10));
    ck_assert(!body_budget_take(bodies, 1, UINT64_MAX));
    ck_assert(!body_budget_take(bodies, 2, UINT64_MAX));
    ck_assert_uint_eq(body_budget_held(bodies), 10);
    body_budget_give_back(bodies, 1, 10);
}
END_TEST

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

START_TEST(wanted_bytes_stay_wanted_when_a_take_is_undone)
{
    ck_assert(body_budget_take(bodies, 1, OWN + 5));
    body_budget_want(bodies, 77);
    ck_assert(body_budget_take(bodies, 2, 10));
    body_budget_undo(bodies, 2, 10);
    ck_assert_uint_eq(body_budget_wanted(bodies), 77);
    ck_assert_uint_eq(body_budget_held(bodies), OWN + 5);
    body_budget_give_back(bodies, 1, OWN + 5);
    ck_assert_uint_eq(body_budget_wanted(bodies), 0);
}
END_TEST

/* Another thread wants bytes between a take and its undoing. */
START_TEST(bytes_that_only_an_undone_take_held_are_no_longer_wanted)
{
    ck_assert(body_budget_take(bodies, 1, OWN + 5));
    body_budget_want(bodies, 77);
    ck_assert_uint_eq(body_budget_wanted(bodies), 77);
    body_budget_undo(bodies, 1, OWN + 5);
    ck_assert_uint_eq(body_budget_wanted(bodies), 0);
    for (uint64_t peer = 1; peer <= 8; peer++)
        ck_assert(body_budget_take(bodies, peer, OWN));
    ck_assert(!body_budget_take(bodies, 9, 10));
    body_budget_undo(bodies, 8, OWN);
    ck_assert(!body_budget_are_crowded(bodies));
    for (uint64_t peer = 1; peer <= 7; peer++)
        body_budget_give_back(bodies, peer, OWN);
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
    TEST(a_peer_alone_may_have_the_whole_share_and_no_more),
    TEST(a_peer_within_its_eighth_gets_bytes_from_peers_beyond_theirs),
    TEST(eighths_add_up_to_the_share_and_missing_bytes_are_wanted),
    TEST(bytes_beyond_the_share_are_given_back_when_others_want_them),
    TEST(sizes_are_checked_for_overflow),
    TEST(peers_whose_numbers_collide_stay_apart),
    TEST(wanted_bytes_stay_wanted_when_a_take_is_undone),
    TEST(bytes_that_only_an_undone_take_held_are_no_longer_wanted),
    TEST(undoing_a_take_of_nothing_forgets_no_peer),
};

const struct suite body_budget_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
