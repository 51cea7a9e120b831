/* SPDX-License-Identifier: Apache-2.0
 * test_turns.c - who wants to be run again and again gets it, while it does something. */
#include <check.h>

#include "server/net/turns.h"

Suite *turns_suite(void);

START_TEST(what_calls_us_is_run_as_soon_as_it_wants)
{
    struct turns turns = {0};

    for (int i = 0; i < 10 * TURNS_IN_VAIN; i++) {
        turns.calls += (uint64_t)(i % (TURNS_IN_VAIN - 1) == 0);
        ck_assert_uint_eq(turns_next(&turns, 0), 0);
    }
}
END_TEST

START_TEST(what_does_nothing_is_made_to_wait_until_it_does_something)
{
    struct turns turns = {0};

    for (int i = 1; i < TURNS_IN_VAIN; i++)
        ck_assert_uint_eq(turns_next(&turns, 0), 0);
    for (int i = 0; i < 1000; i++)
        ck_assert_uint_eq(turns_next(&turns, 0), TURNS_PAUSE_MS);
    turns.calls++;
    for (int i = 0; i < TURNS_IN_VAIN; i++)
        ck_assert_uint_eq(turns_next(&turns, 0), 0);
    ck_assert_uint_eq(turns_next(&turns, 0), TURNS_PAUSE_MS);
}
END_TEST

START_TEST(who_wants_to_wait_waits_as_long_as_that)
{
    struct turns turns = {0};

    for (int i = 0; i < 2 * TURNS_IN_VAIN; i++) {
        ck_assert_uint_eq(turns_next(&turns, 0), 0);
        ck_assert_uint_eq(turns_next(&turns, 5), 5);
        ck_assert_uint_eq(turns_next(&turns, UINT64_MAX), UINT64_MAX);
    }
}
END_TEST

Suite *turns_suite(void)
{
    Suite *suite = suite_create("turns");
    TCase *tests = tcase_create("turns");

    tcase_add_test(tests, what_calls_us_is_run_as_soon_as_it_wants);
    tcase_add_test(tests, what_does_nothing_is_made_to_wait_until_it_does_something);
    tcase_add_test(tests, who_wants_to_wait_waits_as_long_as_that);
    suite_add_tcase(suite, tests);
    return suite;
}
