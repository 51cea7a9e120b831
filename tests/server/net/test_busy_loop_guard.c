/* SPDX-License-Identifier: Apache-2.0
 * test_busy_loop_guard.c - a daemon is run again as soon as it asks, as long as it has work. */

#include "server/net/busy_loop_guard.h"
#include "tests/support/suite.h"

START_TEST(a_daemon_that_makes_calls_runs_as_soon_as_it_asks)
{
    struct busy_loop_guard guard = {0};

    for (int i = 0; i < 10 * BUSY_LOOP_GUARD_IDLE_RUNS; i++) {
        guard.calls += (uint64_t)(i % (BUSY_LOOP_GUARD_IDLE_RUNS - 1) == 0);
        ck_assert_uint_eq(busy_loop_guard_next(&guard, 0), 0);
    }
}
END_TEST

START_TEST(a_daemon_that_makes_no_calls_pauses_until_the_next_call)
{
    struct busy_loop_guard guard = {0};

    for (int i = 1; i < BUSY_LOOP_GUARD_IDLE_RUNS; i++)
        ck_assert_uint_eq(busy_loop_guard_next(&guard, 0), 0);
    for (int i = 0; i < 1000; i++)
        ck_assert_uint_eq(busy_loop_guard_next(&guard, 0), BUSY_LOOP_GUARD_PAUSE_MS);
    guard.calls++;
    for (int i = 0; i < BUSY_LOOP_GUARD_IDLE_RUNS; i++)
        ck_assert_uint_eq(busy_loop_guard_next(&guard, 0), 0);
    ck_assert_uint_eq(busy_loop_guard_next(&guard, 0), BUSY_LOOP_GUARD_PAUSE_MS);
}
END_TEST

START_TEST(a_daemon_that_asks_for_a_pause_gets_that_pause)
{
    struct busy_loop_guard guard = {0};

    for (int i = 0; i < 2 * BUSY_LOOP_GUARD_IDLE_RUNS; i++) {
        ck_assert_uint_eq(busy_loop_guard_next(&guard, 0), 0);
        ck_assert_uint_eq(busy_loop_guard_next(&guard, 5), 5);
        ck_assert_uint_eq(busy_loop_guard_next(&guard, UINT64_MAX), UINT64_MAX);
    }
}
END_TEST

SUITE(busy_loop_guard, TEST(a_daemon_that_makes_calls_runs_as_soon_as_it_asks),
      TEST(a_daemon_that_makes_no_calls_pauses_until_the_next_call),
      TEST(a_daemon_that_asks_for_a_pause_gets_that_pause));
