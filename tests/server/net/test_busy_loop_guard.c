/* SPDX-License-Identifier: Apache-2.0
 * test_busy_loop_guard.c - a daemon is run again as soon as it asks, as long as it has work. */

#include "server/net/busy_loop_guard.h"
#include "tests/support/suite.h"

START_TEST(what_calls_us_is_run_as_soon_as_it_wants)
{
    struct busy_loop_guard turns = {0};

    for (int i = 0; i < 10 * BUSY_LOOP_GUARD_IN_VAIN; i++) {
        turns.calls += (uint64_t)(i % (BUSY_LOOP_GUARD_IN_VAIN - 1) == 0);
        ck_assert_uint_eq(busy_loop_guard_next(&turns, 0), 0);
    }
}
END_TEST

START_TEST(what_does_nothing_is_made_to_wait_until_it_does_something)
{
    struct busy_loop_guard turns = {0};

    for (int i = 1; i < BUSY_LOOP_GUARD_IN_VAIN; i++)
        ck_assert_uint_eq(busy_loop_guard_next(&turns, 0), 0);
    for (int i = 0; i < 1000; i++)
        ck_assert_uint_eq(busy_loop_guard_next(&turns, 0), BUSY_LOOP_GUARD_PAUSE_MS);
    turns.calls++;
    for (int i = 0; i < BUSY_LOOP_GUARD_IN_VAIN; i++)
        ck_assert_uint_eq(busy_loop_guard_next(&turns, 0), 0);
    ck_assert_uint_eq(busy_loop_guard_next(&turns, 0), BUSY_LOOP_GUARD_PAUSE_MS);
}
END_TEST

START_TEST(who_wants_to_wait_waits_as_long_as_that)
{
    struct busy_loop_guard turns = {0};

    for (int i = 0; i < 2 * BUSY_LOOP_GUARD_IN_VAIN; i++) {
        ck_assert_uint_eq(busy_loop_guard_next(&turns, 0), 0);
        ck_assert_uint_eq(busy_loop_guard_next(&turns, 5), 5);
        ck_assert_uint_eq(busy_loop_guard_next(&turns, UINT64_MAX), UINT64_MAX);
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST(what_calls_us_is_run_as_soon_as_it_wants),
    TEST(what_does_nothing_is_made_to_wait_until_it_does_something),
    TEST(who_wants_to_wait_waits_as_long_as_that),
};

const struct suite busy_loop_guard_suite = {SUITE_TESTS(tests)};
