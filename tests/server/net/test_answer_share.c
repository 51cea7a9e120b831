/* SPDX-License-Identifier: Apache-2.0
 * test_answer_share.c - what answers of one peer may hold, beside those of others. */
#include "server/net/answer_share.h"

#include <string.h>

#include "server/cache/cache.h"
#include "server/net/inflight.h"
#include "server/net/peers.h"
#include "server/shared.h"
#include "tests/support/suite.h"

enum { MIB = 1 << 20, BUDGET = 64 * MIB, LONG = BUDGET / 16 * 13, PEERS = 40 };

static struct service service;
static struct peer peers[PEERS];

static void start(void)
{
    service = (struct service){.config.max_inflight = BUDGET, .cache = cache_new(0)};
    ck_assert_ptr_nonnull(service.cache);
    memset(peers, 0, sizeof peers);
}

static void stop(void)
{
    cache_free(service.cache);
}

static enum answer_share_result take(size_t i, uint64_t bytes)
{
    struct answer_share share = {.peer = &peers[i]};
    enum answer_share_result result = answer_share_take(&service, &share, bytes);

    ck_assert_uint_eq(share.bytes, result == ANSWER_SHARE_TAKEN ? bytes : 0);
    if (result == ANSWER_SHARE_TAKEN)
        ck_assert(inflight_reserve(&service, bytes));
    return result;
}

/* Takes MiB by MiB until the peer is refused; returns what it holds. */
static uint64_t fill(size_t i)
{
    while (take(i, MIB) == ANSWER_SHARE_TAKEN)
        ;
    return peers[i].answer;
}

START_TEST(a_peer_alone_holds_two_thirds_of_what_long_answers_have)
{
    ck_assert_uint_eq(fill(0), LONG / 3 * 2 / MIB * MIB);
    ck_assert_int_eq(take(0, MIB), ANSWER_SHARE_PEER_FULL);
    ck_assert_int_eq(take(1, MIB), ANSWER_SHARE_TAKEN);
}
END_TEST

START_TEST(an_answer_that_is_the_only_one_may_grow_to_all_of_the_budget)
{
    struct answer_share share = {.peer = &peers[0]}, other = {.peer = &peers[1]};

    for (int i = 0; i < BUDGET / MIB; i++) {
        ck_assert_int_eq(answer_share_take(&service, &share, MIB), ANSWER_SHARE_TAKEN);
        ck_assert(inflight_reserve(&service, MIB));
    }
    inflight_release(&service, 8 * MIB);
    answer_share_set(&share, BUDGET - 8 * MIB);
    ck_assert_int_eq(answer_share_take(&service, &other, MIB), ANSWER_SHARE_SCARCE);
    ck_assert_int_eq(answer_share_take(&service, &other, ANSWER_SHARE_SHORT),
                     ANSWER_SHARE_TAKEN);
}
END_TEST

START_TEST(however_many_peers_hold_their_share_one_more_gets_an_answer)
{
    uint64_t before = UINT64_MAX;

    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_lt(fill(i), before);
        before = peers[i].answer;
        ck_assert_uint_gt(before, 0);
    }
    for (size_t i = 0; i < 4; i++)
        ck_assert_int_ne(take(i, MIB), ANSWER_SHARE_TAKEN);
    ck_assert_int_eq(take(4, ANSWER_SHARE_SHORT), ANSWER_SHARE_TAKEN);
}
END_TEST

START_TEST(an_answer_that_has_begun_goes_on_where_a_new_one_is_refused)
{
    struct answer_share begun = {.peer = &peers[0]};

    ck_assert_int_eq(answer_share_take(&service, &begun, 10 * MIB), ANSWER_SHARE_TAKEN);
    ck_assert(inflight_reserve(&service, 10 * MIB));
    fill(0);
    ck_assert_int_eq(answer_share_take(&service, &begun, 4 * MIB), ANSWER_SHARE_TAKEN);
    ck_assert(inflight_reserve(&service, 4 * MIB));
    ck_assert_int_eq(take(0, MIB), ANSWER_SHARE_PEER_FULL);
    ck_assert_int_eq(answer_share_take(&service, &begun, LONG / 4), ANSWER_SHARE_PEER_FULL);
    ck_assert_int_eq(take(1, MIB), ANSWER_SHARE_TAKEN);
}
END_TEST

START_TEST(a_peer_that_has_read_may_ask_again)
{
    struct answer_share share = {.peer = &peers[0]};

    ck_assert_int_eq(answer_share_take(&service, &share, 30 * MIB), ANSWER_SHARE_TAKEN);
    ck_assert(inflight_reserve(&service, 30 * MIB));
    ck_assert_int_eq(take(0, 20 * MIB), ANSWER_SHARE_PEER_FULL);
    answer_share_set(&share, 0);
    inflight_release(&service, 30 * MIB);
    ck_assert_uint_eq(peers[0].answer, 0);
    ck_assert_int_eq(take(0, 20 * MIB), ANSWER_SHARE_TAKEN);
}
END_TEST

START_TEST(long_answers_leave_bytes_to_short_ones)
{
    uint64_t all = 0;

    for (size_t i = 0; i < PEERS; i++)
        all += fill(i);
    ck_assert_uint_le(all, LONG);
    ck_assert_int_eq(take(0, MIB), ANSWER_SHARE_SCARCE);
    ck_assert(answer_share_is_scarce(&service, 8 * MIB));
    ck_assert(!answer_share_is_scarce(&service, ANSWER_SHARE_SHORT));
    for (int i = 0; i < 16; i++)
        ck_assert_int_eq(take(PEERS - 1, ANSWER_SHARE_SHORT / 4), ANSWER_SHARE_TAKEN);
}
END_TEST

START_TEST(short_answers_of_one_peer_do_not_take_all_either)
{
    uint64_t taken = 0;

    while (take(0, ANSWER_SHARE_SHORT) == ANSWER_SHARE_TAKEN)
        taken += ANSWER_SHARE_SHORT;
    ck_assert_uint_gt(taken, BUDGET / 2);
    ck_assert_uint_le(taken, BUDGET / 3 * 2);
    ck_assert_int_eq(take(0, ANSWER_SHARE_SHORT), ANSWER_SHARE_PEER_FULL);
    ck_assert_int_eq(take(1, ANSWER_SHARE_SHORT), ANSWER_SHARE_TAKEN);
}
END_TEST

START_TEST(alone_an_answer_may_need_the_whole_budget)
{
    ck_assert_int_eq(take(0, BUDGET), ANSWER_SHARE_TAKEN);
    inflight_release(&service, BUDGET);
    ck_assert_int_eq(take(1, BUDGET + 1), ANSWER_SHARE_SCARCE);
    ck_assert(answer_share_is_scarce(&service, UINT64_MAX));
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_peer_alone_holds_two_thirds_of_what_long_answers_have),
    TEST(an_answer_that_has_begun_goes_on_where_a_new_one_is_refused),
    TEST(an_answer_that_is_the_only_one_may_grow_to_all_of_the_budget),
    TEST(however_many_peers_hold_their_share_one_more_gets_an_answer),
    TEST(a_peer_that_has_read_may_ask_again),
    TEST(long_answers_leave_bytes_to_short_ones),
    TEST(short_answers_of_one_peer_do_not_take_all_either),
    TEST(alone_an_answer_may_need_the_whole_budget),
};

const struct suite answer_share_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
